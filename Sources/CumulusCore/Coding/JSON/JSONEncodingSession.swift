// SPDX-License-Identifier: Apache-2.0

/// The state shared by all encoders of one encoding: the strategies, and the key sequences of the objects so far.
final class JSONEncodingSession {
    let strategies: JSON.EncodingStrategies
    let convertsKeys: Bool
    // Without checks of exclusive access: nothing else runs while the tree is read or written.
    @exclusivity(unchecked) var shapes = JSONShapeTree()
    private var convertedKeys: [String: String] = [:]

    init(_ strategies: JSON.EncodingStrategies) {
        self.strategies = strategies
        if case .useDefaultKeys = strategies.keys { convertsKeys = false } else { convertsKeys = true }
    }

    func converted(_ key: any CodingKey, at path: @autoclosure () -> [any CodingKey]) -> String {
        if case .custom(let convert) = strategies.keys { return convert(path() + [key]).stringValue }
        let key = key.stringValue
        if let known = convertedKeys[key] { return known }
        let converted = JSONSnakeCase.snakeCase(key)
        convertedKeys[key] = converted
        return converted
    }
}

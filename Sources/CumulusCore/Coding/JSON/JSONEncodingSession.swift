// SPDX-License-Identifier: Apache-2.0

/// What all encoders of one encoding share: the strategies, and the shape that each type's last object had.
final class JSONEncodingSession {
    let strategies: JSON.EncodingStrategies
    let convertsKeys: Bool
    private var shapes: [ObjectIdentifier: JSONShape] = [:]
    private var convertedKeys: [String: String] = [:]

    init(_ strategies: JSON.EncodingStrategies) {
        self.strategies = strategies
        if case .convertToSnakeCase = strategies.keys { convertsKeys = true } else { convertsKeys = false }
    }

    /// The shape to expect of an object whose keys are of this type.
    func foreseenShape(for keys: any CodingKey.Type) -> JSONShape { shapes[ObjectIdentifier(keys)] ?? .empty }

    func remember(_ shape: JSONShape, for keys: any CodingKey.Type) { shapes[ObjectIdentifier(keys)] = shape }

    func converted(_ key: String) -> String {
        if let known = convertedKeys[key] { return known }
        let converted = JSONSnakeCase.snakeCase(key)
        convertedKeys[key] = converted
        return converted
    }
}

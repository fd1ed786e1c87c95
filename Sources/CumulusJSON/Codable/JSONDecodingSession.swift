// SPDX-License-Identifier: Apache-2.0

/// The state shared by all decoders of one decoding: the strategies, and the converted keys of each shape.
final class JSONDecodingSession {
    let strategies: JSON.DecodingStrategies
    let convertsKeys: Bool
    /// How values are converted from texts; `nil` if texts are not converted.
    let texts: JSONTexts?
    private var convertedShapes: [ObjectIdentifier: (original: JSONShape, converted: JSONShape, places: [Int]?)] = [:]

    init(_ strategies: JSON.DecodingStrategies, texts: JSONTexts? = nil) {
        self.texts = texts
        self.strategies = strategies
        if case .useDefaultKeys = strategies.keys { convertsKeys = false } else { convertsKeys = true }
    }

    /// The object with the keys that a type expects; if two keys become the same, the first is kept.
    func converted(_ object: JSON.Object, at path: @autoclosure () -> [any CodingKey]) -> JSON.Object {
        if case .custom(let convert) = strategies.keys {
            let path = path()
            let keys = object.shape.keys.map { convert(path + [JSONCodingKey(stringValue: $0)]).stringValue }
            let (shape, places) = JSONShape.make(of: keys)
            return Self.object(shape, places, of: object.storedValues)
        }
        let identifier = ObjectIdentifier(object.shape)
        // The original is kept, so that its address can't become another shape's.
        let entry =
            convertedShapes[identifier]
            ?? {
                let (shape, places) = JSONShape.make(of: object.shape.keys.map(JSONSnakeCase.camelCase))
                return (object.shape, shape, places)
            }()
        convertedShapes[identifier] = entry
        return Self.object(entry.converted, entry.places, of: object.storedValues)
    }

    private static func object(_ shape: JSONShape, _ places: [Int]?, of values: [JSON]) -> JSON.Object {
        guard let places else { return JSON.Object(shape: shape, values: values) }
        var kept = [JSON](repeating: .null, count: shape.keys.count)
        for (place, value) in zip(places, values).reversed() { kept[place] = value }
        return JSON.Object(shape: shape, values: kept)
    }
}

/// Dictionaries with string keys: their keys are data, and no strategy changes them.
protocol JSONStringKeyed {}

extension Dictionary: JSONStringKeyed where Key == String {}

// SPDX-License-Identifier: Apache-2.0

/// What all decoders of one decoding share: the strategies, and keys converted once for each shape.
final class JSONDecodingSession {
    let strategies: JSON.DecodingStrategies
    let convertsKeys: Bool
    /// How values are made of texts; `nil` if a text is only a text.
    let texts: JSONTexts?
    private var convertedShapes: [ObjectIdentifier: (original: JSONShape, converted: JSONShape, places: [Int]?)] = [:]

    init(_ strategies: JSON.DecodingStrategies, texts: JSONTexts? = nil) {
        self.texts = texts
        self.strategies = strategies
        if case .useDefaultKeys = strategies.keys { convertsKeys = false } else { convertsKeys = true }
    }

    /// The object under the keys that a type asks for; where two keys become one, the first stays.
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

/// Dictionaries with strings as keys: their keys are data, and no strategy changes them.
protocol JSONStringKeyed {}

extension Dictionary: JSONStringKeyed where Key == String {}

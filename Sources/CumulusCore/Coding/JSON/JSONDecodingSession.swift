// SPDX-License-Identifier: Apache-2.0

/// What all decoders of one decoding share: the strategies, and keys converted once for each shape.
final class JSONDecodingSession {
    let strategies: JSON.DecodingStrategies
    let convertsKeys: Bool
    /// How values are made of texts; `nil` where a text is only a text.
    let texts: JSONTexts?
    private var convertedShapes: [ObjectIdentifier: (original: JSONShape, converted: JSONShape, places: [Int]?)] = [:]

    init(_ strategies: JSON.DecodingStrategies, texts: JSONTexts? = nil) {
        self.texts = texts
        self.strategies = strategies
        if case .convertFromSnakeCase = strategies.keys { convertsKeys = true } else { convertsKeys = false }
    }

    /// The object under the keys that a type asks for; where two keys become one, the first stays.
    func converted(_ object: JSON.Object) -> JSON.Object {
        let identifier = ObjectIdentifier(object.shape)
        // The original is kept, so that its address can't become another shape's.
        let entry =
            convertedShapes[identifier]
            ?? {
                let (shape, places) = JSONShape.make(of: object.shape.keys.map(JSONSnakeCase.camelCase))
                return (object.shape, shape, places)
            }()
        convertedShapes[identifier] = entry
        guard let places = entry.places else { return JSON.Object(shape: entry.converted, values: object.storedValues) }
        var values = [JSON](repeating: .null, count: entry.converted.keys.count)
        for (place, value) in zip(places, object.storedValues).reversed() { values[place] = value }
        return JSON.Object(shape: entry.converted, values: values)
    }
}

/// Dictionaries with strings as keys: their keys are data, and no strategy changes them.
protocol JSONStringKeyed {}

extension Dictionary: JSONStringKeyed where Key == String {}

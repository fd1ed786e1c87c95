// SPDX-License-Identifier: Apache-2.0

// Values written as Swift literals.

extension JSON: ExpressibleByNilLiteral {
    /// Creates `null`.
    public init(nilLiteral: ()) { self = .null }
}

extension JSON: ExpressibleByBooleanLiteral {
    /// Creates a boolean.
    public init(booleanLiteral value: Bool) { self = .bool(value) }
}

extension JSON: ExpressibleByIntegerLiteral {
    /// Creates a number.
    public init(integerLiteral value: Int64) { self = .number(Number(value)) }
}

extension JSON: ExpressibleByFloatLiteral {
    /// Creates a number; a value too large for `Double` becomes `null`, since JSON has no infinity.
    public init(floatLiteral value: Double) { self = Number(value).map(JSON.number) ?? .null }
}

extension JSON: ExpressibleByStringInterpolation {
    /// Creates a string.
    public init(stringLiteral value: String) { self = .string(value) }
}

extension JSON: ExpressibleByArrayLiteral {
    /// Creates an array.
    public init(arrayLiteral elements: JSON...) { self = .array(elements) }
}

extension JSON: ExpressibleByDictionaryLiteral {
    /// Creates an object in the written order; if members have the same key, the last one is used, at the position of the
    /// first.
    public init(dictionaryLiteral elements: (String, JSON)...) { self = .object(Object(elements)) }
}

extension JSON {
    /// Creates a value from a literal: `JSON(["a": 1])`.
    public init(_ json: JSON) { self = json }
}

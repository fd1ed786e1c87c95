// SPDX-License-Identifier: Apache-2.0

// Values written as Swift literals.

extension JSON: ExpressibleByNilLiteral {
    /// Makes `null`.
    public init(nilLiteral: ()) { self = .null }
}

extension JSON: ExpressibleByBooleanLiteral {
    /// Makes a boolean.
    public init(booleanLiteral value: Bool) { self = .bool(value) }
}

extension JSON: ExpressibleByIntegerLiteral {
    /// Makes a number.
    public init(integerLiteral value: Int64) { self = .number(Number(value)) }
}

extension JSON: ExpressibleByFloatLiteral {
    /// Makes a number; a value too large for `Double` makes `null`, since JSON has no infinity.
    public init(floatLiteral value: Double) { self = Number(value).map(JSON.number) ?? .null }
}

extension JSON: ExpressibleByStringInterpolation {
    /// Makes a string.
    public init(stringLiteral value: String) { self = .string(value) }
}

extension JSON: ExpressibleByArrayLiteral {
    /// Makes an array.
    public init(arrayLiteral elements: JSON...) { self = .array(elements) }
}

extension JSON: ExpressibleByDictionaryLiteral {
    /// Makes an object in the written order; if members have the same key, the last one is used, at the position of the
    /// first.
    public init(dictionaryLiteral elements: (String, JSON)...) { self = .object(Object(elements)) }
}

extension JSON {
    /// Makes a value from a literal: `JSON(["a": 1])`.
    public init(_ json: JSON) { self = json }
}

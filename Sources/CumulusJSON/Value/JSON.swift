// SPDX-License-Identifier: Apache-2.0

/// A JSON value (RFC 8259), for use without your own type.
///
///     let json = try JSON(parsing: bytes)
///     let name = json["user"]["name"].string
///     let draft: JSON = ["title": "Clouds", "tags": ["sky", "weather"], "public": true]
///
/// Numbers are kept exactly, and objects keep their order. Two values are equal if they represent the same data: `1.0`
/// equals `1`, and objects are compared regardless of the order of their members.
public enum JSON: Sendable, Hashable {
    /// `null`; subscripts also return it for a missing member.
    case null

    /// `true` or `false`.
    case bool(Bool)

    /// A number, exactly as written.
    case number(Number)

    /// A string.
    case string(String)

    /// An array.
    case array([JSON])

    /// An object: members in order, found by key.
    case object(Object)
}

extension JSON {
    /// Whether this is `null`.
    public var isNull: Bool {
        if case .null = self { true } else { false }
    }

    /// The boolean, or `nil` for any other kind of value.
    public var bool: Bool? {
        if case .bool(let bool) = self { bool } else { nil }
    }

    /// The number, or `nil` for any other kind of value.
    public var number: Number? {
        if case .number(let number) = self { number } else { nil }
    }

    /// The number as an `Int`, or `nil` if it isn't a number, has a fraction, or doesn't fit.
    public var int: Int? {
        if case .number(let number) = self { number.int } else { nil }
    }

    /// The number as the nearest `Double`, or `nil` for any other kind of value.
    public var double: Double? {
        if case .number(let number) = self { number.double } else { nil }
    }

    /// The string, or `nil` for any other kind of value.
    public var string: String? {
        if case .string(let string) = self { string } else { nil }
    }

    /// The elements of an array, or `nil` for any other kind of value; assigning elements makes this an array.
    public var array: [JSON]? {
        get {
            if case .array(let array) = self { array } else { nil }
        }
        _modify {
            guard case .array(let present) = self else {
                var array: [JSON]?
                yield &array
                if let array { self = .array(array) }
                return
            }
            var array: [JSON]? = present
            // Lets the array be changed in place: in the meantime, nothing else refers to it.
            self = .null
            defer { self = array.map(JSON.array) ?? .null }
            yield &array
        }
    }

    /// The members of an object, or `nil` for any other kind of value; assigning members makes this an object.
    public var object: Object? {
        get {
            if case .object(let object) = self { object } else { nil }
        }
        _modify {
            guard case .object(let present) = self else {
                var object: Object?
                yield &object
                if let object { self = .object(object) }
                return
            }
            var object: Object? = present
            // Lets the object be changed in place: in the meantime, nothing else refers to it.
            self = .null
            defer { self = object.map(JSON.object) ?? .null }
            yield &object
        }
    }
}

extension JSON: CustomStringConvertible {
    /// The value as compact JSON text.
    public var description: String { String(decoding: encoded(), as: UTF8.self) }
}

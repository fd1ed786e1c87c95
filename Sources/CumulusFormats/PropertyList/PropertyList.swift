// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A value of a property list, XML or binary, for use without your own type.
///
///     let list = try await site["settings.plist"].get(as: PropertyList.self)
///     let name = list["user"]?["name"]?.string
public enum PropertyList: Sendable, Hashable {
    /// A string.
    case string(String)
    /// A whole number, with the range of signed and unsigned 64-bit integers.
    case integer(Int128)
    /// A floating-point number.
    case real(Double)
    /// True or false.
    case bool(Bool)
    /// An instant.
    case date(Date)
    /// Bytes.
    case data(Data)
    /// A list.
    case array([PropertyList])
    /// Values by name, unordered.
    case dictionary([String: PropertyList])
}

extension PropertyList {
    /// The value as text; `nil` for any other kind of value.
    public var string: String? { if case .string(let value) = self { value } else { nil } }
    /// The number, if it is whole and fits; `nil` for any other kind of value.
    public var int: Int? { if case .integer(let value) = self { Int(exactly: value) } else { nil } }
    /// The number, whole or not; `nil` for any other kind of value.
    public var double: Double? {
        switch self {
        case .real(let value): value
        case .integer(let value): Double(value)
        default: nil
        }
    }
    /// True or false; `nil` for any other kind of value.
    public var bool: Bool? { if case .bool(let value) = self { value } else { nil } }
    /// The instant; `nil` for any other kind of value.
    public var date: Date? { if case .date(let value) = self { value } else { nil } }
    /// The bytes; `nil` for any other kind of value.
    public var data: Data? { if case .data(let value) = self { value } else { nil } }
    /// The elements; `nil` for any other kind of value.
    public var array: [PropertyList]? { if case .array(let value) = self { value } else { nil } }
    /// The values by name; `nil` for any other kind of value.
    public var dictionary: [String: PropertyList]? { if case .dictionary(let value) = self { value } else { nil } }

    /// The value for a name; `nil` if there is none, or this is not a dictionary.
    public subscript(name: String) -> PropertyList? { dictionary?[name] }

    /// An element; `nil` past the end, or if this is not a list.
    public subscript(index: Int) -> PropertyList? {
        guard let array, array.indices.contains(index) else { return nil }
        return array[index]
    }
}

extension PropertyList: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
    ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    /// Creates a string.
    public init(stringLiteral value: String) { self = .string(value) }
    /// Creates a whole number.
    public init(integerLiteral value: Int) { self = .integer(Int128(value)) }
    /// Creates a floating-point number.
    public init(floatLiteral value: Double) { self = .real(value) }
    /// Creates a boolean.
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    /// Creates a list.
    public init(arrayLiteral elements: PropertyList...) { self = .array(elements) }
    /// Creates a dictionary; if a name is repeated, its last value is used.
    public init(dictionaryLiteral elements: (String, PropertyList)...) {
        self = .dictionary(Dictionary(elements) { $1 })
    }
}

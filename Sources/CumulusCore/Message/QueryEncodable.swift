// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A query item's value before it is written: a string, a list, or named members in order.
public indirect enum QueryValue: Sendable, Hashable, QueryEncodable {
    /// A named member of a nested value.
    public struct Member: Sendable, Hashable {
        /// The member's name.
        public let name: String
        /// The member's value.
        public let value: QueryValue

        /// Creates a member.
        public init(name: String, value: QueryValue) {
            self.name = name
            self.value = value
        }
    }

    /// One value.
    case text(String)
    /// A Boolean, written in the style ``QueryStyle/booleans``.
    case bool(Bool)
    /// Several values, written in the style ``QueryStyle/arrays``.
    case list([QueryValue])
    /// Named members, written `name[member]=value`.
    case map([Member])

    /// The value itself.
    public var queryValue: QueryValue { self }

    /// The text of a single value (`true` or `false` for a Boolean); `nil` for lists and named members.
    public var string: String? {
        switch self {
        case .text(let text): text
        case .bool(let value): value ? "true" : "false"
        case .list, .map: nil
        }
    }
}

extension [QueryValue] {
    /// Whether an element is a list or has members, so that the elements need indexes.
    var isNested: Bool { contains { $0.string == nil } }
}

/// A type that can be a value in a query.
///
/// A type with raw values or a description only needs to declare its conformance: `enum Order: String, QueryEncodable`.
public protocol QueryEncodable: Sendable {
    /// The value as it is written in a query.
    var queryValue: QueryValue { get }
}

extension QueryEncodable where Self: CustomStringConvertible {
    /// The value's description.
    public var queryValue: QueryValue { .text(description) }
}

extension QueryEncodable where Self: RawRepresentable, RawValue: QueryEncodable {
    /// The raw value.
    public var queryValue: QueryValue { rawValue.queryValue }
}

extension QueryEncodable where Self: RawRepresentable & CustomStringConvertible, RawValue: QueryEncodable {
    /// The raw value, since the description is for human readers.
    public var queryValue: QueryValue { rawValue.queryValue }
}

extension String: QueryEncodable {}
extension Substring: QueryEncodable {}
extension Int: QueryEncodable {}
extension Int8: QueryEncodable {}
extension Int16: QueryEncodable {}
extension Int32: QueryEncodable {}
extension Int64: QueryEncodable {}
extension UInt: QueryEncodable {}
extension UInt8: QueryEncodable {}
extension UInt16: QueryEncodable {}
extension UInt32: QueryEncodable {}
extension UInt64: QueryEncodable {}
extension Double: QueryEncodable {}
extension Float: QueryEncodable {}
extension Decimal: QueryEncodable {}

extension Bool: QueryEncodable {
    /// The Boolean, written in the style ``QueryStyle/booleans``.
    public var queryValue: QueryValue { .bool(self) }
}

extension UUID: QueryEncodable {
    /// The UUID in lower case.
    public var queryValue: QueryValue { .text(uuidString.lowercased()) }
}

extension Date: QueryEncodable {
    /// The instant in ISO 8601, `2026-11-21T10:00:00Z`, to the millisecond if it isn't a whole second.
    ///
    /// Outside the years 0 to 9999, the seconds since 1970 are written.
    public var queryValue: QueryValue { .text(ISO8601Date.text(self) ?? String(timeIntervalSince1970)) }
}

extension Array: QueryEncodable where Element: QueryEncodable {
    /// The elements in order.
    public var queryValue: QueryValue { .list(map(\.queryValue)) }
}

extension Dictionary: QueryEncodable where Key == String, Value: QueryEncodable {
    /// The members sorted by name, since a dictionary has no order; use a ``Query`` to keep an order.
    public var queryValue: QueryValue {
        .map(sorted { $0.key < $1.key }.map { QueryValue.Member(name: $0.key, value: $0.value.queryValue) })
    }
}

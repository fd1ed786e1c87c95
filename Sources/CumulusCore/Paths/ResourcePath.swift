// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A child's path as it is written in source code: literals are path, interpolated values are data.
///
/// In the literal parts `/` separates segments and `?` starts the child's query; escapes (`%20`) are kept. An
/// interpolated value is escaped whole, so it can't leave its segment. Parts that could lead elsewhere are refused:
/// `..`, `.`, a scheme, a backslash, `#`, control characters; so is a value that is empty, `.` or `..` and alone in its
/// segment. A refused path makes a resource whose requests throw ``CumulusError/Code/invalidPath``.
public struct ResourcePath: Sendable, ExpressibleByStringInterpolation {
    let parsed: Result<ChildPath, PathRefusal>

    /// Takes a literal.
    public init(stringLiteral text: String) {
        var parser = ChildPathParser()
        parser.appendLiteral(text)
        parsed = parser.finish()
    }

    /// Takes a literal with values in it.
    public init(stringInterpolation: StringInterpolation) {
        var parser = stringInterpolation.parser
        parsed = parser.finish()
    }

    /// Collects literal parts and values.
    public struct StringInterpolation: StringInterpolationProtocol, Sendable {
        fileprivate var parser = ChildPathParser()

        /// Prepares to collect.
        public init(literalCapacity: Int, interpolationCount: Int) {}

        /// Adds a part of the literal: path.
        public mutating func appendLiteral(_ literal: String) { parser.appendLiteral(literal) }

        /// Adds a value: data, escaped whole.
        public mutating func appendInterpolation(_ value: some CustomStringConvertible) {
            parser.appendValue(value.description)
        }

        /// Adds a value that stands for another, such as an enum's case: its raw value, escaped whole.
        public mutating func appendInterpolation<Value: RawRepresentable>(_ value: Value)
        where Value.RawValue: CustomStringConvertible {
            parser.appendValue(value.rawValue.description)
        }

        /// Adds a value's raw value, even if it has a description of its own, which is for people.
        public mutating func appendInterpolation<Value: RawRepresentable & CustomStringConvertible>(_ value: Value)
        where Value.RawValue: CustomStringConvertible {
            parser.appendValue(value.rawValue.description)
        }

        /// Adds a UUID in lower case, as RFC 9562 writes it and queries do.
        public mutating func appendInterpolation(_ value: UUID) { parser.appendValue(value.uuidString.lowercased()) }

        /// Adds a text of several segments: `/` divides, the rest is escaped.
        public mutating func appendInterpolation(path text: String) { parser.appendPath(text) }
    }
}

/// A child's path, encoded and checked.
struct ChildPath: Sendable {
    /// The segments with `/` between them, without one at either end.
    var path: String
    var endsWithSlash: Bool
    var query: Query
}

/// Why a child's path was refused.
public struct PathRefusal: Error, Sendable, Hashable, CustomStringConvertible {
    /// What was refused and why, quoting it.
    public let description: String

    init(_ description: String) { self.description = description }
}

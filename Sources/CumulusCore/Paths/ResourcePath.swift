// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A child's path in source code: literals are parts of the path, and interpolated values are data.
///
/// In the literal parts, `/` separates segments and `?` starts the child's query; escapes (`%20`) are kept. An
/// interpolated value is escaped as a whole, so it can't leave its segment. Parts that could lead elsewhere are
/// refused: `..`, `.`, a scheme, a backslash, `#`, control characters, and a value that makes up a whole segment and is
/// empty, `.` or `..`. A refused path creates a resource whose requests throw ``CumulusError/Code/invalidPath``.
public struct ResourcePath: Sendable, ExpressibleByStringInterpolation {
    let parsed: Result<ChildPath, PathRefusal>

    /// Creates a path from a literal.
    public init(stringLiteral text: String) {
        var parser = ChildPathParser()
        parser.appendLiteral(text)
        parsed = parser.finish()
    }

    /// Creates a path from a literal with interpolated values.
    public init(stringInterpolation: StringInterpolation) {
        var parser = stringInterpolation.parser
        parsed = parser.finish()
    }

    /// Collects literals and values.
    public struct StringInterpolation: StringInterpolationProtocol, Sendable {
        fileprivate var parser = ChildPathParser()

        /// Creates an empty interpolation.
        public init(literalCapacity: Int, interpolationCount: Int) {}

        /// Appends a literal part of the path.
        public mutating func appendLiteral(_ literal: String) { parser.appendLiteral(literal) }

        /// Appends a value, escaped as a whole.
        public mutating func appendInterpolation(_ value: some CustomStringConvertible) {
            parser.appendValue(value.description)
        }

        /// Appends the raw value of a value such as an enum's case, escaped as a whole.
        public mutating func appendInterpolation<Value: RawRepresentable>(_ value: Value)
        where Value.RawValue: CustomStringConvertible {
            parser.appendValue(value.rawValue.description)
        }

        /// Appends a value's raw value, even if it has its own description, which is for human readers.
        public mutating func appendInterpolation<Value: RawRepresentable & CustomStringConvertible>(_ value: Value)
        where Value.RawValue: CustomStringConvertible {
            parser.appendValue(value.rawValue.description)
        }

        /// Appends a UUID in lower case, as in RFC 9562 and in queries.
        public mutating func appendInterpolation(_ value: UUID) { parser.appendValue(value.uuidString.lowercased()) }

        /// Appends a string of several segments: `/` separates them, and everything else is escaped.
        public mutating func appendInterpolation(path text: String) { parser.appendPath(text) }
    }
}

/// A child's path, encoded and checked.
struct ChildPath: Sendable {
    /// The segments separated by `/`, without one at either end.
    var path: String
    var endsWithSlash: Bool
    var query: Query
    /// Whether all of it is a literal in source code.
    var isLiteral = false
}

/// The reason why a child's path was refused.
public struct PathRefusal: Error, Sendable, Hashable, CustomStringConvertible {
    /// The refused text, and the reason.
    public let description: String

    init(_ description: String) { self.description = description }
}

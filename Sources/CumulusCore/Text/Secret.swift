// SPDX-License-Identifier: Apache-2.0

/// A value that never prints itself: passwords and tokens.
public struct Secret<Value: Sendable>: Sendable {
    /// The value itself; whoever reads it answers for where it goes.
    public let revealed: Value

    /// Wraps a value.
    public init(_ value: Value) { revealed = value }
}

extension Secret: Equatable where Value: Equatable {}
extension Secret: Hashable where Value: Hashable {}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Always the same word.
    public var description: String { "<redacted>" }
    /// Always the same word.
    public var debugDescription: String { "<redacted>" }
    /// Shows nothing of the value to `dump`.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension Secret: ExpressibleByUnicodeScalarLiteral where Value == String {
    /// Wraps a literal.
    public init(unicodeScalarLiteral value: String) { self.init(value) }
}

extension Secret: ExpressibleByExtendedGraphemeClusterLiteral where Value == String {
    /// Wraps a literal.
    public init(extendedGraphemeClusterLiteral value: String) { self.init(value) }
}

extension Secret: ExpressibleByStringLiteral where Value == String {
    /// Wraps a literal.
    public init(stringLiteral value: String) { self.init(value) }
}

// SPDX-License-Identifier: Apache-2.0

/// A value that never prints itself: passwords and tokens.
public struct Secret<Value: Sendable>: Sendable {
    /// The value itself; code that reads it is responsible for it.
    public let revealed: Value

    /// Wraps a value.
    public init(_ value: Value) { revealed = value }
}

extension Secret: Equatable where Value: Equatable {}
extension Secret: Hashable where Value: Hashable {}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Always `<redacted>`.
    public var description: String { "<redacted>" }
    /// Always `<redacted>`.
    public var debugDescription: String { "<redacted>" }
    /// Hides the value from `dump`.
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

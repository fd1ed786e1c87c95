// SPDX-License-Identifier: Apache-2.0

/// A value that never prints itself: passwords and tokens.
public struct Secret<Value: Sendable>: Sendable {
    /// The value itself; code that reads it is responsible for it.
    public let revealed: Value

    /// Wraps a value.
    public init(_ value: Value) { revealed = value }
}

extension Secret: Equatable where Value: Equatable {
    /// Whether two secrets are equal.
    ///
    /// Strings are compared by their bytes, in a time that doesn't reveal where they differ.
    public static func == (left: Secret, right: Secret) -> Bool {
        guard let one = left.revealed as? String, let other = right.revealed as? String else {
            return left.revealed == right.revealed
        }
        return SecretComparison.areEqual(one, other)
    }
}

extension Secret where Value == String {
    /// Whether a string equals the secret.
    ///
    /// Their bytes are compared in a time that doesn't reveal where they differ.
    public static func == (left: Secret, right: String) -> Bool { SecretComparison.areEqual(left.revealed, right) }

    /// Whether a string equals the secret.
    ///
    /// Their bytes are compared in a time that doesn't reveal where they differ.
    public static func == (left: String, right: Secret) -> Bool { SecretComparison.areEqual(left, right.revealed) }

    /// Whether a string differs from the secret.
    public static func != (left: Secret, right: String) -> Bool { !(left == right) }

    /// Whether a string differs from the secret.
    public static func != (left: String, right: Secret) -> Bool { !(left == right) }
}

/// Compares texts in a time that only tells their lengths.
enum SecretComparison {
    static func areEqual(_ left: String, _ right: String) -> Bool {
        var (left, right) = (left, right)
        return left.withUTF8 { left in
            right.withUTF8 { right in
                guard left.count == right.count else { return false }
                var difference: UInt8 = 0
                for index in left.indices { difference |= left[index] ^ right[index] }
                return difference == 0
            }
        }
    }
}

extension Secret: Hashable where Value: Hashable {}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The text `<redacted>`.
    public var description: String { "<redacted>" }
    /// The text `<redacted>`.
    public var debugDescription: String { "<redacted>" }
    /// An empty mirror, which hides the value from `dump`.
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

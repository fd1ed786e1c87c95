// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives

/// A value that could not be read from a service's data, or written to it: the field, its path, and the reason.
public struct FieldProblem: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kinds of problem.
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum Kind: Sendable, Hashable {
        /// The value at the path, or for the key, is missing.
        case missing
        /// A transform refused the value.
        case transform
        /// A value on the path is neither an object nor an array.
        case shape
        /// A path is invalid.
        case path
        /// A map's description is invalid, or names an unknown transform.
        case mapDescription
    }

    /// The kind.
    public let kind: Kind
    /// The field's key in your type; in a nested map, preceded by the outer keys: `author.name`.
    public let key: String
    /// The value's path in the data, in the same form.
    public let path: String
    /// A description of the problem, without the value.
    public let reason: String

    /// Creates a problem.
    public init(_ kind: Kind, key: String, path: String, _ reason: String) {
        self.kind = kind
        self.key = key
        self.path = path
        self.reason = reason
    }

    /// The key, path and reason.
    public var description: String {
        let place = [key.isEmpty ? nil : "the field \"\(key)\"", path.isEmpty ? nil : "at \"\(path)\""]
        let text = place.compactMap(\.self).joined(separator: " ") + (key.isEmpty && path.isEmpty ? "" : ": ") + reason
        return PeerText.printable(text, limit: PeerText.longestMessage)
    }
}

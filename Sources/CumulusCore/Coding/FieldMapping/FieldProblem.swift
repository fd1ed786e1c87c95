// SPDX-License-Identifier: Apache-2.0

/// Why a ``FieldMap`` could not carry a value over: which field, where it was looked for, and what was wrong.
public struct FieldProblem: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kinds of problem.
    public enum Kind: Sendable, Hashable {
        /// There is no value at the path, or none for the key.
        case missing
        /// A transform refused the value.
        case transform
        /// Something of another kind stands where an object or an array must be.
        case shape
        /// A path can't be read.
        case path
        /// A map's description is none, or names a transform that there is not.
        case mapDescription
    }

    /// The kind.
    public let kind: Kind
    /// The field's key in your type; of a map inside a map, with the outer keys before it: `author.name`.
    public let key: String
    /// Where the value is in the data, in the same way.
    public let path: String
    /// What was wrong, in words, without the value.
    public let reason: String

    init(_ kind: Kind, key: String, path: String, _ reason: String) {
        self.kind = kind
        self.key = key
        self.path = path
        self.reason = reason
    }

    /// Key, path and reason.
    public var description: String {
        let place = [key.isEmpty ? nil : "the field \"\(key)\"", path.isEmpty ? nil : "at \"\(path)\""]
        let text = place.compactMap(\.self).joined(separator: " ") + (key.isEmpty && path.isEmpty ? "" : ": ") + reason
        return PeerText.printable(text, limit: PeerText.longestMessage)
    }

    /// The same problem, seen from the map around.
    func inside(key outer: String, path outerPath: String) -> FieldProblem {
        FieldProblem(
            kind,
            key: [outer, key].filter { !$0.isEmpty }.joined(separator: "."),
            path: [outerPath, path].filter { !$0.isEmpty }.joined(separator: "."),
            reason
        )
    }
}

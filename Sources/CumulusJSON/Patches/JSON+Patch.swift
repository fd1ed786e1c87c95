// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives

// JSON Patch (RFC 6902).

extension JSON {
    /// Applies a JSON patch to this value (RFC 6902): all of its operations, or none.
    ///
    /// - Parameter patch: An array of operations.
    /// - Returns: The changed value.
    /// - Throws: ``JSONPatchProblem`` for an operation that can't be applied, and for a `test` that fails.
    public func applying(patch: JSON) throws(JSONPatchProblem) -> JSON {
        guard let operations = patch.array else { throw JSONPatchProblem("a JSON patch is an array of operations") }
        var tree = JSONPatchTree(self)
        for (number, operation) in operations.enumerated() {
            do throws(JSONPatchProblem) {
                try operation.apply(to: &tree)
            } catch {
                throw JSONPatchProblem("operation \(number) of the JSON patch: \(error.reason)")
            }
        }
        return try tree.value()
    }

    private func apply(to tree: inout JSONPatchTree) throws(JSONPatchProblem) {
        let path = try pointer("path")
        switch self["op"].string {
        case "add": try tree.add(try newValue(), at: path)
        case "remove": try tree.remove(at: path)
        case "replace": try tree.replace(at: path, with: try newValue())
        case "move": try tree.move(from: try pointer("from"), to: path)
        case "copy": try tree.copy(from: try pointer("from"), to: path)
        case "test":
            guard try tree.value(at: path) == newValue() else { throw JSONPatchProblem("the test failed") }
        case let name: throw JSONPatchProblem("\"\(name ?? "")\" is not an operation")
        }
    }

    private func newValue() throws(JSONPatchProblem) -> JSON {
        guard let value = object?["value"] else { throw JSONPatchProblem("it has no value") }
        return value
    }

    private func pointer(_ member: String) throws(JSONPatchProblem) -> [String] {
        guard let text = self[member].string, let names = JSONPointer.names(text) else {
            throw JSONPatchProblem("its \"\(member)\" is not a JSON Pointer")
        }
        return names
    }
}

/// The reason why one JSON value can't be changed into another, and the operation that failed.
public struct JSONPatchProblem: Error, Sendable, Hashable, CustomStringConvertible {
    /// The problem, with its path.
    public let reason: String

    init(_ reason: String) { self.reason = reason }

    /// The problem, with its path.
    public var description: String { PeerText.printable(reason, limit: PeerText.longestMessage) }
}

// SPDX-License-Identifier: Apache-2.0

/// Why one JSON value can't be changed into another: which operation, and what was wrong.
public struct JSONPatchProblem: Error, Sendable, Hashable, CustomStringConvertible {
    /// What was wrong, with the path.
    public let reason: String

    init(_ reason: String) { self.reason = reason }

    /// What was wrong, with the path.
    public var description: String { PeerText.printable(reason, limit: PeerText.longestMessage) }
}

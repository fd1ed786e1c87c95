// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives

/// Why one JSON value can't be changed into another: the operation, and the reason.
public struct JSONPatchProblem: Error, Sendable, Hashable, CustomStringConvertible {
    /// The problem, with its path.
    public let reason: String

    init(_ reason: String) { self.reason = reason }

    /// The problem, with its path.
    public var description: String { PeerText.printable(reason, limit: PeerText.longestMessage) }
}

// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives

/// A line that could not be decoded, or is too long: the `cause` of a ``CumulusError``, or of its ``DecodingProblem``.
public struct LineProblem: Error, Sendable, CustomStringConvertible {
    /// The line's number, from 1.
    public let line: Int
    /// The underlying error.
    public let cause: any Error
    /// The byte offset in the body, if it is in memory, from 0.
    public let offset: Int

    init(line: Int, cause: any Error, offset: Int = 0) {
        self.line = line
        self.cause = cause
        self.offset = offset
    }

    /// The line and the cause.
    public var description: String {
        // A parser of a line counts from that line's start.
        guard let error = cause as? JSON.ParsingError else {
            return "line \(line): \(PeerText.printable("\(cause)", limit: PeerText.longestMessage))"
        }
        return "line \(line), column \(error.column): \(error.reason.rawValue)"
    }
}

extension LineProblem: LocatedProblem {}

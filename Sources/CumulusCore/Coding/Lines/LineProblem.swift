// SPDX-License-Identifier: Apache-2.0

/// A line that could not be decoded, or is too long: the `cause` of a ``CumulusError``, or of its ``DecodingProblem``.
public struct LineProblem: Error, Sendable, CustomStringConvertible {
    /// Which line, counted from 1.
    public let line: Int
    /// What was wrong with it.
    public let cause: any Error
    /// The place in the body, where it is in memory.
    let offset: Int

    init(line: Int, cause: any Error, offset: Int = 0) {
        self.line = line
        self.cause = cause
        self.offset = offset
    }

    /// Line and cause.
    public var description: String {
        // A line's own parser counts from its start.
        guard let error = cause as? JSON.ParsingError else {
            return "line \(line): \(PeerText.printable("\(cause)", limit: PeerText.longestMessage))"
        }
        return "line \(line), column \(error.column): \(error.reason.rawValue)"
    }
}

extension LineProblem: LocatedProblem {}

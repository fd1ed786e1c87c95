// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives

/// A line or a value of a stream that could not be decoded or is too long: the ``CumulusError/cause`` of the error that
/// the stream throws, or the cause of that error's ``DecodingProblem``.
///
/// It is never thrown directly: `catch let error as CumulusError where error.cause is LineProblem`.
public struct LineProblem: Error, Sendable, CustomStringConvertible {
    /// The number of the line, or of the line on which the value begins, counted from 1.
    public let line: Int
    /// The number of the value, counted from 1, in a JSON text sequence or in concatenated JSON; `nil` for lines.
    public let value: Int?
    /// The underlying error.
    public let cause: any Error
    /// At most 256 bytes of the line or the value as text, around the problem if its position is known, otherwise from
    /// its beginning.
    public let excerpt: Secret<String>
    /// The byte offset in the body, if it is in memory, counted from 0.
    public let offset: Int

    init(line: Int, value: Int? = nil, cause: any Error, in text: ByteChunk, offset: Int = 0) {
        self.line = line
        self.value = value
        self.cause = cause
        self.offset = offset
        let decoding = cause as? DecodingProblem
        excerpt =
            decoding?.excerpt
            ?? DecodingProblem.excerpt(of: text, near: (cause as? any LocatedProblem)?.offset ?? 0)
    }

    /// The line, the value's number if there is one, and the cause.
    public var description: String {
        // A parser of a line counts from that line's start.
        if let error = cause as? JSON.ParsingError {
            return "line \(line), column \(error.column): \(error.reason.rawValue)"
        }
        let reason = PeerText.printable("\(cause)", limit: PeerText.longestMessage)
        return value.map { "value \($0) (line \(line)): \(reason)" } ?? "line \(line): \(reason)"
    }
}

extension LineProblem: LocatedProblem {}

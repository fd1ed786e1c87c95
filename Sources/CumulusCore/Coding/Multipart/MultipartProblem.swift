// SPDX-License-Identifier: Apache-2.0

/// Why parts could not be written or read.
///
/// It is the ``CumulusError/cause`` of the error that a call throws, or for a body that failed while it was sent the
/// cause of that error's `TransportFailure`.
public struct MultipartProblem: Error, Sendable, CustomStringConvertible {
    /// The kinds of problem.
    public enum Kind: Sendable, Hashable {
        /// The boundary is not a boundary as defined by RFC 2046 section 5.1.1, or there is none.
        case boundary
        /// A part's name, file name or header can't be sent, or was received malformed.
        case header
        /// A part's file can't be read, or is not a regular file.
        case file
        /// A part's file is shorter or longer than it was when the request began.
        case fileChanged
        /// A part's stream gave more or fewer bytes than it announced.
        case length
        /// The body is not called multipart.
        case notMultipart
        /// No boundary line was found.
        case missingStart
        /// The body ended before the line that ends the last part.
        case missingEnd
        /// More parts, longer headers or a longer part than ``MultipartLimits`` allow.
        case tooLarge
        /// The parts are being read by two at once, or a part was read after the next one had begun.
        case invalidUse
    }

    /// The kind.
    public let kind: Kind
    /// The part that it is about, counted from 0, where it is about one.
    public let part: Int?
    /// What was wrong, in words.
    public let reason: String

    init(_ kind: Kind, part: Int? = nil, _ reason: String) {
        self.kind = kind
        self.part = part
        self.reason = PeerText.printable(reason, limit: PeerText.longestMessage)
    }

    /// The part, where it is about one, and what was wrong.
    public var description: String { part.map { "part \($0): \(reason)" } ?? reason }
}

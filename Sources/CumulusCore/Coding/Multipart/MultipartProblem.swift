// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives

/// The reason why multipart content could not be written or read.
///
/// It is the ``CumulusError/cause`` of the call's error; for a body that failed while it was sent, it is the cause of
/// that error's `TransportFailure`.
public struct MultipartProblem: Error, Sendable, CustomStringConvertible {
    /// The kinds of problem.
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum Kind: Sendable, Hashable {
        /// The boundary is not a boundary as defined by RFC 2046 section 5.1.1, or it is missing.
        case boundary
        /// A part's name, file name or header can't be sent, or was received malformed.
        case header
        /// A part's file can't be read, or is not a regular file.
        case file
        /// A part's file is shorter or longer than it was when the request began.
        case fileChanged
        /// A part's stream produced more or fewer bytes than it announced.
        case length
        /// The body's media type is not multipart.
        case notMultipart
        /// No boundary line was found.
        case missingStart
        /// The body ended before the last boundary line.
        case missingEnd
        /// The body has more parts, longer headers or a longer part than ``MultipartLimits`` allow.
        case tooLarge
        /// The parts were read concurrently, or a part was read after the next one had begun.
        case invalidUse
    }

    /// The kind.
    public let kind: Kind
    /// The index of the part, counted from 0; `nil` if the problem doesn't concern a particular part.
    public let part: Int?
    /// A description of the problem.
    public let reason: String

    init(_ kind: Kind, part: Int? = nil, _ reason: String) {
        self.kind = kind
        self.part = part
        self.reason = PeerText.printable(reason, limit: PeerText.longestMessage)
    }

    /// The part, if any, and the problem.
    public var description: String { part.map { "part \($0): \(reason)" } ?? reason }
}

/// Limits for reading a multipart body.
public struct MultipartLimits: Sendable, Hashable {
    /// The maximum number of parts.
    ///
    /// Default: 10,000.
    public var parts = 10_000
    /// The maximum size of a part's header, in bytes.
    ///
    /// Default: 16 KiB.
    public var headerSize = 16_384
    /// The maximum size of a part's content in memory, in bytes.
    ///
    /// Default: 100 MB.
    public var partSize = 100_000_000

    /// Creates the default limits.
    public init() {}
}

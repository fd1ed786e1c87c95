// SPDX-License-Identifier: Apache-2.0

import NIOCore

/// What the parser found next in the bytes of a response.
enum HTTP1ResponseEvent: Sendable {
    /// A 1xx response; the final one follows.
    case informational(HTTP1ResponseHead)
    /// The final response's head, with the length of its body where that is known.
    case head(HTTP1ResponseHead, length: Int64?)
    /// Bytes of the body, a slice of what was received.
    case content(ByteBuffer)
    /// The response is complete; trailers if any arrived that a trailer may carry.
    case end(trailers: HTTP1FieldSection?)
}

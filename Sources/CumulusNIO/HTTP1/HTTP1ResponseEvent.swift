// SPDX-License-Identifier: Apache-2.0

import NIOCore

/// The next element that the parser found in the bytes of a response.
enum HTTP1ResponseEvent: Sendable {
    /// A 1xx response; the final one follows.
    case informational(HTTP1ResponseHead)
    /// The final response's head, with the length of its body if that is known.
    case head(HTTP1ResponseHead, length: Int64?)
    /// Bytes of the body, a slice of the received ones.
    case content(ByteBuffer)
    /// The response is complete; with trailers if there were any allowed ones.
    case end(trailers: HTTP1FieldSection?)
}

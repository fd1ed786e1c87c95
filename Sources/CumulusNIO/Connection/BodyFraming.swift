// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import NIOCore

/// The framing of a streamed body's pieces; it enforces the declared length.
enum BodyFraming {
    /// Chunks, or nothing if the length is known.
    case http1(HTTP1RequestWriter)
    /// Nothing: the frames are made where the flow is controlled.
    case http2(HTTP2BodyMeter)

    /// Whether as many bytes were written as declared; false if no length was declared.
    var isWhole: Bool {
        switch self {
        case .http1(let writer): writer.isBodyWhole
        case .http2(let meter): meter.isWhole
        }
    }

    /// Writes the framing before a piece of the body.
    mutating func writePrefix(ofPiece count: Int, into buffer: inout ByteBuffer) throws(HTTP1RequestError) {
        switch self {
        case .http1(var writer):
            try writer.writePrefix(ofPiece: count, into: &buffer)
            self = .http1(writer)
        case .http2(var meter):
            try meter.add(count)
            self = .http2(meter)
        }
    }

    /// Writes the end of the body; in HTTP/2 the trailers are only checked.
    mutating func writeEnd(
        trailers: HTTPFields? = nil,
        into buffer: inout ByteBuffer
    ) throws(HTTP1RequestError) {
        switch self {
        case .http1(var writer):
            try writer.writeEnd(trailers: trailers, into: &buffer)
            self = .http1(writer)
        case .http2(let meter):
            try meter.end()
            if let trailers { try HTTP2RequestTrailers.check(trailers) }
        }
    }
}

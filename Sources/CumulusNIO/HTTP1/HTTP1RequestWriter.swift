// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import NIOCore

/// Writes requests for one HTTP/1.1 connection: the head, then the framing around the body's pieces.
///
/// A state machine without I/O. It checks everything that it writes, and that a body has its
/// declared length; the body's own bytes don't pass through it.
struct HTTP1RequestWriter {
    /// The body's length, as far as it is known before it is sent.
    enum BodyLength: Hashable, Sendable {
        /// No body.
        case none
        /// The given number of bytes, announced with Content-Length.
        case fixed(Int64)
        /// Unknown: sent in chunks.
        case unknown
    }

    /// The form of the target in the request line (RFC 9112 section 3.2).
    enum TargetForm: Hashable, Sendable {
        /// Path and query: to the server itself.
        case origin
        /// A whole URL of plain HTTP: to a proxy that forwards the request.
        case absolute
        /// Host and port only: to a proxy that opens a tunnel.
        case authority
    }

    /// The parts of a request's head.
    struct Head: Sendable {
        /// The method: a token, sent unchanged.
        var method: String
        /// A path with its query, or `*`; unused in authority-form.
        var target: String
        /// The form of the target in the request line.
        var form = TargetForm.origin
        /// The value of Host, unless the fields have one.
        var host: String
        /// The value of Proxy-Authorization, only for a proxy; the fields' own is never sent.
        var proxyAuthorization: String?
        /// The fields, except for those that frame the body.
        var fields: HTTPFields
        /// The body's length.
        var body: BodyLength
        /// Whether to ask for the server's permission before the body (RFC 9110 section 10.1.1).
        var expectsContinue = false

        /// A request to a proxy for a tunnel, always with the port (RFC 9110 section 9.3.6).
        static func connect(host: String, port: Int) -> Head {
            let place = "\(host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]" : host):\(port)"
            return Head(method: "CONNECT", target: "", form: .authority, host: place, fields: [:], body: .none)
        }
    }

    /// The connection options of the fields.
    struct Traits: Hashable, Sendable {
        /// `Connection: close` was among the fields.
        var asksToClose = false
        /// `Upgrade` was among the fields.
        var asksToUpgrade = false
        /// The `Host` among the fields.
        var host: String?
    }

    private enum State {
        /// Between requests. Left by `writeHead`.
        case idle
        /// A body of known length. Left by `writeEnd`.
        case fixed(declared: Int64, remaining: Int64)
        /// A body in chunks. Left by `writeEnd`.
        case chunked(isFirst: Bool)
    }

    private var state = State.idle

    /// Whether a body of declared length has all its bytes, although its end was not written yet.
    var isBodyWhole: Bool {
        if case .fixed(_, remaining: 0) = state { true } else { false }
    }

    /// Writes the request line and the fields.
    mutating func writeHead(
        _ head: Head,
        into buffer: inout ByteBuffer
    ) throws(HTTP1RequestError) -> Traits {
        let start = buffer.writerIndex
        do {
            let traits = try HTTP1RequestHeadRenderer.render(head, into: &buffer)
            state =
                switch head.body {
                case .none: .fixed(declared: 0, remaining: 0)
                case .fixed(let length): .fixed(declared: length, remaining: length)
                case .unknown: .chunked(isFirst: true)
                }
            return traits
        } catch {
            // A partial head must not be completed by the next request.
            buffer.moveWriterIndex(to: start)
            throw error
        }
    }

    /// Writes the framing before a piece of the body; its bytes must follow unchanged.
    mutating func writePrefix(
        ofPiece count: Int,
        into buffer: inout ByteBuffer
    ) throws(HTTP1RequestError) {
        switch state {
        case .idle:
            throw .bodyTooLong(declared: 0)
        case .fixed(let declared, let remaining):
            guard Int64(count) <= remaining else { throw .bodyTooLong(declared: declared) }
            state = .fixed(declared: declared, remaining: remaining - Int64(count))
        case .chunked(let isFirst):
            // An empty chunk would end the body.
            if count == 0 { return }
            if !isFirst { buffer.writeStaticString("\r\n") }
            buffer.writeString(String(count, radix: 16))
            buffer.writeStaticString("\r\n")
            state = .chunked(isFirst: false)
        }
    }

    /// Writes the end of the body.
    mutating func writeEnd(
        trailers: HTTPFields? = nil,
        into buffer: inout ByteBuffer
    ) throws(HTTP1RequestError) {
        switch state {
        case .idle:
            return
        case .fixed(let declared, let remaining):
            if remaining > 0 { throw .bodyTooShort(declared: declared, missing: remaining) }
            if let trailers, !trailers.isEmpty { throw .trailersWithoutChunks }
        case .chunked(let isFirst):
            let start = buffer.writerIndex
            if !isFirst { buffer.writeStaticString("\r\n") }
            buffer.writeStaticString("0\r\n")
            do {
                if let trailers { try HTTP1RequestHeadRenderer.renderTrailers(trailers, into: &buffer) }
            } catch {
                buffer.moveWriterIndex(to: start)
                throw error
            }
            buffer.writeStaticString("\r\n")
        }
        state = .idle
    }
}

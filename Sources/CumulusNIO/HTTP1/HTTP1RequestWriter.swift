// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import NIOCore

/// Writes requests for one HTTP/1.1 connection: the head, then the framing around the body's pieces.
///
/// A state machine without I/O. It checks all that it writes (T-26, T-27, T-29), and that a body has the length it
/// was declared with; the body's own bytes don't pass through it.
struct HTTP1RequestWriter {
    /// What is known of the body's length before it is sent.
    enum BodyLength: Hashable, Sendable {
        /// No body.
        case none
        /// That many bytes, announced by Content-Length.
        case fixed(Int64)
        /// Not known: sent in chunks.
        case unknown
    }

    /// How the request line names the target (RFC 9112 section 3.2).
    enum TargetForm: Hashable, Sendable {
        /// By its path and query: to the server itself.
        case origin
        /// By a whole URL, of plain HTTP: to a proxy that passes the request on.
        case absolute
        /// By the host and the port alone: to a proxy that opens a tunnel.
        case authority
    }

    /// The parts of a request's head.
    struct Head: Sendable {
        /// A token, sent as it is.
        var method: String
        /// A path with its query, or `*`; nothing in authority-form.
        var target: String
        /// What of it follows the method, and what stands before it.
        var form = TargetForm.origin
        /// The value of Host, unless the fields have one.
        var host: String
        /// The value of Proxy-Authorization, for a proxy alone; the fields' own is never sent (T-50).
        var proxyAuthorization: String?
        /// The fields apart from those that frame the body.
        var fields: HTTPFields
        /// What is known of the body.
        var body: BodyLength
        /// Whether to ask for the server's word before the body (RFC 9110 section 10.1.1).
        var expectsContinue = false

        /// Asks a proxy for a tunnel: always with the port (RFC 9110 section 9.3.6).
        static func connect(host: String, port: Int) -> Head {
            let place = "\(host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]" : host):\(port)"
            return Head(method: "CONNECT", target: "", form: .authority, host: place, fields: [:], body: .none)
        }
    }

    /// What the fields said about the connection.
    struct Traits: Hashable, Sendable {
        /// `Connection: close` was among the fields.
        var asksToClose = false
        /// `Upgrade` was among the fields.
        var asksToUpgrade = false
        /// The `Host` among the fields.
        var host: String?
    }

    private enum State {
        /// Between requests. Leaves by `writeHead`.
        case idle
        /// A body of known length. Leaves by `writeEnd`.
        case fixed(declared: Int64, remaining: Int64)
        /// A body in chunks. Leaves by `writeEnd`.
        case chunked(isFirst: Bool)
    }

    private var state = State.idle

    /// Whether a body of declared length has all its bytes, though its end was not written yet.
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
            // Half a head must not stay for the next request to complete.
            buffer.moveWriterIndex(to: start)
            throw error
        }
    }

    /// Writes what precedes a piece of the body; its bytes are to follow unchanged.
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

    /// Writes what ends the body.
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

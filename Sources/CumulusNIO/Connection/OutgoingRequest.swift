// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import HTTPTypes
import NIOCore

/// A request in its wire form: the rendered head, followed by a small body, or with a larger one still to send.
///
/// Made on the caller's thread, so that a request that can't be written never gets as far as a connection.
struct OutgoingRequest {
    /// The part after the rendered bytes.
    enum Remainder {
        case nothing
        case bytes(ByteBuffer)
        case file(FileBody)
        case stream(StreamBody)
    }

    /// The route, which determines how the head names its target.
    let route: Route
    /// The head, together with a small body.
    let start: ByteBuffer
    /// The part of the body that is not in `start`.
    let remainder: Remainder
    /// Frames the remainder.
    let writer: HTTP1RequestWriter
    /// The connection options in the fields.
    let traits: HTTP1RequestWriter.Traits
    /// How the response will be framed.
    let kind: HTTP1RequestKind
    /// How long the remainder waits for the server's permission.
    let continueWait: Duration?
    /// The version of HTTP, as far as the request determines it.
    let version: HTTPVersion
    /// The size of the head in HTTP/2, if it is more than ``HTTP2HeadSizes/small``.
    let largeHead: Int?

    /// Whether a part of the body is not in the rendered bytes.
    var hasRemainder: Bool { if case .nothing = remainder { false } else { true } }

    /// Whether writing the rendered bytes to a plain connection is all that is needed.
    var isBrief: Bool {
        if case .nothing = remainder, version == .http1 { continueWait == nil } else { false }
    }

    /// Bodies up to this size are written together with the head.
    private static let inlineLimit = 16 * 1024

    /// Renders the head for its route.
    init(_ request: borrowing TransportRequest, route: Route = .direct) throws(TransportFailure) {
        var writer = HTTP1RequestWriter()
        var buffer = ByteBufferAllocator().buffer(capacity: 512)
        // Without a body there is nothing to wait for.
        let continueWait = request.body.length == 0 ? nil : request.expectsContinue
        // Assembled at the end: values that are read while they are being made would be copied.
        let traits: HTTP1RequestWriter.Traits
        let remainder: Remainder
        let headBytes: Int
        do throws(HTTP1RequestError) {
            let (method, target) = (request.method.rawValue, request.target)
            // Tunnels are set up by the proxy's handshake, not by an exchange.
            if method == "CONNECT" { throw .malformedMethod }
            // RFC 9112 section 3.2: the route determines the other forms; a caller's own would be ambiguous.
            if target.utf8.first != UInt8(ascii: "/"), method != "OPTIONS" || target != "*" { throw .malformedTarget }
            traits = try writer.writeHead(
                HTTP1RequestWriter.Head(
                    method: method,
                    target: target,
                    form: route.form(for: request.origin),
                    host: request.origin.authority,
                    proxyAuthorization: route.isDirect ? nil : route.authorization(for: request.origin),
                    fields: request.headers,
                    body: try Self.length(ofBodyIn: request),
                    expectsContinue: continueWait != nil
                ),
                into: &buffer
            )
            if let host = traits.host, !HostField.isHost(host) { throw .malformedHost }
            headBytes = buffer.readableBytes
            let inlineLimit = continueWait == nil ? Self.inlineLimit : 0
            remainder = try Self.remainder(of: request.body, upTo: inlineLimit, &writer, &buffer)
        } catch {
            throw TransportFailure(.invalidRequest, error.description, cause: error)
        }
        self.route = route
        self.start = buffer
        self.remainder = remainder
        self.writer = writer
        self.traits = traits
        kind = request.method == .head ? .head : traits.asksToUpgrade ? .upgrade : .ordinary
        self.continueWait = continueWait
        // Without TLS there is no ALPN, and HTTP/2 has no upgrade (RFC 9113 section 8.6).
        let isHTTP1 = request.origin.scheme == .http || traits.asksToUpgrade
        version = request.httpVersion == .automatic && isHTTP1 ? .http1 : request.httpVersion
        largeHead = version == .http1 ? nil : Self.largeHead(of: request, headBytes, host: traits.host)
    }

    private static func largeHead(of request: borrowing TransportRequest, _ headBytes: Int, host: String?) -> Int? {
        // HTTP/2 counts 32 more bytes for each field; five of them are not in the request's fields.
        if headBytes + 32 * (request.headers.count + 5) <= HTTP2HeadSizes.small { return nil }
        let size = HTTP2RequestHead.size(of: request, host: host)
        return size > HTTP2HeadSizes.small ? size : nil
    }

    private static func length(
        ofBodyIn request: borrowing TransportRequest
    ) throws(HTTP1RequestError) -> HTTP1RequestWriter.BodyLength {
        switch request.body {
        case .none: return .none
        case .bytes(let chunk): return .fixed(Int64(chunk.count))
        case .file(let file):
            let isOverflowing = file.offset.addingReportingOverflow(file.length).overflow
            if file.offset < 0 || file.length < 0 || isOverflowing { throw .malformedLength }
            return .fixed(file.length)
        case .stream(let stream):
            guard let length = stream.length else {
                if stream.trailers != nil { try HTTP1RequestHeadRenderer.checkTrailers(announcedBy: request.headers) }
                return .unknown
            }
            if length < 0 { throw .malformedLength }
            return .fixed(length)
        }
    }

    private static func remainder(
        of body: RequestBody,
        upTo inlineLimit: Int,
        _ writer: inout HTTP1RequestWriter,
        _ buffer: inout ByteBuffer
    ) throws(HTTP1RequestError) -> Remainder {
        switch body {
        case .none:
            try writer.writeEnd(into: &buffer)
            return .nothing
        case .bytes(let chunk) where chunk.count <= inlineLimit:
            try writer.writePrefix(ofPiece: chunk.count, into: &buffer)
            chunk.withUnsafeBytes { _ = buffer.writeBytes($0) }
            try writer.writeEnd(into: &buffer)
            return .nothing
        case .bytes(let chunk):
            return .bytes(chunk.byteBuffer)
        case .file(let file):
            return .file(file)
        case .stream(let stream):
            return .stream(stream)
        }
    }
}

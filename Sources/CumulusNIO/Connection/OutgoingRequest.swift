// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import HTTPTypes
import NIOCore

/// A request as it goes on the wire: the head rendered, a small body right behind it, a larger one still to come.
///
/// Made on the caller's thread, so that a request that can't be written never gets as far as a connection.
struct OutgoingRequest {
    /// What follows the rendered bytes.
    enum Remainder {
        case nothing
        case bytes(ByteBuffer)
        case file(FileBody)
        case stream(StreamBody)
    }

    /// By which way it goes, which decides how the head names its target.
    let route: Route
    /// The head, and a small body with it.
    let start: ByteBuffer
    /// The body as far as it is not in `start`.
    let remainder: Remainder
    /// Frames the remainder.
    let writer: HTTP1RequestWriter
    /// What the fields say about the connection.
    let traits: HTTP1RequestWriter.Traits
    /// How the response will be framed.
    let kind: HTTP1RequestKind
    /// How long the remainder waits for the server's word that it is wanted.
    let continueWait: Duration?
    /// The version of HTTP to use, as far as the request decides it.
    let version: HTTPVersion

    /// Whether a plain connection needs only the rendered bytes to be written.
    var isBrief: Bool {
        if case .nothing = remainder, version == .http1 { continueWait == nil } else { false }
    }

    /// Bodies up to this size travel in one write with the head.
    private static let inlineLimit = 16 * 1024

    /// Renders the head, for the way it goes.
    init(_ request: TransportRequest, route: Route = .direct) throws(TransportFailure) {
        var writer = HTTP1RequestWriter()
        var buffer = ByteBufferAllocator().buffer(capacity: 512)
        // Nothing to wait with if there is no body.
        let continueWait = request.body.length == 0 ? nil : request.expectsContinue
        // Put together at the end: what is read while it is made would be copied.
        let traits: HTTP1RequestWriter.Traits
        let remainder: Remainder
        do throws(HTTP1RequestError) {
            let method = request.method.rawValue
            // A tunnel is the business of a proxy set-up, not of an exchange.
            if method == "CONNECT" { throw .malformedMethod }
            // RFC 9112 section 3.2: other forms are made here, by the route; a caller's own could be read otherwise.
            let isWholeServer = method == "OPTIONS" && request.target == "*"
            if request.target.utf8.first != UInt8(ascii: "/"), !isWholeServer { throw .malformedTarget }
            traits = try writer.writeHead(
                HTTP1RequestWriter.Head(
                    method: method,
                    target: request.target,
                    form: route.form(for: request.origin),
                    host: request.origin.authority,
                    proxyAuthorization: route.isDirect ? nil : route.authorization(for: request.origin),
                    fields: request.headers,
                    body: try Self.length(of: request.body),
                    expectsContinue: continueWait != nil
                ),
                into: &buffer
            )
            if let host = traits.host, !HostField.isHost(host) { throw .malformedHost }
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
        // Without TLS there is nothing to agree by, and HTTP/2 knows no upgrade (RFC 9113 section 8.6).
        let isHTTP1 = request.origin.scheme == .http || traits.asksToUpgrade
        version = request.httpVersion == .automatic && isHTTP1 ? .http1 : request.httpVersion
    }

    private static func length(of body: RequestBody) throws(HTTP1RequestError) -> HTTP1RequestWriter.BodyLength {
        switch body {
        case .none: return .none
        case .bytes(let chunk): return .fixed(Int64(chunk.count))
        case .file(let file):
            let isOverflowing = file.offset.addingReportingOverflow(file.length).overflow
            if file.offset < 0 || file.length < 0 || isOverflowing { throw .malformedLength }
            return .fixed(file.length)
        case .stream(let stream):
            guard let length = stream.length else { return .unknown }
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

// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import NIOCore
import NIOHTTP1

/// The peer disconnected in the middle of a request.
struct TruncatedRequest: Error {}

/// Reads requests, part by part, from a connection behind the HTTP decoder.
// Unchecked: used by its connection's task only. It is a class because handlers read the body through a closure.
final class RequestReader: @unchecked Sendable {
    private var parts: NIOAsyncChannelInboundStream<HTTPServerRequestPart>.AsyncIterator
    private let ledger: ServerLedger
    private var bytesOfBody = 0
    /// Whether the current request was read to its end.
    private(set) var isAtEnd = true
    /// The fields after the current request's body.
    private(set) var trailers = HTTPFields()

    init(_ parts: NIOAsyncChannelInboundStream<HTTPServerRequestPart>, ledger: ServerLedger) {
        self.parts = parts.makeAsyncIterator()
        self.ledger = ledger
    }

    /// The next request's head; `nil` if the peer has no more.
    func nextHead() async throws -> HTTPRequestHead? {
        while let part = try await parts.next() {
            guard case .head(let head) = part else { continue }
            isAtEnd = false
            trailers = [:]
            bytesOfBody = 0
            return head
        }
        return nil
    }

    /// The next piece of the current request's body; `nil` at its end.
    func nextPiece() async throws -> [UInt8]? {
        if isAtEnd { return nil }
        switch try await parts.next() {
        case .body(let buffer):
            ledger.bodyBytesRead(buffer.readableBytes)
            bytesOfBody += buffer.readableBytes
            return Array(buffer.readableBytesView)
        case .end(let fields):
            isAtEnd = true
            trailers = fields.map(HTTPFields.init) ?? [:]
            return nil
        case .head, nil:
            throw TruncatedRequest()
        }
    }

    /// The whole body; `nil` if it is longer than the limit.
    func collect(limit: Int) async throws -> [UInt8]? {
        var body: [UInt8] = []
        while let piece = try await nextPiece() {
            guard body.count + piece.count <= limit else { return nil }
            body += piece
        }
        return body
    }

    /// Reads the current request to its end and discards it.
    func drain() async throws {
        while try await nextPiece() != nil {}
    }
}

extension RequestReader: RawSource {
    func awaitHead() async throws {
        try await drain()
        guard try await nextHead() != nil else { throw TruncatedRequest() }
    }

    func awaitBytes(_ count: Int) async throws {
        while bytesOfBody < count, try await nextPiece() != nil {}
    }
}

extension HTTPFields {
    /// Creates fields from NIO's header list, without invalid names.
    init(_ headers: HTTPHeaders) {
        self.init()
        for (name, value) in headers {
            guard let name = HTTPField.Name(name) else { continue }
            append(HTTPField(name: name, value: value))
        }
    }
}

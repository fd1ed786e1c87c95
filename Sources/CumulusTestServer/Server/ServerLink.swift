// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL

/// The sending side of one connection: sends bytes with back-pressure, and closes it in several ways.
struct ServerLink: Sendable {
    let number: Int
    let channel: any Channel
    let ledger: ServerLedger
    /// Whether this is a stream of an HTTP/2 connection, which sends the parts of a response instead of bytes.
    var isHTTP2 = false

    /// Sends bytes; returns when the kernel has accepted them, so a peer that doesn't read stops the sender.
    func send(_ bytes: [UInt8]) async throws {
        var start = 0
        repeat {
            let end = min(start + 64 * 1024, bytes.count)
            try Task.checkCancellation()
            let buffer = ByteBuffer(bytes: bytes[start..<end])
            if isHTTP2 {
                try await channel.writeAndFlush(HTTPServerResponsePart.body(.byteBuffer(buffer))).get()
            } else {
                try await channel.writeAndFlush(buffer).get()
            }
            ledger.sent(end - start)
            start = end
        } while start < bytes.count
    }

    /// Sends the head of a response over HTTP/2.
    func sendHead(_ status: HTTPResponse.Status, _ fields: HTTPFields) async throws {
        let head = HTTPResponseHead(
            version: .http2,
            status: HTTPResponseStatus(statusCode: status.code),
            headers: HTTPHeaders(fields)
        )
        try await channel.writeAndFlush(HTTPServerResponsePart.head(head)).get()
    }

    /// Sends the end of a response over HTTP/2.
    func sendEnd(_ trailers: HTTPFields) async throws {
        let fields = trailers.isEmpty ? nil : HTTPHeaders(trailers)
        try await channel.writeAndFlush(HTTPServerResponsePart.end(fields)).get()
    }

    /// Closes the connection immediately.
    func abort(_ abort: ServerResponse.Abort) async {
        if abort == .reset {
            try? await lingerNot()
        }
        try? await Self.closeAbruptly(channel).get()
    }

    /// Makes the close a TCP reset: a linger time of zero.
    private func lingerNot() async throws {
        guard let options = channel as? any SocketOptionProvider else { return }
        var linger = try await options.getSoLinger().get()
        // The C struct's fields belong to a module that can't be imported: on, then seconds.
        withUnsafeMutableBytes(of: &linger) { bytes in
            bytes.storeBytes(of: 1, as: Int32.self)
            bytes.storeBytes(of: 0, toByteOffset: 4, as: Int32.self)
        }
        try await options.setSoLinger(linger).get()
    }

    /// Closes the socket beneath TLS, which would otherwise wait for the peer's `close_notify`.
    static func closeAbruptly(_ channel: any Channel) -> EventLoopFuture<Void> {
        channel.eventLoop.flatSubmit {
            guard let context = try? channel.pipeline.syncOperations.context(handlerType: NIOSSLServerHandler.self)
            else { return channel.close() }
            return context.close()
        }
    }
}

extension HTTPHeaders {
    /// Creates NIO's header list from fields.
    fileprivate init(_ fields: HTTPFields) {
        self.init(fields.map { ($0.name.rawName, $0.value) })
    }
}

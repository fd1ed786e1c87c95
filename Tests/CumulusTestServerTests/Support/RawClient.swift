// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOPosix
import NIOSSL

/// A client that sends exact bytes and returns exactly the received ones.
struct RawClient {
    /// How a connection ended.
    enum Ending: Equatable {
        case closed
        case reset
    }

    private let channel: NIOAsyncChannel<ByteBuffer, ByteBuffer>
    private let reader: Reader

    /// The text received so far.
    var received: String { String(decoding: reader.received, as: UTF8.self) }

    /// Connects during `body`.
    static func connect<Result: Sendable>(
        _ port: Int,
        trusting rootPEM: String? = nil,
        host: String = "localhost",
        _ body: (RawClient) async throws -> Result
    ) async throws -> Result {
        let tls = try rootPEM.map { pem in
            var configuration = TLSConfiguration.makeClientConfiguration()
            configuration.trustRoots = .certificates(try NIOSSLCertificate.fromPEMBytes(Array(pem.utf8)))
            return try NIOSSLContext(configuration: configuration)
        }
        let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .connect(host: "127.0.0.1", port: port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    if let tls {
                        let handler = try NIOSSLClientHandler(context: tls, serverHostname: host)
                        try channel.pipeline.syncOperations.addHandler(handler)
                    }
                    return try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
                }
            }
        return try await channel.executeThenClose { inbound, _ in
            try await body(RawClient(channel: channel, reader: Reader(inbound.makeAsyncIterator())))
        }
    }

    func send(_ text: String) async throws {
        try await channel.channel.writeAndFlush(ByteBuffer(string: text)).get()
    }

    /// Sends without waiting for the peer to accept it.
    func sendWithoutWaiting(_ bytes: [UInt8]) {
        channel.channel.writeAndFlush(ByteBuffer(bytes: bytes), promise: nil)
    }

    /// Reads until the received text contains another; `nil` if the connection ends before.
    func read(until text: String) async throws -> String? {
        while !received.contains(text) {
            guard try await reader.next() else { return nil }
        }
        return received
    }

    /// Reads until the connection ends.
    func readToEnd() async -> (text: String, ending: Ending) {
        do {
            while try await reader.next() {}
            return (received, .closed)
        } catch {
            return (received, .reset)
        }
    }

    /// Sends text and reads to the end.
    static func exchange(_ port: Int, _ text: String) async throws -> (text: String, ending: Ending) {
        try await connect(port) { client in
            try await client.send(text)
            return await client.readToEnd()
        }
    }

    // Used by one test's task only.
    private final class Reader: @unchecked Sendable {
        var buffers: NIOAsyncChannelInboundStream<ByteBuffer>.AsyncIterator
        var received: [UInt8] = []

        init(_ buffers: NIOAsyncChannelInboundStream<ByteBuffer>.AsyncIterator) { self.buffers = buffers }

        func next() async throws -> Bool {
            guard let buffer = try await buffers.next() else { return false }
            received += buffer.readableBytesView
            return true
        }
    }
}

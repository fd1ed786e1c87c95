// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOHTTP1
import NIOHTTP2
import NIOPosix
import NIOSSL
import NIOTLS

/// Accepts a server's connections and serves each in a child task, by routes or with a raw script.
struct ConnectionAcceptor: Sendable {
    typealias HTTPChannel = NIOAsyncChannel<HTTPServerRequestPart, ByteBuffer>
    typealias HTTP2Channel = NIOAsyncChannel<HTTPServerRequestPart, HTTPServerResponsePart>
    typealias RawChannel = NIOAsyncChannel<ByteBuffer, ByteBuffer>
    typealias Listener = NIOAsyncChannel<Accepted, Never>

    /// A connection that has been counted, and is still to be opened.
    struct Accepted: Sendable {
        let channel: any Channel
        let number: Int
    }

    /// An accepted connection, with or without the HTTP decoder.
    enum Connection: Sendable {
        case http(HTTPChannel)
        case http2(NIOHTTP2Handler.AsyncStreamMultiplexer<any Channel>)
        case raw(RawChannel)
    }

    let ledger: ServerLedger
    let table: RouteTable
    let bodyLimit: Int
    let script: (@Sendable (Int) -> RawScript)?
    let tls: NIOSSLContext?
    let http2: LoopbackServer.HTTP2Use
    let faults: FaultScript?

    /// Opens a Unix domain socket, or a free port on a loopback address.
    func listen(at path: String?, host: String) async throws -> Listener {
        // A child is wrapped when it is served, not here: a wrapped one that is dropped, because the listener closed
        // in the meantime, would trap. Until then it reads nothing.
        let bootstrap = ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.backlog, value: 1024)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelOption(.autoRead, value: false)
        if let path {
            return try await bootstrap.bind(unixDomainSocketPath: path, cleanupExistingSocketFile: true) { channel in
                channel.eventLoop.makeSucceededFuture(ledger.accept(channel))
            }
        }
        return try await bootstrap.childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            .bind(host: host, port: 0) { channel in
                channel.eventLoop.makeSucceededFuture(ledger.accept(channel))
            }
    }

    /// Adds the protocol's handlers to an accepted connection, which then begins to read.
    private func open(_ channel: any Channel) async throws -> Connection {
        let (tls, isRaw, http2) = (tls, script != nil, http2)
        return try await channel.eventLoop.flatSubmit {
            channel.eventLoop.makeCompletedFuture {
                let pipeline = channel.pipeline.syncOperations
                if let tls { try pipeline.addHandler(NIOSSLServerHandler(context: tls)) }
                let connection: EventLoopFuture<Connection>
                if isRaw {
                    connection = channel.eventLoop.makeSucceededFuture(
                        .raw(try RawChannel(wrappingChannelSynchronously: channel))
                    )
                } else if http2 == .negotiated {
                    let negotiation = NIOTypedApplicationProtocolNegotiationHandler<Connection> { agreed, channel in
                        channel.eventLoop.makeCompletedFuture {
                            agreed == .negotiated("h2") ? try Self.http2(channel) : try Self.http1(channel)
                        }
                    }
                    try pipeline.addHandler(negotiation)
                    connection = negotiation.protocolNegotiationResult
                } else {
                    let made = http2 == .always ? try Self.http2(channel) : try Self.http1(channel)
                    connection = channel.eventLoop.makeSucceededFuture(made)
                }
                try channel.syncOptions?.setOption(.autoRead, value: true)
                return connection
            }.flatMap { $0 }
        }.get()
    }

    private static func http1(_ channel: any Channel) throws -> Connection {
        try channel.pipeline.syncOperations.addHandler(ByteToMessageHandler(HTTPRequestDecoder()))
        return .http(try HTTPChannel(wrappingChannelSynchronously: channel))
    }

    private static func http2(_ channel: any Channel) throws -> Connection {
        var configuration = NIOHTTP2Handler.Configuration()
        configuration.connection.initialSettings = [
            HTTP2Setting(parameter: .maxConcurrentStreams, value: 100),
            HTTP2Setting(parameter: .maxHeaderListSize, value: 1 << 20),
        ]
        configuration.stream.streamResetFrameRateLimit.maximumCount = 100_000
        let multiplexer = try channel.pipeline.syncOperations.configureAsyncHTTP2Pipeline(
            mode: .server,
            configuration: configuration
        ) { stream in
            stream.eventLoop.makeCompletedFuture {
                try stream.pipeline.syncOperations.addHandler(HTTP2FramePayloadToHTTP1ServerCodec())
                // Wrapped when it is served, for the same reason as a connection.
                try stream.syncOptions?.setOption(.autoRead, value: false)
                return stream
            }
        }
        return .http2(multiplexer)
    }

    /// Serves until the listener closes; connections that are still being served are then cancelled.
    func serve(_ listener: Listener) async {
        try? await listener.executeThenClose { connections in
            try await withThrowingDiscardingTaskGroup { group in
                for try await accepted in connections {
                    group.addTask { await serve(accepted) }
                }
                group.cancelAll()
            }
        }
    }

    private func serve(_ accepted: Accepted) async {
        // If the peer has already disconnected, there is nothing to serve.
        guard let connection = try? await open(accepted.channel) else {
            accepted.channel.close(promise: nil)
            return
        }
        let link = ServerLink(number: accepted.number, channel: accepted.channel, ledger: ledger)
        switch connection {
        case .http(let channel):
            await serve(channel, link) { inbound, link in
                let reader = RequestReader(inbound, ledger: ledger)
                try await makeConnection(link, reader).serve()
            }
        case .http2(let multiplexer):
            await serve(multiplexer, number: accepted.number)
            return
        case .raw(let channel):
            await serve(channel, link) { inbound, link in
                let reader = RawReader(inbound, connection: link.number, ledger: ledger)
                try await RawRunner(link: link, source: reader).run(script?(link.number) ?? [])
            }
        }
    }

    /// Serves each stream of an HTTP/2 connection in a child task.
    private func serve(_ multiplexer: NIOHTTP2Handler.AsyncStreamMultiplexer<any Channel>, number: Int) async {
        try? await withThrowingDiscardingTaskGroup { group in
            var requests = 0
            for try await stream in multiplexer.inbound {
                let before = requests
                requests += 1
                let link = ServerLink(number: number, channel: stream, ledger: ledger, isHTTP2: true)
                ledger.countStreams(1)
                group.addTask {
                    defer { ledger.countStreams(-1) }
                    guard let channel = try? await wrap(stream) else { return }
                    await serve(channel, link) { inbound, link in
                        let reader = RequestReader(inbound, ledger: ledger)
                        try await makeConnection(link, reader).serve(after: before)
                    }
                }
            }
            group.cancelAll()
        }
    }

    private func makeConnection(_ link: ServerLink, _ reader: RequestReader) -> ServerConnection {
        ServerConnection(link: link, reader: reader, table: table, bodyLimit: bodyLimit, faults: faults)
    }

    private func wrap(_ stream: any Channel) async throws -> HTTP2Channel {
        try await stream.eventLoop.submit {
            let channel = try HTTP2Channel(wrappingChannelSynchronously: stream)
            try stream.syncOptions?.setOption(.autoRead, value: true)
            // For streams, unlike sockets, the option alone doesn't start reading.
            stream.read()
            return channel
        }.get()
    }

    /// Runs `body` for a connection or a stream, until either ends.
    private func serve<Part: Sendable, Out: Sendable>(
        _ channel: NIOAsyncChannel<Part, Out>,
        _ link: ServerLink,
        _ body: @escaping @Sendable (NIOAsyncChannelInboundStream<Part>, ServerLink) async throws -> Void
    ) async {
        await withTaskGroup { group in
            group.addTask {
                try? await channel.executeThenClose { inbound, _ in
                    do {
                        try await body(inbound, link)
                    } catch let abort as ServerResponse.Abort {
                        await link.abort(abort)
                    } catch {
                        await end(link, after: error)
                    }
                }
            }
            // A disconnecting peer cancels the remaining work for it.
            group.addTask { try? await channel.channel.closeFuture.get() }
            await group.next()
            group.cancelAll()
        }
    }

    /// Responds to a malformed request with 400 and records the failure; a peer that just disconnected is not a
    /// failure.
    private func end(_ link: ServerLink, after error: any Error) async {
        if error is HTTPParserError {
            ledger.failed("malformed request: \(error)")
            let answer = "HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"
            try? await link.send(Array(answer.utf8))
        } else if error is NIOSSLError || error is BoringSSLError {
            ledger.failed("TLS: \(error)")
        }
    }
}

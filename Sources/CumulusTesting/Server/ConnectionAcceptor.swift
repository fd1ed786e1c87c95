// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL

/// Accepts a server's connections and serves each in a child task, by routes or by a raw script.
struct ConnectionAcceptor: Sendable {
    typealias HTTPChannel = NIOAsyncChannel<HTTPServerRequestPart, ByteBuffer>
    typealias RawChannel = NIOAsyncChannel<ByteBuffer, ByteBuffer>
    typealias Listener = NIOAsyncChannel<any Channel, Never>

    /// An accepted connection, with the HTTP decoder in front or without.
    enum Connection: Sendable {
        case http(HTTPChannel)
        case raw(RawChannel)
    }

    let ledger: ServerLedger
    let table: RouteTable
    let bodyLimit: Int
    let script: (@Sendable (Int) -> RawScript)?
    let tls: NIOSSLContext?

    /// Opens a Unix domain socket, or a free port on 127.0.0.1.
    func listen(at path: String?) async throws -> Listener {
        // A child is wrapped when it is served, not here: a wrapped one that is dropped, because the listener closed
        // meanwhile, would trap. Until then it reads nothing.
        let bootstrap = ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.backlog, value: 1024)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelOption(.autoRead, value: false)
        if let path {
            return try await bootstrap.bind(unixDomainSocketPath: path, cleanupExistingSocketFile: true) { channel in
                channel.eventLoop.makeSucceededFuture(channel)
            }
        }
        return try await bootstrap.childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            .bind(host: "127.0.0.1", port: 0) { channel in channel.eventLoop.makeSucceededFuture(channel) }
    }

    /// Puts the protocol's handlers in front of an accepted connection, which then begins to read.
    private func open(_ channel: any Channel) async throws -> Connection {
        let (tls, isRaw) = (tls, script != nil)
        return try await channel.eventLoop.submit {
            let pipeline = channel.pipeline.syncOperations
            if let tls { try pipeline.addHandler(NIOSSLServerHandler(context: tls)) }
            let connection: Connection
            if isRaw {
                connection = .raw(try RawChannel(wrappingChannelSynchronously: channel))
            } else {
                try pipeline.addHandler(ByteToMessageHandler(HTTPRequestDecoder()))
                connection = .http(try HTTPChannel(wrappingChannelSynchronously: channel))
            }
            try channel.syncOptions?.setOption(.autoRead, value: true)
            return connection
        }.get()
    }

    /// Serves until the listener closes; what is still being served then is cancelled.
    func serve(_ listener: Listener) async {
        try? await listener.executeThenClose { connections in
            try await withThrowingDiscardingTaskGroup { group in
                for try await channel in connections {
                    group.addTask { await serve(channel) }
                }
                group.cancelAll()
            }
        }
    }

    private func serve(_ accepted: any Channel) async {
        // A peer that has gone already leaves nothing to serve.
        guard let connection = try? await open(accepted) else {
            accepted.close(promise: nil)
            return
        }
        switch connection {
        case .http(let channel):
            await serve(channel) { inbound, link in
                let reader = RequestReader(inbound, ledger: ledger)
                try await ServerConnection(link: link, reader: reader, table: table, bodyLimit: bodyLimit).serve()
            }
        case .raw(let channel):
            await serve(channel) { inbound, link in
                let reader = RawReader(inbound, connection: link.number, ledger: ledger)
                try await RawRunner(link: link, source: reader).run(script?(link.number) ?? [])
            }
        }
    }

    /// Runs `body` for a connection, which ends when either of them does.
    private func serve<Part: Sendable>(
        _ channel: NIOAsyncChannel<Part, ByteBuffer>,
        _ body: @escaping @Sendable (NIOAsyncChannelInboundStream<Part>, ServerLink) async throws -> Void
    ) async {
        let link = ServerLink(number: ledger.accepted(channel.channel), channel: channel.channel, ledger: ledger)
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
            // A peer that goes away cancels what is still being done for it.
            group.addTask { try? await channel.channel.closeFuture.get() }
            await group.next()
            group.cancelAll()
        }
        ledger.closed(link.number)
    }

    /// Answers a malformed request with 400 and records what went wrong; a peer that just left is nothing wrong.
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

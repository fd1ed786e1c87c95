// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTestServer
import HTTPTypes
import NIOCore
import NIOPosix
import NIOSSL
import NIOTLS
import Synchronization
import Testing

@testable import CumulusNIO

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// HTTP/2 connections that break before their first frame.
@Suite(.timeLimit(.minutes(10))) struct HTTP2ResetTests {
    @Test func aResetRightBehindTheHandshakeFailsItsRequestAndNoOther() async throws {
        let authority = try TestCertificateAuthority()
        let count = Count()
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let listener = try await listen(on: group, try authority.issue(hosts: ["127.0.0.1"]), count)
        var configuration = NIOTransport.Configuration()
        configuration.tls.trustRoots = .pem(authority.rootPEM)
        let transport = NIOTransport(configuration: configuration)
        // Without deadlines: nothing else would end a request that is never resumed.
        let request = TransportRequest(
            method: .get,
            origin: Origin(scheme: .https, host: "127.0.0.1", port: listener.localAddress?.port ?? 0),
            target: "/",
            deadlines: TransportDeadlines()
        )
        for _ in 0..<2 { #expect(await transport.failure(request) != nil) }
        #expect(count.value.withLock(\.self) > 1)
        #expect(try await transport.runningCount() == 0)
        #expect(try await transport.connectionCounts().all == 0)
        await transport.shutdown(.immediate)
        try await listener.close()
        try await group.shutdownGracefully()
    }

    /// The number of connections.
    private final class Count: Sendable {
        let value = Mutex(0)
    }

    /// A server with TLS 1.2, on a loop that the client doesn't use, whose connections end after the handshake.
    private func listen(
        on group: MultiThreadedEventLoopGroup,
        _ identity: TestCertificateAuthority.Identity,
        _ count: Count
    ) async throws -> any Channel {
        var tls = TLSConfiguration.makeServerConfiguration(
            certificateChain: try identity.certificatesPEM.map {
                .certificate(try NIOSSLCertificate(bytes: Array($0.utf8), format: .pem))
            },
            privateKey: .privateKey(try NIOSSLPrivateKey(bytes: Array(identity.privateKeyPEM.utf8), format: .pem))
        )
        tls.applicationProtocols = ["h2"]
        tls.maximumTLSVersion = .tlsv12
        let context = try NIOSSLContext(configuration: tls)
        return try await ServerBootstrap(group: group)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let number = count.value.withLock { count in
                        count += 1
                        return count
                    }
                    let stop = number == 1 ? LoopStop() : nil
                    try channel.pipeline.syncOperations.addHandlers(
                        SecondFlight(stop),
                        NIOSSLServerHandler(context: context),
                        Ending(stop)
                    )
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
    }
}

/// Stops the client's loops after the handshake's second flight, so that they see its end and the reset at once.
private final class SecondFlight: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let stop: LoopStop?
    private var count = 0

    init(_ stop: LoopStop?) { self.stop = stop }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        count += 1
        if count == 2 { stop?.hold() }
        context.fireChannelRead(data)
    }
}

/// Ends a connection after the handshake: with a reset if the loops are stopped, otherwise gracefully.
private final class Ending: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let stop: LoopStop?

    init(_ stop: LoopStop?) { self.stop = stop }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard case .handshakeCompleted? = event as? TLSUserEvent else { return }
        guard let stop else { return context.close(promise: nil) }
        if let options = context.channel as? any SocketOptionProvider {
            options.setSoLinger(linger(l_onoff: 1, l_linger: 0)).whenComplete { _ in }
        }
        // Past TLS, which would send a close_notify.
        try? context.pipeline.syncOperations.context(handlerType: NIOSSLServerHandler.self).close(promise: nil)
        stop.release()
    }
}

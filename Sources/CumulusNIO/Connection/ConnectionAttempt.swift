// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import NIOCore
import NIOPosix
import NIOSSL

/// One attempt to open a connection: name look-up, connecting (RFC 8305, by NIO's bootstrap) and the TLS handshake.
// Unchecked: touched on the engine's event loop only.
final class ConnectionAttempt: @unchecked Sendable {
    let slot: OriginSlot
    let ticket: Int
    private let engine: LoopEngine
    private let clock: any RequestClock
    private let startedAt: Moment
    /// When the first address was there, and when one of them had answered.
    private var addressedAt: Moment?
    private var connectedAt: Moment?
    private var looksUpName = false
    private var channels: [any Channel] = []
    private var chosen: HTTP1Connection?
    /// By when it must be over; the engine looks from time to time.
    private let deadline: Moment
    private var isOver = false

    private static let buffers = AdaptiveRecvByteBufferAllocator(minimum: 1_024, initial: 2_048, maximum: 256 * 1_024)

    init(engine: LoopEngine, slot: OriginSlot, ticket: Int, clock: any RequestClock) {
        self.engine = engine
        self.slot = slot
        self.ticket = ticket
        self.clock = clock
        startedAt = clock.moment
        deadline = Moment.now + engine.configuration.connectTimeout
    }

    /// Begins; the engine is told how it ends, unless it is abandoned.
    func start() {
        let origin = slot.origin
        engine.startSweeping()
        let context: NIOSSLContext?
        do {
            let identified = slot.key.offersIdentity ? origin : nil
            context =
                origin.scheme == .https
                ? try engine.tls.context(for: slot.key.version, identifiedTo: identified) : nil
        } catch {
            // Not at once: the engine is still noting down who waits for this attempt.
            return engine.eventLoop.execute { self.fail(.tlsSetUp(error)) }
        }
        let resolver: GivenAddresses?
        do {
            resolver = try engine.configuration.addresses[origin.host].map {
                try GivenAddresses($0, port: origin.port, eventLoop: engine.eventLoop)
            }
        } catch {
            return engine.eventLoop.execute { self.fail(.lookingUp(origin, error)) }
        }
        let bootstrap = ClientBootstrap(group: engine.eventLoop)
            .resolver(resolver)
            // Longer than ours, which `observeTime` keeps; and no longer than SwiftNIO can count.
            .connectTimeout(TimeAmount(min(engine.configuration.connectTimeout, .seconds(1 << 32)) + .seconds(1)))
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture { try self.prepare(channel, context) }
            }
        // An address needs no look-up.
        let connecting =
            if let path = engine.configuration.unixSocketPath {
                bootstrap.connect(unixDomainSocketPath: path)
            } else if let address = try? SocketAddress(ipAddress: origin.host, port: origin.port) {
                bootstrap.connect(to: address)
            } else {
                lookingUp(bootstrap)
            }
        connecting.whenComplete { result in
            switch result {
            case .success(let channel): self.connected(channel)
            case .failure(let error): self.fail(.connecting(to: self.slot.origin, error))
            }
        }
    }

    private func lookingUp(_ bootstrap: ClientBootstrap) -> EventLoopFuture<any Channel> {
        looksUpName = true
        return bootstrap.connect(host: slot.origin.host, port: slot.origin.port)
    }

    /// Gives up without telling the engine.
    func abandon() {
        isOver = true
        for channel in channels { channel.close(promise: nil) }
        channels = []
    }

    /// The handshake of a candidate is done.
    func handshakeCompleted(_ connection: HTTP1Connection) {
        guard engine.tls.isVerified(connection.peerCertificate, for: slot.origin.host) else {
            connection.close()
            if chosen === connection { fail(.wrongHost(slot.origin)) }
            return
        }
        if let problem = engine.tls.unexpectedKey(connection.peerCertificate, for: slot.origin.host) {
            connection.close()
            if chosen === connection { fail(.wrongKey(slot.origin, problem)) }
            return
        }
        connection.isReady = true
        if chosen === connection { succeed(connection) }
    }

    /// A candidate was closed before it was ready.
    func connectionFailed(_ connection: HTTP1Connection, _ error: (any Error)?) {
        if chosen === connection { fail(.securing(slot.origin, error, certificate: connection.peerCertificate)) }
    }

    private func prepare(_ channel: any Channel, _ context: NIOSSLContext?) throws {
        if isOver { throw ChannelError.alreadyClosed }
        // Made once there is an address for it.
        if addressedAt == nil { addressedAt = clock.moment }
        channels.append(channel)
        // Here and not by the bootstrap, which makes a future of each.
        if let options = channel.syncOptions {
            try options.setOption(.maxMessagesPerRead, value: 1)
            try options.setOption(.recvAllocator, value: ConnectionAttempt.buffers)
        }
        let connection = HTTP1Connection(engine: engine, attempt: self, isSecure: context != nil)
        if let context {
            let name = TLSContextCache.serverName(for: slot.origin.host)
            try channel.pipeline.syncOperations.addHandler(NIOSSLClientHandler(context: context, serverHostname: name))
        }
        try channel.pipeline.syncOperations.addHandler(connection)
    }

    private func connected(_ channel: any Channel) {
        if isOver { return channel.close(promise: nil) }
        guard let connection = try? channel.pipeline.syncOperations.handler(type: HTTP1Connection.self) else {
            return fail(.connecting(to: slot.origin, ChannelError.alreadyClosed))
        }
        connectedAt = clock.moment
        chosen = connection
        if connection.isReady { succeed(connection) }
    }

    private func succeed(_ connection: HTTP1Connection) {
        if isOver { return }
        let version = slot.key.version
        let speaksHTTP2 = connection.isSecure ? connection.negotiatedProtocol == "h2" : version == .http2
        if version == .http2, !speaksHTTP2 {
            connection.attempt = nil
            connection.close()
            return fail(.noHTTP2(slot.origin))
        }
        let now = clock.moment
        let connectedAt = connectedAt ?? now
        let addressedAt = looksUpName ? addressedAt ?? startedAt : startedAt
        let opening: ConnectionFacts.Opening = (
            lookup: looksUpName ? addressedAt - startedAt : nil,
            connect: connectedAt - addressedAt,
            tls: connection.isSecure ? now - connectedAt : nil
        )
        // From here on it is the pool's, whether somebody uses it at once or not.
        connection.attempt = nil
        if speaksHTTP2 {
            return share(connection, opening)
        }
        end()
        connection.facts.opening = opening
        engine.attemptSucceeded(self, connection)
    }

    /// Puts an HTTP/2 connection in the place of the other.
    private func share(_ connection: HTTP1Connection, _ opening: ConnectionFacts.Opening) {
        let shared = HTTP2Connection(
            engine: engine,
            slot: slot,
            isSecure: connection.isSecure,
            opening: opening
        )
        do {
            try connection.handOver(to: shared)
        } catch {
            connection.close()
            return fail(.connecting(to: slot.origin, error))
        }
        guard shared.isAlive else { return fail(.connecting(to: slot.origin, ChannelError.alreadyClosed)) }
        end()
        engine.attemptSucceeded(self, shared)
    }

    private func fail(_ failure: TransportFailure) {
        if isOver { return }
        end()
        engine.attemptFailed(self, failure)
    }

    /// Gives up if it has taken too long.
    func observeTime(at now: Moment) {
        if isOver || now < deadline { return }
        let candidates = channels
        let limit = engine.configuration.connectTimeout
        fail(
            TransportFailure(
                .timeout(.connect),
                "gave up on connecting to \(slot.origin) after \(limit)",
                limit: limit,
                elapsed: limit
            )
        )
        for channel in candidates { channel.close(promise: nil) }
    }

    private func end() {
        isOver = true
        channels = []
    }
}

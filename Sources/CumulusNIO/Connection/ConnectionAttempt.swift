// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import NIOCore
import NIOPosix
import NIOSSL

/// One attempt to open a connection: name look-up, connecting (RFC 8305, by NIO's bootstrap), the handshake with a
/// proxy, and the TLS handshake.
// Unchecked: touched on the engine's event loop only.
final class ConnectionAttempt: @unchecked Sendable {
    let slot: OriginSlot
    let number: Int
    let engine: LoopEngine
    let clock: any RequestClock
    private let startedAt: Moment
    /// When the first address was known, and when one of them had answered, through a proxy if there is one.
    private var addressedAt: Moment?
    var connectedAt: Moment?
    /// The TLS context for the origin.
    private var security: NIOSSLContext?
    /// The TLS context for the proxy.
    private(set) var proxySecurity: NIOSSLContext?
    private var looksUpName = false
    /// The user's function that looks the peer or the target up; `nil` without one.
    var customResolver: CustomResolver?
    /// The tunnel's target; `nil` if it is the origin's name.
    var target: IPAddress?
    private var channels: [any Channel] = []
    private(set) var chosen: HTTP1Connection?
    /// The chosen connection's handshake with its proxy, while it runs.
    var proxyHandshake: ProxyHandshake?
    /// When it must be over; the engine checks from time to time.
    private let deadline: Moment
    private(set) var isOver = false
    /// Whether the peers' certificates are compared with the named ones, as decided at their first connection.
    private var compared: [Origin: Bool] = [:]
    /// The peers whose certificates were judged in both ways.
    private var askedAgain: Set<Origin> = []

    private static let buffers = AdaptiveRecvByteBufferAllocator(minimum: 1_024, initial: 2_048, maximum: 256 * 1_024)

    init(engine: LoopEngine, slot: OriginSlot, number: Int, clock: any RequestClock) {
        self.engine = engine
        self.slot = slot
        self.number = number
        self.clock = clock
        startedAt = clock.moment
        deadline = Moment.now + engine.configuration.connectTimeout
    }

    /// Begins; the engine gets the outcome, unless the attempt is abandoned.
    func start() {
        engine.startSweeping()
        do {
            security = try findSecurity()
            proxySecurity = try slot.key.route.proxy.flatMap { try engine.proxyTLS.context(for: $0) }
        } catch {
            // Not immediately: the engine is still recording the waiters of this attempt.
            return engine.eventLoop.execute { self.fail(.tlsSetUp(error)) }
        }
        if let policy = slot.key.route.targetPolicy(for: slot.origin) {
            lookUpTarget(allowedBy: policy)
        } else {
            connect()
        }
    }

    /// Connects to the origin, or to the proxy for it.
    func connect() {
        let peer = slot.key.route.peer(for: slot.origin)
        let resolver: (any Resolver & Sendable)?
        do {
            resolver = try self.resolver(for: peer)
        } catch {
            return engine.eventLoop.execute { self.fail(.lookingUp(peer, error)) }
        }
        // Longer than our own limit, which `observeTime` enforces, and within SwiftNIO's range.
        let limit = min(engine.configuration.connectTimeout, .seconds(Int64(1) << 32)) + .seconds(1)
        let bootstrap = ClientBootstrap(group: engine.eventLoop)
            .resolver(resolver)
            .connectTimeout(TimeAmount(limit))
            .channelInitializer { channel in
                // A turn later: SwiftNIO tries the next address at once, one call within the other.
                if self.isOver {
                    return channel.eventLoop.submit { () throws -> Void in throw ChannelError.alreadyClosed }
                }
                return channel.eventLoop.makeCompletedFuture { try self.prepare(channel) }
            }
        // An address needs no look-up.
        let connecting =
            if let path = engine.configuration.unixSocketPath {
                bootstrap.connect(unixDomainSocketPath: path)
            } else if let address = try? SocketAddress(ipAddress: peer.host, port: peer.port) {
                bootstrap.connect(to: address)
            } else {
                lookingUp(peer, bootstrap)
            }
        connecting.whenComplete { result in
            switch result {
            case .success(let channel): self.connected(channel)
            case .failure(let error):
                if let path = self.engine.configuration.unixSocketPath {
                    return self.fail(.connecting(toSocket: path, error))
                }
                self.fail(.connecting(to: self.slot.origin, by: self.slot.key.route, error))
            }
        }
    }

    /// The TLS settings for the origin, regardless of the socket's peer; `nil` without TLS.
    private func findSecurity() throws -> NIOSSLContext? {
        let origin = slot.origin
        if origin.scheme == .http { return nil }
        let identified = slot.key.offersIdentity ? origin : nil
        return try engine.tls.context(
            for: slot.key.version,
            identifiedTo: identified,
            at: origin,
            isTunnelled: slot.tunnels
        )
    }

    /// The TLS contexts, which verify certificates.
    var tls: TLSContextCache { engine.tls }

    private func lookingUp(_ peer: Origin, _ bootstrap: ClientBootstrap) -> EventLoopFuture<any Channel> {
        looksUpName = true
        return bootstrap.connect(host: peer.host, port: peer.port)
    }

    /// Gives up without reporting to the engine.
    func abandon() {
        let candidates = channels
        end()
        for channel in candidates { channel.close(promise: nil) }
    }

    /// A candidate has completed its handshake.
    func handshakeCompleted(_ connection: HTTP1Connection) {
        let certificate = connection.peerCertificate
        guard engine.tls.isVerified(certificate, for: slot.origin.host, isTunnelled: slot.tunnels) else {
            connection.close()
            if chosen === connection { fail(.wrongHost(slot.origin)) }
            return
        }
        if let problem = engine.tls.unexpectedKey(certificate, for: slot.origin.host) {
            connection.close()
            if chosen === connection { fail(.wrongKey(slot.origin, problem)) }
            return
        }
        connection.isReady = true
        if chosen === connection { succeed(connection) }
    }

    /// A candidate was closed before it was ready.
    func connectionFailed(_ connection: HTTP1Connection, _ error: (any Error)?) {
        guard chosen === connection else { return }
        let certificate = connection.peerCertificate
        if let error, asksAgain(slot.origin, engine.tls, error, certificate) { return }
        fail(.securing(slot.origin, error, certificate: certificate, isIdentified: slot.key.offersIdentity))
    }

    /// Opens another connection to a peer whose refused certificate may be trusted itself; see ``NamedCertificates``.
    func asksAgain(
        _ peer: Origin,
        _ tls: TLSContextCache,
        _ error: any Error,
        _ certificate: NIOSSLCertificate?
    ) -> Bool {
        let wasCompared = compared[peer] ?? false
        guard !isOver, askedAgain.insert(peer).inserted,
            tls.named.change(for: peer, wasCompared: wasCompared, error, certificate)
        else { return false }
        compared[peer] = !wasCompared
        chosen = nil
        proxyHandshake = nil
        channels = []
        connect()
        return true
    }

    private func prepare(_ channel: any Channel) throws {
        // The candidate is made once there is an address for it.
        if addressedAt == nil { addressedAt = clock.moment }
        channels.append(channel)
        // Here instead of in the bootstrap, which makes a future for each option.
        if let options = channel.syncOptions {
            try options.setOption(.maxMessagesPerRead, value: 1)
            try options.setOption(.recvAllocator, value: ConnectionAttempt.buffers)
        }
        let connection = HTTP1Connection(
            engine: engine,
            attempt: self,
            isSecure: security != nil,
            isEncrypted: security != nil || proxySecurity != nil
        )
        let pipeline = channel.pipeline.syncOperations
        if let policy = slot.key.route.guardingPolicy {
            try pipeline.addHandler(AddressGuard(policy, for: slot.origin))
        }
        if let handshake = try makeProxyHandshake() {
            if let security = try makeProxySecurity() { try pipeline.addHandler(security) }
            try pipeline.addHandler(handshake)
        } else if let security = try makeSecurity() {
            try connection.secure(by: security, in: pipeline, .last)
        }
        try pipeline.addHandler(connection)
    }

    /// The TLS handler for the origin; `nil` without TLS.
    func makeSecurity() throws -> NIOSSLClientHandler? {
        try security.map { try makeSecurity($0, for: slot.origin, engine.tls) }
    }

    /// The TLS handler for the origin or its proxy.
    func makeSecurity(
        _ context: NIOSSLContext,
        for peer: Origin,
        _ tls: TLSContextCache
    ) throws -> NIOSSLClientHandler {
        if tls.named.isEmpty { return try tls.makeHandler(context, for: peer.host, comparing: false) }
        let comparing = compared[peer] ?? tls.named.areCompared(for: peer)
        compared[peer] = comparing
        return try tls.makeHandler(context, for: peer.host, comparing: comparing)
    }

    private func connected(_ channel: any Channel) {
        if isOver { return channel.close(promise: nil) }
        guard let connection = try? channel.pipeline.syncOperations.handler(type: HTTP1Connection.self) else {
            return fail(.connecting(to: slot.origin, by: slot.key.route, ChannelError.alreadyClosed))
        }
        connectedAt = clock.moment
        chosen = connection
        if slot.key.route.negotiates(to: slot.origin) {
            openProxy(channel)
        } else if connection.isReady {
            succeed(connection)
        }
    }

    /// The connection is ready for requests.
    func succeed(_ connection: HTTP1Connection) {
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
        // From here on it belongs to the pool, whether it is used immediately or not.
        connection.attempt = nil
        connection.facts.tls = connection.security.map { TLSFacts($0, connection.hello) }
        (connection.security, connection.hello) = (nil, nil)
        if speaksHTTP2 {
            return share(connection, opening)
        }
        end()
        connection.facts.opening = opening
        engine.attemptSucceeded(self, connection)
    }

    /// Replaces the connection with an HTTP/2 connection.
    private func share(_ connection: HTTP1Connection, _ opening: ConnectionFacts.Opening) {
        let shared = HTTP2Connection(
            engine: engine,
            slot: slot,
            isSecure: connection.isSecure,
            opening: opening
        )
        shared.facts.tls = connection.facts.tls
        do {
            try connection.handOver(to: shared)
        } catch {
            connection.close()
            return fail(.connecting(to: slot.origin, error))
        }
        guard shared.isAlive else {
            let error = shared.lastError
            return fail(
                .refused(slot, of: engine, error, hasHead: false, fate: .unsent)
                    ?? .connecting(to: slot.origin, error ?? ChannelError.alreadyClosed)
            )
        }
        end()
        engine.attemptSucceeded(self, shared)
    }

    func fail(_ failure: TransportFailure) {
        if isOver { return }
        end()
        engine.attemptFailed(self, failure)
    }

    /// Whether the attempt takes so long that requests should not rely on it.
    func isLate(at now: Moment) -> Bool { now >= deadline - engine.configuration.connectTimeout + .seconds(1) }

    /// Gives up if the attempt has taken too long.
    func observeTime(at now: Moment) {
        if isOver || now < deadline { return }
        let candidates = channels
        let limit = engine.configuration.connectTimeout
        fail(
            .timeout(
                .connect,
                "connecting to \(slot.origin)\(slot.key.route.words)",
                limit: limit,
                elapsed: limit + (now - deadline),
                fate: .unsent
            )
        )
        for channel in candidates { channel.close(promise: nil) }
    }

    private func end() {
        isOver = true
        channels = []
        customResolver?.cancelQueries()
        customResolver = nil
    }
}

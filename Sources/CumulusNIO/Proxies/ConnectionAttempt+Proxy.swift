// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import NIOCore
import NIOSSL

/// Connections through a proxy that needs a handshake first.
extension ConnectionAttempt {
    /// The handler for the handshake; `nil` if none is needed.
    func makeProxyHandshake() throws -> ProxyHandshake? {
        guard let proxy = slot.key.route.proxy, slot.key.route.negotiates(to: slot.origin) else { return nil }
        return ProxyHandshake(
            try ProxyDialog(
                with: proxy,
                to: slot.origin,
                at: target,
                // With HTTP/2 without TLS, the server need not wait for us.
                serverMayBegin: slot.origin.scheme == .http && slot.key.version == .http2
            ),
            securing: proxySecurity != nil,
            attempt: self
        )
    }

    /// The TLS handler for the proxy; `nil` without TLS.
    func makeProxySecurity() throws -> NIOSSLClientHandler? {
        guard let proxySecurity, let proxy = slot.key.route.proxy else { return nil }
        return try makeSecurity(proxySecurity, for: proxy.peer, engine.proxyTLS)
    }

    /// Starts the handshake with the proxy, now that its connection is chosen.
    func openProxy(_ channel: any Channel) {
        guard let handshake = try? channel.pipeline.syncOperations.handler(type: ProxyHandshake.self) else {
            return fail(.connecting(to: slot.origin, by: slot.key.route, ChannelError.alreadyClosed))
        }
        proxyHandshake = handshake
        handshake.open()
    }

    /// The problem with the proxy's identity; `nil` if it is correct.
    func problem(ofProxyWith certificate: NIOSSLCertificate?) -> (any Error)? {
        guard let proxy = slot.key.route.proxy else { return nil }
        if !engine.proxyTLS.isVerified(certificate, for: proxy.host, isTunnelled: false) {
            return TLSContextCache.OtherHost()
        }
        return engine.proxyTLS.unexpectedKey(certificate, for: proxy.host)
    }

    /// The proxy has opened the way: TLS with the origin begins, or requests do.
    func proxyOpened(_ handshake: ProxyHandshake, over channel: any Channel) {
        guard !isOver else { return }
        let security: NIOSSLClientHandler?
        do {
            let pipeline = channel.pipeline.syncOperations
            connectedAt = clock.moment
            security = try makeSecurity()
            if let security { try chosen?.secure(by: security, in: pipeline, .after(handshake)) }
            pipeline.removeHandler(handshake, promise: nil)
        } catch {
            fail(.connecting(to: slot.origin, error))
            return channel.close(promise: nil)
        }
        // With TLS, its handshake continues from here.
        if security == nil, let chosen { succeed(chosen) }
    }

    /// The proxy has refused, and the connection to it closes.
    func proxyFailed(_ handshake: ProxyHandshake, _ problem: TunnelProblem, cause: (any Error)?) {
        // Another candidate may still be chosen.
        guard proxyHandshake === handshake, let proxy = slot.key.route.proxy else { return }
        // With TLS 1.3, a client without an acceptable certificate is refused after the handshake.
        if let cause, TLSAlert(cause)?.isRefusal == true {
            return proxyNotSecured(handshake, cause, certificate: nil)
        }
        fail(.tunnelling(to: slot.origin, by: proxy, problem, cause: cause))
    }

    /// TLS with the proxy failed, and the connection to it closes.
    func proxyNotSecured(_ handshake: ProxyHandshake, _ error: (any Error)?, certificate: NIOSSLCertificate?) {
        guard proxyHandshake === handshake, let proxy = slot.key.route.proxy else { return }
        if let error, asksAgain(proxy.peer, engine.proxyTLS, error, certificate) { return }
        let isIdentified = engine.proxyTLS.hasIdentity(for: proxy.peer)
        fail(.securing(proxy, error, certificate: certificate, isIdentified: isIdentified))
    }
}

// SPDX-License-Identifier: Apache-2.0

import CumulusCore

/// The route to an origin: chosen for a request before its head is rendered, and part of the pool's keys.
enum Route: Hashable, Sendable {
    /// To the origin itself, at any address.
    case direct
    /// To the origin itself, at an address that the policy allows.
    case guarded(AddressPolicy)
    /// Through a proxy, including its credentials; the policy applies to the origin's address, not to the proxy's.
    case proxy(Proxy, allowing: AddressPolicy = .any)

    /// The route of a request.
    init(_ request: TransportRequest) {
        if let proxy = request.proxy {
            self = .proxy(proxy, allowing: request.allowedAddresses)
        } else {
            self = request.allowedAddresses.isAny ? .direct : .guarded(request.allowedAddresses)
        }
    }

    /// Whether the route is direct, without checked addresses.
    var isDirect: Bool { if case .direct = self { true } else { false } }

    /// The proxy, if there is one.
    var proxy: Proxy? { if case .proxy(let proxy, _) = self { proxy } else { nil } }

    /// Which addresses the socket may connect to; `nil` for any, as for a proxy's own.
    var guardingPolicy: AddressPolicy? { if case .guarded(let policy) = self { policy } else { nil } }

    /// Whether the connection leads through a tunnel, whose bytes the proxy passes on unchanged.
    func tunnels(to origin: Origin) -> Bool {
        guard let proxy else { return false }
        return proxy.scheme.isSOCKS || origin.scheme == .https
    }

    /// Whether a handshake with the proxy is needed before requests can be sent.
    func negotiates(to origin: Origin) -> Bool { tunnels(to: origin) || proxy?.scheme == .https }

    /// The form of the target in the request line, which also tells the peer whether to forward the request.
    func form(for origin: Origin) -> HTTP1RequestWriter.TargetForm {
        proxy == nil || tunnels(to: origin) ? .origin : .absolute
    }

    /// The credentials for a forwarding proxy, sent with each request and to no other peer.
    func authorization(for origin: Origin) -> String? {
        guard let proxy, form(for: origin) == .absolute else { return nil }
        return proxy.authorization
    }

    /// The socket's peer.
    func peer(for origin: Origin) -> Origin { proxy?.peer ?? origin }

    /// The route to an origin, for messages, after the origin's name.
    var words: String { proxy.map { " through the proxy \($0)" } ?? "" }

    /// Refuses requests that can't take this route.
    func check(_ request: TransportRequest) throws(TransportFailure) {
        if let refusal = request.allowedAddresses.refusal(of: request.origin) { throw .forbidden(refusal) }
        guard let proxy else { return }
        let host = request.origin.host
        if form(for: request.origin) == .absolute, IPAddress(host) == nil,
            !request.allowedAddresses.allows(request.origin)
        {
            throw .forbidden(AddressRefusal(.lookedUpByProxy, host: host))
        }
        if request.httpVersion == .http2, form(for: request.origin) == .absolute {
            throw TransportFailure(.unsupported, "HTTP/2 without TLS can't go through the proxy \(proxy)")
        }
        guard proxy.scheme.isSOCKS else { return }
        guard 1...255 ~= host.utf8.count, host.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
            throw TransportFailure(.invalidRequest, "the host name can't be sent to the proxy \(proxy)")
        }
        if proxy.scheme == .socks4a, IPAddress(host)?.width == 128 {
            throw .noIPv6(of: request.origin)
        }
    }
}

extension TransportFailure {
    /// SOCKS 4a can't express the host's IPv6 address.
    static func noIPv6(of origin: Origin) -> TransportFailure {
        TransportFailure(.unsupported, "SOCKS 4a doesn't support IPv6 addresses, as in \(origin)")
    }
}

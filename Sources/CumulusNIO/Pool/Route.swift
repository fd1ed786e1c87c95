// SPDX-License-Identifier: Apache-2.0

import CumulusCore

/// By which way an origin is reached: what is chosen for a request before its head is rendered, and keeps connections
/// apart.
enum Route: Hashable, Sendable {
    /// To the origin itself.
    case direct
    /// By a proxy. A reference, so that what goes directly doesn't carry its space around.
    indirect case proxy(Proxy)

    /// Whether nobody is in between.
    var isDirect: Bool { if case .direct = self { true } else { false } }

    /// The proxy, if there is one.
    var proxy: Proxy? { if case .proxy(let proxy) = self { proxy } else { nil } }

    /// Whether the proxy is asked for a tunnel (CONNECT), in which it sees nothing of what is exchanged.
    func tunnels(to origin: Origin) -> Bool { !isDirect && origin.scheme == .https }

    /// How the request line names the target, and with it whether the peer is to pass the request on.
    func form(for origin: Origin) -> HTTP1RequestWriter.TargetForm {
        isDirect || tunnels(to: origin) ? .origin : .absolute
    }

    /// Where the socket leads.
    func peer(for origin: Origin) -> Origin { proxy?.origin ?? origin }

    /// Refuses what can't go this way.
    func check(_ request: TransportRequest) throws(TransportFailure) {
        guard let proxy else { return }
        if proxy.origin.scheme == .https {
            throw TransportFailure(.unsupported, "the proxy \(proxy) would have to be spoken to by TLS")
        }
        if request.origin.scheme == .http, request.httpVersion == .http2 {
            throw TransportFailure(.unsupported, "HTTP/2 without TLS can't go by the proxy \(proxy)")
        }
    }
}

/// Chooses the route to an origin: asked once for each request, on its caller's thread, so it must not wait.
typealias RouteChoice = @Sendable (Origin) -> Route

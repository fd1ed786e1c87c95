// SPDX-License-Identifier: Apache-2.0

import CumulusCore

/// One origin on one event loop, by one version of HTTP: its pool and the attempts to connect that are under way.
final class OriginSlot {
    /// What keeps connections apart: exchanges of different keys never meet on one.
    struct Key: Hashable {
        let origin: Origin
        /// What is demanded; over plain connections never `.automatic`, which is HTTP/1.1 there.
        let version: HTTPVersion
        /// Whether the server may ask who we are (T-55).
        let offersIdentity: Bool
        /// By which way they lead there.
        var route = Route.direct
    }

    let key: Key
    /// Whether callers may write on the connections: the shelf knows plain ones by their origin, and no others.
    let takesCallers: Bool
    var pool: OriginPool<HTTP1Connection, NIOExchange>
    var attempts: [Int: ConnectionAttempt] = [:]
    /// Connections that carry many exchanges at once and take more.
    var shared: [HTTP2Connection] = []

    var origin: Origin { key.origin }
    /// Whether a proxy is asked for tunnels to the origin.
    var tunnels: Bool { key.route.tunnels(to: origin) }

    init(key: Key, maximum: Int, isShared: Bool) {
        self.key = key
        takesCallers = key.origin.scheme == .http && key.version == .http1 && key.route.isDirect
        self.pool = OriginPool(maximum: maximum, isShared: isShared)
    }

    /// The shared connection that has been idle for longest.
    var oldestIdleShared: HTTP2Connection? {
        shared.filter { $0.idleSince != nil }.min { ($0.idleSince ?? .now) < ($1.idleSince ?? .now) }
    }

    /// Since when the connection that has been idle for longest is idle.
    var oldestIdle: Moment? {
        switch (pool.oldestIdle, oldestIdleShared?.idleSince) {
        case (let single?, let shared?): min(single, shared)
        case (let single, let shared): single ?? shared
        }
    }
}

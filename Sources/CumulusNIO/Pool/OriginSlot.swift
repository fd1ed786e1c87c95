// SPDX-License-Identifier: Apache-2.0

import CumulusCore

/// One origin on one event loop, with one version of HTTP: its pool and the running attempts to connect.
final class OriginSlot {
    /// The properties that separate connections: exchanges with different keys never share one.
    struct Key: Hashable {
        let origin: Origin
        /// The required version; never `.automatic` over plain connections, where that is HTTP/1.1.
        let version: HTTPVersion
        /// Whether the client may identify itself to the server.
        let offersIdentity: Bool
        /// The route of the connections.
        var route = Route.direct
        /// Whether a connection carries one HTTP/2 exchange at a time, since the server may end it for the head.
        var isForLargeHeads = false
    }

    let key: Key
    /// Whether callers may write on the connections: the stack only has plain ones, by their origin.
    let takesCallers: Bool
    // Without checks of exclusive access, as in HTTP1Connection.
    @exclusivity(unchecked) var pool: OriginPool<HTTP1Connection, NIOExchange>
    var attempts: [Int: ConnectionAttempt] = [:]
    /// Whether an HTTP/1.1 connection has served several requests, one after another.
    @exclusivity(unchecked) var hasReused = false
    /// Connections that carry many exchanges at once and accept more.
    @exclusivity(unchecked) var shared: [HTTP2Connection] = []

    var origin: Origin { key.origin }
    /// Whether the origin is reached through a proxy's tunnels.
    var tunnels: Bool { key.route.tunnels(to: origin) }

    init(key: Key, maximum: Int, isShared: Bool) {
        self.key = key
        takesCallers = key.origin.scheme == .http && key.version == .http1 && key.route.isDirect
        self.pool = OriginPool(maximum: maximum, isShared: isShared)
    }

    /// The number of idle connections.
    var idleCount: Int { pool.idleCount + shared.count { $0.idleSince != nil } }

    /// Whether requests in line avoid an idle connection, which the server may be closing.
    var hasAvoidedConnections: Bool { pool.idleCount > 0 && pool.waiterCount > 0 }

    /// The longest-idle shared connection.
    var oldestIdleShared: HTTP2Connection? {
        shared.filter { $0.idleSince != nil }.min { ($0.idleSince ?? .now) < ($1.idleSince ?? .now) }
    }

    /// When the longest-idle connection became idle.
    var oldestIdle: Moment? {
        switch (pool.oldestIdle, oldestIdleShared?.idleSince) {
        case (let single?, let shared?): min(single, shared)
        case (let single, let shared): single ?? shared
        }
    }
}

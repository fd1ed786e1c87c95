// SPDX-License-Identifier: Apache-2.0

import CumulusCore

/// Whether an idle connection is reused, and what its end shows about the server.
extension HTTP1Connection {
    /// Whether the peer may be closing it just now, as it has announced.
    var isExpired: Bool { expiry.map { $0 <= .now } ?? false }

    /// Whether an exchange may use the idle connection.
    ///
    /// A request that must not be sent twice would be lost if it met the end of the connection. The server may close it
    /// because it responded before it had the whole body: the confirmation of the remaining bytes does not show that
    /// the server has read them, since the systems in between take hundreds of kilobytes. Or the connection has been
    /// idle for about as long as another one that the server closed without notice.
    func reuse(by exchange: NIOExchange) -> ConnectionReuse {
        let limit = idleLimit
        // Mostly there is nothing to avoid.
        guard limit != nil || mayBeUnread, let idleSince else { return .allowed }
        let request = exchange.request
        if request.isIdempotent, request.body.isReplayable { return .allowed }
        let age = request.clock.moment - idleSince
        if let limit, age > limit - Self.margin(of: limit), age < limit + Self.margin(of: limit) {
            return .denied
        }
        return mayBeUnread && age < Self.unreadRest ? .ifNeeded : .allowed
    }

    /// How much earlier or later than another connection the server may close this one.
    static func margin(of idleLimit: Duration) -> Duration { max(rest, idleLimit / 10) }
    private static let rest = Duration.milliseconds(50)
    /// How long a busy server may take until it closes a connection whose last request it has not read.
    private static let unreadRest = Duration.seconds(1)

    /// Records that the server has closed the idle connection without notice.
    func recordIdleClose() { recordClose(after: .now - freeSince, exchanges: exchangesCarried) }

    /// Records the same if the loop has not read the end yet.
    ///
    /// Unread bytes are not an end: servers with TLS 1.3 send session tickets after the handshake.
    func recordUnreadClose() {
        if !isExpired, let openSocket, isAtEnd(openSocket) { recordIdleClose() }
    }

    /// Records for how long the server keeps an idle connection, so that requests don't meet its end on the way.
    ///
    /// uWSGI's `--http-socket`, for one, omits `Connection: close` and closes after each response. A server that has kept
    /// connections closes one soon after a response for another reason: Apache, because all of its workers are busy.
    /// Another connection for each request would make that worse.
    func recordClose(after age: Duration, exchanges: Int) {
        if wasLarge, age < Self.unreadRest {
            if !leavesLargeBodies, let slot { engine.remember(slot.origin) { $0.leavesLargeBodies = true } }
        } else if age >= Self.rest || exchanges == 1 && slot?.hasReused == false {
            idleLimit = age
        }
    }

    /// Records that the server has kept the connection before its last request, which has got its response.
    func recordReuse(by exchange: NIOExchange) {
        slot?.hasReused = true
        guard let limit = idleLimit, let idleSince else { return }
        // The last connection that it closed was younger, or it doesn't close each one after a response after all.
        if limit < Self.rest || exchange.stateStartedAt - idleSince > limit { idleLimit = nil }
    }

    /// Whether the server has closed a connection because it had not read all of a large request.
    ///
    /// gunicorn's threads, for one, respond without `Connection: close`, read 64 KB more, and close. The system there
    /// may have confirmed all bytes by then, so a single response doesn't show it.
    var leavesLargeBodies: Bool {
        if engine.memories.isEmpty { return false }
        return slot.map { engine.memory(of: $0.origin).leavesLargeBodies } ?? false
    }

    /// How long the server had kept the last idle connection that it closed without notice.
    var idleLimit: Duration? {
        get {
            // Mostly there is nothing to look up.
            if engine.memories.isEmpty { return nil }
            return slot.flatMap { engine.memory(of: $0.origin).idleLimit }
        }
        set {
            guard let slot, newValue != idleLimit else { return }
            engine.remember(slot.origin) { $0.idleLimit = newValue }
        }
    }
}

// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import NIOCore

/// A transport's work on one event loop: it assigns exchanges to connections, and ends overdue ones.
// Unchecked: everything mutable is touched on `eventLoop` only.
final class LoopEngine: @unchecked Sendable {
    let eventLoop: any EventLoop
    let configuration: NIOTransport.Configuration
    let tls: TLSContextCache
    /// The same for connections to proxies.
    let proxyTLS: TLSContextCache
    /// The sockets that callers on other threads may write on.
    let stack = CallerSocketStack()
    private(set) var slots: [OriginSlot.Key: OriginSlot] = [:]
    // Without checks of exclusive access, as in HTTP1Connection.
    @exclusivity(unchecked) private var lastSlot: OriginSlot?
    /// How many connections can become unused before they have to be counted for the limit again.
    @exclusivity(unchecked) private var idleAllowance = 0
    private var isReaping = false
    private(set) var drained: EventLoopPromise<Void>?
    /// Whether a shutdown doesn't wait for exchanges.
    private(set) var isHurried = false
    /// Connections that a shutdown has closed, whose peers have not finished yet.
    var parting: [HTTP2Connection] = []
    /// Origins with unusual properties.
    @exclusivity(unchecked) var memories: [Origin: OriginMemory] = [:]
    /// Exchanges that have begun and are not over.
    @exclusivity(unchecked) var running: [NIOExchange] = []
    @exclusivity(unchecked) var isSweeping = false
    /// Whether the stack may have sockets for callers, how often callers used them lately, and the time without
    /// activity.
    @exclusivity(unchecked) var hasOffers = false
    @exclusivity(unchecked) var adoptions = 0
    @exclusivity(unchecked) var quietSweeps = 0

    init(
        eventLoop: any EventLoop,
        configuration: NIOTransport.Configuration,
        tls: TLSContextCache,
        proxyTLS: TLSContextCache? = nil
    ) {
        self.eventLoop = eventLoop
        self.configuration = configuration
        self.tls = tls
        self.proxyTLS = proxyTLS ?? tls
    }

    // MARK: Exchanges

    /// Begins an exchange.
    func start(_ exchange: NIOExchange) {
        guard drained == nil else { return exchange.fail(TransportFailure.shutDown()) }
        enlist(exchange)
        lease(exchange)
    }

    /// Adds an exchange to the running ones.
    func enlist(_ exchange: NIOExchange) {
        exchange.listIndex = running.count
        running.append(exchange)
        if exchange.hasDeadlines { startSweeping() }
    }

    /// Ends an exchange in any state: closes its HTTP/1.1 connection, or resets its HTTP/2 stream, if it has one.
    func abandon(_ exchange: NIOExchange, error: any Error) {
        switch exchange.state {
        case .created, .finished:
            return
        case .queued(let slot, let number), .connecting(let slot, let number):
            leaveLine(of: slot, number)
        case .active(let connection):
            connection.abort()
        case .streaming(let stream):
            stream.abort()
        }
        remove(exchange)
        exchange.fail(error)
    }

    /// Removes a waiter from an origin's line.
    func leaveLine(of slot: OriginSlot, _ number: Int) {
        let (abandonAttempt, next) = slot.pool.leave(number)
        if abandonAttempt { slot.attempts.removeValue(forKey: number)?.abandon() }
        connect(slot, for: next)
        tidy(slot)
    }

    /// Ends an exchange whose connection failed.
    func connectionFailed(_ exchange: NIOExchange, _ failure: TransportFailure) {
        remove(exchange)
        exchange.fail(failure)
    }

    /// Forgets an exchange that is over.
    func remove(_ exchange: NIOExchange) {
        let index = exchange.listIndex
        guard index >= 0, index < running.count, running[index] === exchange else { return }
        exchange.listIndex = -1
        let last = running.removeLast()
        if last !== exchange {
            running[index] = last
            last.listIndex = index
        }
        reportIfDrained()
    }

    /// Assigns a connection to an exchange, immediately or when one is available.
    ///
    /// With `usesAny`, it may be one that the server is perhaps about to close.
    func lease(_ exchange: NIOExchange, usesAny: Bool = false) {
        let slot = slot(for: exchange)
        if !slot.shared.isEmpty, let connection = slot.shared.first(where: \.canOpen) {
            if connection.idleSince == nil || connection.isQuiet { return begin(exchange, on: connection) }
            connection.readFirst()
        }
        switch slot.pool.lease(
            exchange,
            fresh: exchange.request.connection == .new,
            reuse: { usesAny ? .allowed : $0.reuse(by: exchange) }
        ) {
        case .use(let connection):
            if let begun = connection.withdraw() {
                // A caller was faster.
                adopt(begun, connection)
                return lease(exchange)
            }
            guard !connection.isExpired, connection.isQuiet else {
                connection.recordUnreadClose()
                connection.close()
                connectionIsGone(connection)
                return lease(exchange)
            }
            connection.begin(exchange)
        case .connect(let number, let closing):
            if let closing { closeUnused(closing, slot) }
            exchange.enter(.connecting(slot, number: number))
            connect(slot, for: number)
        case .wait(let number):
            let isConnecting = slot.pool.isConnectingShared || slot.pool.hasAttemptForEach
            exchange.enter(isConnecting ? .connecting(slot, number: number) : .queued(slot, number: number))
            if slot.hasAvoidedConnections { startSweeping() }
        }
    }

    // MARK: Connections

    /// A connection finished an exchange and can take another; `now` is the system's time.
    func connectionIsFree(_ connection: HTTP1Connection, at now: Moment) {
        guard let slot = connection.slot else { return }
        // Exchanges in line were accepted before, and need not wait for their own connections.
        if drained != nil, slot.pool.waiterCount == 0 {
            connection.close()
            return connectionIsGone(connection)
        }
        connection.freeSince = now
        let waiter = slot.pool.release(connection, at: now) { connection.reuse(by: $0) != .denied }
        if waiter == nil, slot.hasAvoidedConnections {
            if let surplus = slot.pool.removeSurplusIdle() { closeUnused(surplus, slot) }
            startSweeping()
        }
        park(waiter, connection, slot)
    }

    /// A connection that was in use is closed, or about to be.
    func connectionIsGone(_ connection: HTTP1Connection) {
        guard let slot = connection.slot else { return }
        connect(slot, for: slot.pool.retire())
        tidy(slot)
        reportIfDrained()
    }

    /// A connection closed while it was unused.
    func idleConnectionIsGone(_ connection: HTTP1Connection) {
        guard let slot = connection.slot, slot.pool.removeIdle(connection) else { return }
        connect(slot, for: slot.pool.attemptForNext())
        tidy(slot)
        reportIfDrained()
    }

    /// An attempt has led to a connection.
    func attemptSucceeded(_ attempt: ConnectionAttempt, _ connection: HTTP1Connection) {
        let slot = attempt.slot
        slot.attempts[attempt.number] = nil
        connection.slot = slot
        if let onConnectionEvent = configuration.onConnectionEvent {
            connection.monitor = ConnectionMonitor(
                slot.origin,
                "HTTP/1.1",
                to: connection.remoteAddress,
                onConnectionEvent
            )
        }
        park(slot.pool.opened(attempt.number, connection, at: .now), connection, slot)
        // Exchanges that waited for a shared connection now need one each.
        while let next = slot.pool.attemptForNext() { connect(slot, for: next) }
    }

    /// An attempt has failed.
    func attemptFailed(_ attempt: ConnectionAttempt, _ failure: TransportFailure) {
        let slot = attempt.slot
        slot.attempts[attempt.number] = nil
        if slot.pool.isConnectingShared { return sharedAttemptFailed(attempt, failure) }
        let (waiter, next) = slot.pool.failed(attempt.number)
        connect(slot, for: next)
        tidy(slot)
        if let waiter {
            if slot.pool.idleCount > 0, waiter.request.connection == .any { return lease(waiter, usesAny: true) }
            remove(waiter)
            waiter.fail(failure)
        } else {
            reportIfDrained()
        }
    }

    func connect(_ slot: OriginSlot, for number: Int?) {
        guard let number, let waiter = slot.pool.waiter(number) else { return }
        if case .queued = waiter.state { waiter.enter(.connecting(slot, number: number)) }
        let attempt = ConnectionAttempt(engine: self, slot: slot, number: number, clock: waiter.request.clock)
        slot.attempts[number] = attempt
        attempt.start()
    }

    /// Starts the next exchange in line, or keeps the connection for later.
    private func park(_ waiter: NIOExchange?, _ connection: HTTP1Connection, _ slot: OriginSlot) {
        if let waiter { return connection.begin(waiter) }
        connection.monitor?.note(.idle)
        limitIdleConnections()
        offer(connection, slot)
        startReaping()
    }

    // MARK: Idle connections

    /// Closes unused connections above the limit, or all during a shutdown; called when one has become unused.
    func limitIdleConnections() {
        if drained != nil { return closeIdle(since: .now) }
        if idleAllowance > 0 {
            idleAllowance -= 1
            return
        }
        let maximum = configuration.maximumIdleConnections
        let excess = idleConnectionCount - maximum
        // A few more, since counting takes time for each origin.
        let evicted = excess > 0 ? max(excess, maximum / 16) : 0
        for _ in 0..<evicted { evictOldestIdle() }
        idleAllowance = evicted - excess
    }

    private func evictOldestIdle() {
        let candidates = slots.values.filter { $0.oldestIdle != nil }
        let oldest = candidates.min { ($0.oldestIdle ?? .now) < ($1.oldestIdle ?? .now) }
        guard let oldest else { return }
        if let shared = oldest.oldestIdleShared, shared.idleSince == oldest.oldestIdle { return closeIdle(shared) }
        guard let connection = oldest.pool.removeOldestIdle() else { return }
        closeUnused(connection, oldest)
        tidy(oldest)
    }

    func startReaping() {
        if isReaping { return }
        isReaping = true
        eventLoop.scheduleTask(in: .seconds(1)) { self.reap() }
    }

    private func reap() {
        closeIdle(since: .now - configuration.idleLifetime)
        isReaping = false
        if idleConnectionCount > 0 { startReaping() }
        reportIfDrained()
    }

    /// Closes the connections that have been unused since before an instant.
    private func closeIdle(since limit: Moment) {
        for slot in Array(slots.values) {
            for connection in slot.pool.removeIdle(since: limit) { closeUnused(connection, slot) }
            while let shared = slot.oldestIdleShared, let since = shared.idleSince, since <= limit { closeIdle(shared) }
            tidy(slot)
        }
    }

    private func slot(for exchange: NIOExchange) -> OriginSlot {
        let version = version(for: exchange)
        let isForLargeHeads = version != .http1 && needsOwnConnection(exchange)
        if let lastSlot, lastSlot.key.version == version,
            lastSlot.key.offersIdentity == exchange.offersIdentity,
            lastSlot.key.isForLargeHeads == isForLargeHeads,
            lastSlot.key.route.isDirect && exchange.outgoing.route.isDirect
                || lastSlot.key.route == exchange.outgoing.route,
            lastSlot.key.origin == exchange.request.origin
        {
            return lastSlot
        }
        var key = OriginSlot.Key(
            origin: exchange.request.origin,
            version: version,
            offersIdentity: exchange.offersIdentity,
            route: exchange.outgoing.route
        )
        // Over HTTP/1.1, no other exchange shares the connection.
        if isForLargeHeads, slots[key]?.pool.isShared ?? true { key.isForLargeHeads = true }
        let slot = slots[key] ?? makeSlot(key)
        lastSlot = slot
        return slot
    }

    private func makeSlot(_ key: OriginSlot.Key) -> OriginSlot {
        // If the version is still to be negotiated, one connection finds out, instead of a handshake for each in line.
        let isShared = key.version != .http1 && !key.isForLargeHeads
        let slot = OriginSlot(key: key, maximum: configuration.maximumConnectionsPerOrigin, isShared: isShared)
        slots[key] = slot
        return slot
    }

    /// Forgets an origin without connections or waiters, so that memory does not grow with the origins seen.
    func tidy(_ slot: OriginSlot) {
        guard slot.pool.isEmpty, slots[slot.key] === slot else { return }
        slots[slot.key] = nil
        if lastSlot === slot { lastSlot = nil }
        if slot.takesCallers { stack.forget(slot.origin) }
    }

    // MARK: Shutdown

    /// Accepts no more exchanges, closes idle connections, and completes when the running exchanges have ended.
    func shutDown(immediately: Bool) -> EventLoopFuture<Void> {
        let promise = drained ?? eventLoop.makePromise(of: Void.self)
        drained = promise
        if immediately {
            isHurried = true
            for connection in parting { connection.endParting() }
        }
        closeIdle(since: .now)
        if immediately {
            while let exchange = running.last { abandon(exchange, error: TransportFailure.shutDown(exchange.fate)) }
        }
        reportIfDrained()
        return promise.futureResult
    }

    /// Abandons an origin's attempts, for which no exchange waits any more.
    private func abandonAttempts(_ slot: OriginSlot) {
        for (number, attempt) in slot.attempts {
            attempt.abandon()
            _ = slot.pool.failed(number)
        }
        slot.attempts = [:]
        tidy(slot)
    }

    /// How many connections are in use, idle or being opened.
    var connectionCount: Int { slots.values.reduce(0) { $0 + $1.pool.connectionCount } }

    /// How many connections are idle.
    var idleConnectionCount: Int { slots.values.reduce(0) { $0 + $1.idleCount } }

    func reportIfDrained() {
        guard let drained, running.isEmpty else { return }
        // There is no one left to use their connections.
        for slot in Array(slots.values) { abandonAttempts(slot) }
        if parting.isEmpty, slots.values.allSatisfy(\.pool.isEmpty) { drained.succeed() }
    }
}

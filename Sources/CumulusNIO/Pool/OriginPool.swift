// SPDX-License-Identifier: Apache-2.0

import CumulusCore

/// The connections to one origin and the line of those who wait for one: who gets which, and when to open another.
///
/// A state machine without I/O or clock. Idle connections are reused last in, first out, so that the surplus grows
/// old; waiters are served first come, first served, by whatever connection is ready first. An attempt to connect is
/// begun for a waiter, yet serves whoever is first in line when it succeeds.
struct OriginPool<Connection: AnyObject, Waiter: AnyObject> {
    /// What somebody who needs a connection gets.
    enum Lease {
        /// An idle connection.
        case use(Connection)
        /// A place in line and the order to open a connection; one that is idle makes room where the limit says so.
        case connect(ticket: Int, closing: Connection?)
        /// A place in line; the limit is reached.
        case wait(ticket: Int)
    }

    /// A connection that nobody uses, and since when.
    private struct Parked {
        var connection: Connection
        var since: Moment
    }

    private let maximum: Int
    private var idle: [Parked] = []
    private var line: [Int: Waiter] = [:]
    private var firstTicket = 0
    private var nextTicket = 0
    private var attempts: Set<Int> = []
    /// Connections in use, idle and being opened.
    private(set) var connectionCount = 0
    /// Whether a connection carries many exchanges at once, as far as is known: then one is opened at a time.
    private(set) var isShared: Bool
    /// Shared connections that take exchanges; their owner knows which.
    private var sharedCount = 0

    /// An empty pool that holds at most so many connections.
    init(maximum: Int, isShared: Bool = false) {
        self.maximum = max(1, maximum)
        self.isShared = isShared
    }

    /// How many connections are idle.
    var idleCount: Int { idle.count }
    /// How many are in line.
    var waiterCount: Int { line.count }
    /// Whether there is nothing to remember.
    var isEmpty: Bool { connectionCount == 0 && line.isEmpty }
    /// Since when the connection that has been idle for longest is idle.
    var oldestIdle: Moment? { idle.first?.since }

    /// Asks for a connection; `fresh` refuses those that were idle.
    mutating func lease(_ waiter: Waiter, fresh: Bool = false) -> Lease {
        if !fresh, let parked = idle.popLast() { return .use(parked.connection) }
        let ticket = nextTicket
        nextTicket += 1
        line[ticket] = waiter
        var closing: Connection?
        if connectionCount >= maximum, !idle.isEmpty, !isWaitingForShared {
            closing = idle.removeFirst().connection
            connectionCount -= 1
        }
        guard mayConnect else { return .wait(ticket: ticket) }
        begin(attempt: ticket)
        return .connect(ticket: ticket, closing: closing)
    }

    /// The one who holds a ticket.
    func waiter(_ ticket: Int) -> Waiter? { line[ticket] }

    /// An attempt succeeded: the next in line, who now uses the connection, or `nil` if it was parked.
    mutating func opened(_ ticket: Int, _ connection: Connection, at now: Moment) -> Waiter? {
        attempts.remove(ticket)
        isShared = false
        return release(connection, at: now)
    }

    /// An attempt led to a connection that is shared; returns the attempts that are not needed any more.
    mutating func openedShared(_ ticket: Int) -> [Int] {
        attempts.remove(ticket)
        isShared = true
        sharedCount += 1
        let surplus = attempts.sorted()
        attempts = []
        connectionCount -= surplus.count
        return surplus
    }

    /// A shared connection takes no more exchanges: the ticket to open another for, if somebody waits.
    mutating func drainShared() -> Int? {
        sharedCount -= 1
        return attemptForNext()
    }

    /// The next in line, for a shared connection with room.
    mutating func popShared() -> Waiter? { popWaiter() }

    /// Whether those in line wait for an attempt that is to serve them all.
    var isConnectingShared: Bool { isShared && sharedCount == 0 && !attempts.isEmpty }

    /// All that are in line, by their tickets, in their order.
    var waiters: [(ticket: Int, waiter: Waiter)] {
        line.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    private var isWaitingForShared: Bool { isShared && (sharedCount > 0 || !attempts.isEmpty) }
    private var mayConnect: Bool { connectionCount < maximum && !isWaitingForShared }

    /// An attempt failed: its waiter if that still waits, and the ticket to open a connection for instead.
    mutating func failed(_ ticket: Int) -> (waiter: Waiter?, connect: Int?) {
        guard attempts.remove(ticket) != nil else { return (nil, nil) }
        connectionCount -= 1
        return (line.removeValue(forKey: ticket), attemptForNext())
    }

    /// A connection is free: the next in line, who now uses it, or `nil` if it was parked.
    mutating func release(_ connection: Connection, at now: Moment) -> Waiter? {
        if let waiter = popWaiter() { return waiter }
        idle.append(Parked(connection: connection, since: now))
        return nil
    }

    /// The connections that are idle.
    var idleConnections: [Connection] { idle.map(\.connection) }

    /// An idle connection is in use; false if it wasn't idle.
    mutating func take(_ connection: Connection) -> Bool {
        guard let index = idle.lastIndex(where: { $0.connection === connection }) else { return false }
        idle.remove(at: index)
        return true
    }

    /// A connection that was just taken out is in use after all.
    mutating func readmit() { connectionCount += 1 }

    /// A connection in use is gone: the ticket to open another for, if somebody waits.
    mutating func retire() -> Int? {
        connectionCount -= 1
        return attemptForNext()
    }

    /// Takes an idle connection out of the pool; false if it isn't idle.
    mutating func removeIdle(_ connection: Connection) -> Bool {
        guard take(connection) else { return false }
        connectionCount -= 1
        return true
    }

    /// Takes the connection out that has been idle for longest.
    mutating func removeOldestIdle() -> Connection? {
        guard !idle.isEmpty else { return nil }
        connectionCount -= 1
        return idle.removeFirst().connection
    }

    /// Leaves the line: whether the attempt begun for the ticket is to be given up, and who gets its place.
    mutating func leave(_ ticket: Int) -> (abandonAttempt: Bool, connect: Int?) {
        guard line.removeValue(forKey: ticket) != nil else { return (false, nil) }
        // An attempt that somebody else in line can use goes on.
        guard attempts.count > line.count, attempts.remove(ticket) != nil else { return (false, nil) }
        connectionCount -= 1
        return (true, attemptForNext())
    }

    /// Takes out all that have been idle since before an instant.
    mutating func removeIdle(since limit: Moment) -> [Connection] {
        // They are ordered by their instant of parking.
        let old = idle.prefix { $0.since <= limit }.map(\.connection)
        idle.removeFirst(old.count)
        connectionCount -= old.count
        return old
    }

    private mutating func begin(attempt ticket: Int) {
        attempts.insert(ticket)
        connectionCount += 1
    }

    private mutating func popWaiter() -> Waiter? {
        if line.isEmpty {
            firstTicket = nextTicket
            return nil
        }
        while firstTicket < nextTicket {
            defer { firstTicket += 1 }
            if let waiter = line.removeValue(forKey: firstTicket) { return waiter }
        }
        return nil
    }

    /// Begins an attempt for the first in line who has none, if there are fewer attempts than waiters.
    mutating func attemptForNext() -> Int? {
        guard attempts.count < line.count, mayConnect else { return nil }
        var ticket = firstTicket
        while ticket < nextTicket {
            if line[ticket] != nil, !attempts.contains(ticket) {
                begin(attempt: ticket)
                return ticket
            }
            ticket += 1
        }
        return nil
    }
}

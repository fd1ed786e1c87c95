// SPDX-License-Identifier: Apache-2.0

import CumulusCore

/// Whether a request may use an idle connection.
enum ConnectionReuse {
    /// It may.
    case allowed
    /// Only if no other connection is idle or can be opened.
    case ifNeeded
    /// It may not, because the server may be closing the connection.
    case denied
}

/// The connections to one origin and the line of waiters: which waiter gets which connection, and when to open another.
///
/// A state machine without I/O or clock. Idle connections are reused last in, first out, so that surplus ones grow old;
/// waiters are served first come, first served, by the first connection that is ready. An attempt to connect is started
/// for a waiter, but serves the first in line when it succeeds. There are no more attempts than waiters: a server that
/// accepts connections slowly would otherwise get another one for each request that an earlier connection serves.
struct OriginPool<Connection: AnyObject, Waiter: AnyObject> {
    /// The result of requesting a connection.
    enum Lease {
        /// An idle connection.
        case use(Connection)
        /// A place in line and the instruction to open a connection, after closing an idle one if the limit requires
        /// it.
        case connect(number: Int, closing: Connection?)
        /// A place in line; the limit is reached, or an attempt is running that an earlier request no longer needs.
        case wait(number: Int)
    }

    /// An unused connection, and when it became idle.
    private struct Parked {
        var connection: Connection
        var since: Moment
    }

    /// How many idle connections are kept while requests avoid all of them.
    private static var mostAvoided: Int { 2 }

    private let maximum: Int
    private var idle: [Parked] = []
    private var line: [Int: Waiter] = [:]
    private var firstNumber = 0
    private var nextNumber = 0
    private var attempts: Set<Int> = []
    /// The attempts that take so long that waiters no longer rely on them.
    private var lateAttempts: Set<Int> = []
    /// Every number in line before this one has an attempt, or is in `returned`.
    private var firstUnexamined = 0
    /// The numbers whose attempt ended before their wait, in order.
    private var returned: [Int] = []
    /// The first number that did not exist when a shared connection was opened last.
    private var firstSinceShared = 0
    /// Connections in use, idle and being opened.
    private(set) var connectionCount = 0
    /// Whether connections carry many exchanges at once, as far as known: then only one is opened at a time.
    private(set) var isShared: Bool
    /// Shared connections that accept exchanges; their owner knows which.
    private var sharedCount = 0

    /// Creates an empty pool with a maximum number of connections.
    init(maximum: Int, isShared: Bool = false) {
        self.maximum = max(1, maximum)
        self.isShared = isShared
    }

    /// How many connections are idle.
    var idleCount: Int { idle.count }
    /// How many waiters are in line.
    var waiterCount: Int { line.count }
    /// Whether the pool has neither connections nor waiters.
    var isEmpty: Bool { connectionCount == 0 && line.isEmpty }
    /// When the longest-idle connection became idle.
    var oldestIdle: Moment? { idle.first?.since }

    /// Assigns a connection to a request, immediately or when one is available.
    ///
    /// - Parameters:
    ///   - waiter: The request.
    ///   - fresh: Whether idle connections are excluded.
    ///   - reuse: Whether the request may use an idle connection.
    /// - Returns: A connection, or a place in line.
    mutating func lease(
        _ waiter: Waiter,
        fresh: Bool = false,
        reuse: (Connection) -> ConnectionReuse = { _ in .allowed }
    ) -> Lease {
        if !fresh, !idle.isEmpty {
            let mayOpen = mayConnect && idle.count < Self.mostAvoided
            let index =
                idle.lastIndex { reuse($0.connection) == .allowed }
                ?? (mayOpen ? nil : idle.firstIndex { reuse($0.connection) == .ifNeeded })
            if let index { return .use(idle.remove(at: index).connection) }
        }
        let number = enqueue(waiter)
        if hasAttemptForEach { return .wait(number: number) }
        let closing = fresh ? makeRoom() : isWaitingForShared ? nil : removeSurplusIdle()
        guard mayConnect else { return .wait(number: number) }
        begin(attempt: number)
        return .connect(number: number, closing: closing)
    }

    /// Removes the oldest idle connection if the limit is reached.
    private mutating func makeRoom() -> Connection? {
        connectionCount >= maximum && !isWaitingForShared ? removeOldestIdle() : nil
    }

    /// Removes the most recent of the idle connections that the waiters must not use, if there are several.
    ///
    /// The oldest one stays: it shows whether the server keeps its connections after all.
    mutating func removeSurplusIdle() -> Connection? {
        guard idle.count >= Self.mostAvoided else { return nil }
        connectionCount -= 1
        return idle.removeLast().connection
    }

    /// Adds a waiter to the line, and returns its number.
    private mutating func enqueue(_ waiter: Waiter) -> Int {
        defer { nextNumber += 1 }
        if line.isEmpty { firstNumber = nextNumber }
        line[nextNumber] = waiter
        return nextNumber
    }

    /// All waiters in line with their numbers, in order; sorted, so not for each request.
    var waiters: [(number: Int, waiter: Waiter)] {
        line.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    /// The waiter with a number.
    func waiter(_ number: Int) -> Waiter? { line[number] }

    /// An attempt succeeded: returns the next in line, which now uses the connection, or `nil` if it was parked.
    mutating func opened(_ number: Int, _ connection: Connection, at now: Moment) -> Waiter? {
        end(attempt: number)
        isShared = false
        let waiter = release(connection, at: now)
        noteEnded(attempt: number)
        return waiter
    }

    /// An attempt led to a shared connection, or to one of the same kind that carries one exchange at a time.
    ///
    /// - Returns: The attempts that are no longer needed, and the numbers that may have waited for one of the attempts.
    mutating func openedShared(_ number: Int, isExclusive: Bool = false) -> (surplus: [Int], connecting: [Int]) {
        end(attempt: number)
        isShared = !isExclusive
        sharedCount += 1
        let surplus = isExclusive ? [] : attempts.sorted()
        for number in surplus { end(attempt: number) }
        connectionCount -= surplus.count
        let ended = (surplus + [number]).sorted()
        for number in ended { noteEnded(attempt: number) }
        let latest = max(firstSinceShared, firstNumber)..<nextNumber
        firstSinceShared = nextNumber
        return (surplus, ended.filter { !latest.contains($0) } + latest)
    }

    /// A shared connection accepts no more exchanges: returns the number of the waiter to open another for, if any.
    mutating func drainShared() -> Int? {
        sharedCount -= 1
        return attemptForNext()
    }

    /// The next in line, for a shared connection with room.
    mutating func popShared() -> Waiter? { popWaiter() }

    /// Whether the waiters in line wait for one attempt that will serve them all.
    var isConnectingShared: Bool { isShared && sharedCount == 0 && !attempts.isEmpty }

    private var isWaitingForShared: Bool { isShared && (sharedCount > 0 || !attempts.isEmpty) }
    private var mayConnect: Bool { connectionCount < maximum && !isWaitingForShared }

    /// An attempt failed: returns its waiter if it still waits, and the number to open a connection for instead.
    mutating func failed(_ number: Int) -> (waiter: Waiter?, connect: Int?) {
        guard end(attempt: number) else { return (nil, nil) }
        connectionCount -= 1
        return (line.removeValue(forKey: number), attemptForNext())
    }

    /// An attempt takes long: waiters no longer rely on it; returns the number to open another connection for.
    mutating func noteLate(_ number: Int) -> Int? {
        guard attempts.contains(number), lateAttempts.insert(number).inserted else { return nil }
        return attemptForNext()
    }

    /// A connection is free: returns the next in line, which now uses it, or `nil` if it was parked; `suits` decides
    /// whether that waiter may use it.
    mutating func release(
        _ connection: Connection,
        at now: Moment,
        suits: (Waiter) -> Bool = { _ in true }
    ) -> Waiter? {
        if let waiter = popWaiter(where: suits) { return waiter }
        idle.append(Parked(connection: connection, since: now))
        return nil
    }

    /// The idle connections.
    var idleConnections: [Connection] { idle.map(\.connection) }

    /// Marks an idle connection as used; false if it wasn't idle.
    mutating func take(_ connection: Connection) -> Bool {
        guard let index = idle.lastIndex(where: { $0.connection === connection }) else { return false }
        idle.remove(at: index)
        return true
    }

    /// Marks a connection that was just removed as used after all.
    mutating func readmit() { connectionCount += 1 }

    /// A used connection is gone: returns the number of the waiter to open another for, if any.
    mutating func retire() -> Int? {
        connectionCount -= 1
        return attemptForNext()
    }

    /// Removes an idle connection from the pool; false if it isn't idle.
    mutating func removeIdle(_ connection: Connection) -> Bool {
        guard take(connection) else { return false }
        connectionCount -= 1
        return true
    }

    /// Removes the longest-idle connection.
    mutating func removeOldestIdle() -> Connection? {
        guard !idle.isEmpty else { return nil }
        connectionCount -= 1
        return idle.removeFirst().connection
    }

    /// Leaves the line; returns whether to abandon the number's attempt, and the number that gets its place.
    mutating func leave(_ number: Int) -> (abandonAttempt: Bool, connect: Int?) {
        guard line.removeValue(forKey: number) != nil else { return (false, nil) }
        // An attempt that another waiter in line can use continues.
        guard attempts.count > line.count, end(attempt: number) else { return (false, nil) }
        connectionCount -= 1
        return (true, attemptForNext())
    }

    /// Removes all connections that have been idle since before an instant.
    mutating func removeIdle(since limit: Moment) -> [Connection] {
        // They are ordered by their parking time.
        let old = idle.prefix { $0.since <= limit }.map(\.connection)
        idle.removeFirst(old.count)
        connectionCount -= old.count
        return old
    }

    private mutating func begin(attempt number: Int) {
        attempts.insert(number)
        connectionCount += 1
    }

    /// Ends an attempt; false if no attempt has this number.
    @discardableResult
    private mutating func end(attempt number: Int) -> Bool {
        lateAttempts.remove(number)
        return attempts.remove(number) != nil
    }

    private mutating func popWaiter(where suits: (Waiter) -> Bool = { _ in true }) -> Waiter? {
        if line.isEmpty {
            firstNumber = nextNumber
            return nil
        }
        while firstNumber < nextNumber {
            if let waiter = line[firstNumber] {
                guard suits(waiter) else { return nil }
                line[firstNumber] = nil
                firstNumber += 1
                return waiter
            }
            firstNumber += 1
        }
        return nil
    }

    /// Whether there is an attempt for each waiter.
    var hasAttemptForEach: Bool { attempts.count - lateAttempts.count >= line.count }

    /// Starts an attempt for the first in line without one, if there are fewer attempts than waiters.
    mutating func attemptForNext() -> Int? {
        guard !hasAttemptForEach, mayConnect, let number = takeFirstWithoutAttempt() else { return nil }
        begin(attempt: number)
        return number
    }

    /// Records that an attempt has ended, though perhaps not the wait it was started for.
    private mutating func noteEnded(attempt number: Int) {
        guard line[number] != nil, number < firstUnexamined else { return }
        // There are never more than the pool may have connections: they are taken before other numbers.
        returned.insert(number, at: returned.firstIndex { $0 > number } ?? returned.endIndex)
    }

    /// Removes the first in line without an attempt from those that are to get one.
    ///
    /// A number is examined once, and again after an attempt for it: a search from the line's beginning for each attempt
    /// would take quadratic time where a server refuses all of them.
    private mutating func takeFirstWithoutAttempt() -> Int? {
        while !returned.isEmpty {
            let number = returned.removeFirst()
            if line[number] != nil, !attempts.contains(number) { return number }
        }
        firstUnexamined = max(firstUnexamined, firstNumber)
        while firstUnexamined < nextNumber {
            defer { firstUnexamined += 1 }
            if line[firstUnexamined] != nil, !attempts.contains(firstUnexamined) { return firstUnexamined }
        }
        return nil
    }
}

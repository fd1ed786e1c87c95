// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import TestSupport
import Testing

@testable import CumulusNIO

@Suite(.serialized) struct OriginPoolTests {
    private final class Thing {
        let name: String
        init(_ name: String) { self.name = name }
    }

    private typealias Pool = OriginPool<Thing, Thing>
    private let start = Moment.now

    private func number(_ lease: Pool.Lease) -> (number: Int, connects: Bool)? {
        switch lease {
        case .use: nil
        case .connect(let number, _): (number, true)
        case .wait(let number): (number, false)
        }
    }

    @Test func opensAConnectionForTheFirstAndServesIt() throws {
        var pool = Pool(maximum: 2)
        let waiter = Thing("a")
        let lease = try #require(number(pool.lease(waiter)))
        #expect(lease.connects)
        #expect(pool.connectionCount == 1 && pool.waiterCount == 1)
        #expect(pool.opened(lease.number, Thing("c"), at: start) === waiter)
        #expect(pool.connectionCount == 1 && pool.waiterCount == 0)
    }

    @Test func reusesTheLastParkedFirst() throws {
        var pool = Pool(maximum: 4)
        let connections = [Thing("1"), Thing("2"), Thing("3")]
        for connection in connections {
            let lease = try #require(number(pool.lease(Thing("w"))))
            #expect(pool.opened(lease.number, connection, at: start) != nil)
        }
        for (index, connection) in connections.enumerated() {
            #expect(pool.release(connection, at: start + .seconds(index)) == nil)
        }
        guard case .use(let first) = pool.lease(Thing("x")) else {
            Issue.record("no reuse")
            return
        }
        #expect(first === connections[2])
        #expect(pool.oldestIdle == start)
        #expect(pool.removeIdle(since: start + .milliseconds(500)).map(\.name) == ["1"])
        #expect(pool.connectionCount == 2)
    }

    @Test func usesTheOldestConnectionToBeAvoidedWhereNoOtherMayBeOpened() throws {
        var pool = Pool(maximum: 1)
        let connection = Thing("1")
        let lease = try #require(number(pool.lease(Thing("w"))))
        #expect(pool.opened(lease.number, connection, at: start) != nil)
        #expect(pool.release(connection, at: start) == nil)
        guard case .use(let used) = pool.lease(Thing("x"), reuse: { _ in .ifNeeded }) else {
            Issue.record("waits")
            return
        }
        #expect(used === connection)
    }

    @Test func avoidsTwoIdleConnectionsAndUsesTheOldestOfMore() throws {
        var pool = Pool(maximum: 10)
        var connections: [Thing] = []
        for count in 0..<2 {
            let lease = try #require(number(pool.lease(Thing("w"), reuse: { _ in .ifNeeded })))
            #expect(lease.connects)
            connections.append(Thing("\(count)"))
            #expect(pool.opened(lease.number, connections[count], at: start) != nil)
            for connection in connections { _ = pool.take(connection) }
            for (index, connection) in connections.enumerated() {
                #expect(pool.release(connection, at: start + .seconds(index)) == nil)
            }
        }
        guard case .use(let oldest) = pool.lease(Thing("x"), reuse: { _ in .ifNeeded }) else {
            Issue.record("a third connection is opened")
            return
        }
        #expect(oldest === connections[0])
        guard case .use(let other) = pool.lease(Thing("y"), reuse: { $0 === connections[0] ? .ifNeeded : .allowed })
        else {
            Issue.record("a connection is avoided that need not be")
            return
        }
        #expect(other === connections[1])
    }

    @Test("a request that may use none of two idle connections replaces the most recent one")
    func replacedConnection() throws {
        var pool = Pool(maximum: 3)
        let connections = [Thing("1"), Thing("2")]
        for connection in connections {
            let lease = try #require(number(pool.lease(Thing("w"))))
            #expect(pool.opened(lease.number, connection, at: start) != nil)
        }
        for connection in connections { #expect(pool.release(connection, at: start) == nil) }
        guard case .connect(_, let closing) = pool.lease(Thing("x"), reuse: { _ in .denied }) else {
            Issue.record("no new connection")
            return
        }
        #expect(closing === connections[1])
        #expect(pool.connectionCount == 2 && pool.idleCount == 1)
    }

    @Test("a request waits where the only connection must not be used, and gets the place of one that is closed")
    func waitingForTheOnlyConnection() throws {
        var pool = Pool(maximum: 1)
        let connection = Thing("1")
        let first = try #require(number(pool.lease(Thing("w"))))
        #expect(pool.opened(first.number, connection, at: start) != nil)
        let second = try #require(number(pool.lease(Thing("x"))))
        #expect(!second.connects)
        #expect(pool.release(connection, at: start, suits: { _ in false }) == nil)
        #expect(pool.idleCount == 1 && pool.waiterCount == 1)
        let third = try #require(number(pool.lease(Thing("y"), reuse: { _ in .denied })))
        #expect(!third.connects)
        let isRemoved = pool.removeIdle(connection)
        #expect(isRemoved)
        #expect(pool.attemptForNext() == second.number)
        #expect(pool.connectionCount == 1)
    }

    @Test("there are no more attempts than waiters, unless an attempt takes long")
    func attemptsForWaiters() throws {
        var pool = Pool(maximum: 10)
        let (waiters, connection) = (["a", "b", "c", "d"].map(Thing.init), Thing("1"))
        let first = try #require(number(pool.lease(waiters[0])))
        #expect(pool.opened(first.number, connection, at: start) === waiters[0])
        let slow = try #require(number(pool.lease(waiters[1])))
        #expect(slow.connects)
        // The second is served by the first connection, and the third gets the attempt that was started for it.
        #expect(pool.release(connection, at: start) === waiters[1])
        let third = try #require(number(pool.lease(waiters[2])))
        #expect(!third.connects && pool.connectionCount == 2)
        #expect(pool.noteLate(slow.number) == third.number)
        #expect(pool.noteLate(slow.number) == nil)
        #expect(pool.connectionCount == 3)
        #expect(pool.opened(slow.number, Thing("2"), at: start) === waiters[2])
        let fourth = number(pool.lease(waiters[3]))
        #expect(fourth?.connects == false)
        #expect(pool.opened(third.number, Thing("3"), at: start) === waiters[3])
    }

    @Test func servesTheLineInOrder() throws {
        var pool = Pool(maximum: 1)
        let waiters = ["a", "b", "c"].map(Thing.init)
        let connection = Thing("c")
        let first = try #require(number(pool.lease(waiters[0])))
        for waiter in waiters.dropFirst() {
            let lease = number(pool.lease(waiter))
            #expect(lease?.connects == false)
        }
        #expect(pool.opened(first.number, connection, at: start) === waiters[0])
        #expect(pool.release(connection, at: start) === waiters[1])
        #expect(pool.release(connection, at: start) === waiters[2])
        #expect(pool.release(connection, at: start) == nil)
        #expect(pool.idleCount == 1 && pool.connectionCount == 1)
    }

    @Test func givesAFreeConnectionToWhoeverWaitsWhileAnotherIsBeingOpened() throws {
        var pool = Pool(maximum: 2)
        let (a, b) = (Thing("a"), Thing("b"))
        let one = Thing("1")
        let first = try #require(number(pool.lease(a)))
        #expect(pool.opened(first.number, one, at: start) === a)
        let second = try #require(number(pool.lease(b)))
        #expect(pool.release(one, at: start) === b)
        // The attempt started for b finds no waiter and is kept for later.
        #expect(pool.opened(second.number, Thing("2"), at: start) == nil)
        #expect(pool.idleCount == 1 && pool.connectionCount == 2)
    }

    @Test func aFailedAttemptFailsItsOwnWaiterAndTriesForTheNext() throws {
        var pool = Pool(maximum: 1)
        let (a, b) = (Thing("a"), Thing("b"))
        let first = try #require(number(pool.lease(a)))
        let second = try #require(number(pool.lease(b)))
        let outcome = pool.failed(first.number)
        #expect(outcome.waiter === a)
        #expect(outcome.connect == second.number)
        #expect(pool.connectionCount == 1)
        #expect(pool.failed(second.number).waiter === b)
        #expect(pool.isEmpty)
    }

    @Test func aConnectionLostMakesRoomForTheNext() throws {
        var pool = Pool(maximum: 1)
        let first = try #require(number(pool.lease(Thing("a"))))
        #expect(pool.opened(first.number, Thing("1"), at: start) != nil)
        let second = try #require(number(pool.lease(Thing("b"))))
        #expect(pool.retire() == second.number)
        #expect(pool.connectionCount == 1)
    }

    @Test func leavingTheLineGivesUpTheAttemptOnlyIfNobodyElseNeedsIt() throws {
        var pool = Pool(maximum: 2)
        let first = try #require(number(pool.lease(Thing("a"))))
        let second = try #require(number(pool.lease(Thing("b"))))
        let third = try #require(number(pool.lease(Thing("c"))))
        #expect(!third.connects)
        // The attempt of the first continues for the third.
        let left = pool.leave(first.number)
        #expect(!left.abandonAttempt && left.connect == nil)
        #expect(pool.leave(second.number).abandonAttempt)
        #expect(pool.connectionCount == 1 && pool.waiterCount == 1)
        #expect(pool.leave(first.number).abandonAttempt == false)
    }

    @Test func aFreshLeaseMakesRoomAmongTheIdle() throws {
        var pool = Pool(maximum: 1)
        let idle = Thing("1")
        let first = try #require(number(pool.lease(Thing("a"))))
        #expect(pool.opened(first.number, idle, at: start) != nil)
        #expect(pool.release(idle, at: start) == nil)
        guard case .connect(_, let closing) = pool.lease(Thing("b"), fresh: true) else {
            Issue.record("no new connection")
            return
        }
        #expect(closing === idle)
        #expect(pool.connectionCount == 1 && pool.idleCount == 0)
    }

    @Test func neverExceedsTheMaximumWhateverHappens() throws {
        var random = SplitMix(state: 7)
        var pool = Pool(maximum: 3)
        var used: [Thing] = []
        var parked: [Thing] = []
        var attempts: [Int] = []
        var numbers: [Int] = []
        func note(_ connect: Int?) { if let connect { attempts.append(connect) } }
        for step in 0..<SlowTests.rounds(5_000, of: 20_000) {
            switch random.next() % 6 {
            case 0, 1:
                switch pool.lease(Thing("\(step)"), fresh: random.next() % 4 == 0) {
                case .use(let connection):
                    parked.removeAll { $0 === connection }
                    used.append(connection)
                case .connect(let number, let closing):
                    parked.removeAll { $0 === closing }
                    attempts.append(number)
                    numbers.append(number)
                case .wait(let number): numbers.append(number)
                }
            case 2 where !attempts.isEmpty:
                let connection = Thing("c\(step)")
                let waiter = pool.opened(attempts.removeFirst(), connection, at: start)
                if waiter == nil { parked.append(connection) } else { used.append(connection) }
            case 3 where !attempts.isEmpty: note(pool.failed(attempts.removeLast()).connect)
            case 4 where !used.isEmpty:
                let connection = used.removeFirst()
                if random.next() % 2 == 0 {
                    note(pool.retire())
                } else if pool.release(connection, at: start) == nil {
                    parked.append(connection)
                } else {
                    used.append(connection)
                }
            case 5 where !numbers.isEmpty:
                let number = numbers.remove(at: Int(random.next() % UInt64(numbers.count)))
                let left = pool.leave(number)
                if left.abandonAttempt { attempts.removeAll { $0 == number } }
                note(left.connect)
            default: break
            }
            #expect(pool.connectionCount <= 3)
            #expect(pool.connectionCount == used.count + parked.count + attempts.count)
            #expect(pool.idleCount == parked.count)
            #expect(pool.waiterCount == 0 || pool.idleCount == 0 || pool.connectionCount <= 3)
            // Every waiter has a chance of a connection.
            #expect(pool.waiterCount == 0 || !used.isEmpty || !attempts.isEmpty || !parked.isEmpty)
        }
    }

    @Test("an attempt is started for the first in line without one, whatever happened before")
    func attemptsAreStartedInOrder() throws {
        var random = SplitMix(state: 11)
        var pool = Pool(maximum: 5)
        var (line, attempts): (Set<Int>, Set<Int>) = ([], [])
        var used = 0
        func note(_ connect: Int?) {
            guard let connect else { return }
            #expect(connect == line.subtracting(attempts).min())
            attempts.insert(connect)
        }
        func serve(_ waiter: Thing?) {
            guard let number = waiter.flatMap({ Int($0.name) }) else { return }
            #expect(number == line.min())
            line.remove(number)
            used += 1
        }
        var leases = 0
        for _ in 0..<SlowTests.rounds(5_000, of: 50_000) {
            switch random.next() % 5 {
            case 0, 1:
                // The name is the number in line.
                let lease = pool.lease(Thing("\(leases)"), fresh: true)
                #expect(number(lease)?.number == leases)
                line.insert(leases)
                if number(lease)?.connects == true { attempts.insert(leases) }
                leases += 1
            case 2 where !attempts.isEmpty:
                let attempt = attempts.remove(at: attempts.startIndex)
                let waiter = pool.opened(attempt, Thing("c"), at: start)
                serve(waiter)
                // A connection that no request waits for is not kept, so that each lease waits in line.
                if waiter == nil, let parked = pool.removeOldestIdle() { withExtendedLifetime(parked) {} }
            case 3 where !attempts.isEmpty:
                let attempt = attempts.remove(at: attempts.startIndex)
                let end = pool.failed(attempt)
                if end.waiter != nil { line.remove(attempt) }
                note(end.connect)
            case 4 where used > 0:
                used -= 1
                note(pool.retire())
            default: break
            }
        }
    }
}

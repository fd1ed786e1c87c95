// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import Testing

@testable import CumulusNIO

/// The cost of the line is linear in the number of waiting requests: a quadratic one would exceed the time limit.
@Suite(.timeLimit(.minutes(2))) struct OriginPoolCostTests {
    private final class Thing {}
    private typealias Pool = OriginPool<Thing, Thing>

    private let count = 20_000

    /// A pool with many requests in line, and the attempts that are running for them.
    private func crowdedPool(maximum: Int, isShared: Bool = false) -> (pool: Pool, attempts: [Int]) {
        var pool = Pool(maximum: maximum, isShared: isShared)
        var attempts: [Int] = []
        for _ in 0..<count {
            if case .connect(let number, _) = pool.lease(Thing()) { attempts.append(number) }
        }
        return (pool, attempts)
    }

    @Test("a server that refuses all connections costs a constant number of steps per request", arguments: [1, 6, 256])
    func refusedConnections(maximum: Int) {
        var (pool, attempts) = crowdedPool(maximum: maximum)
        var failures = 0
        while let attempt = attempts.popLast() {
            let end = pool.failed(attempt)
            if end.waiter != nil { failures += 1 }
            if let next = end.connect { attempts.append(next) }
        }
        #expect(failures == count && pool.isEmpty)
    }

    @Test("an attempt that hangs does not make the failures of others more expensive")
    func hangingAttempt() {
        var (pool, attempts) = crowdedPool(maximum: 6)
        let hanging = attempts.removeFirst()
        while let attempt = attempts.popLast() {
            if let next = pool.failed(attempt).connect { attempts.append(next) }
        }
        #expect(pool.waiterCount == 1 && pool.waiter(hanging) != nil)
    }

    @Test("attempts that succeed in reverse order, for connections that serve one request each, cost constant steps")
    func connectionsForOneRequest() {
        var (pool, attempts) = crowdedPool(maximum: 6)
        var served = 0
        while let attempt = attempts.popLast() {
            if pool.opened(attempt, Thing(), at: .now) != nil { served += 1 }
            if let next = pool.retire() { attempts.append(next) }
        }
        #expect(served == count && pool.connectionCount == 0)
    }

    @Test("requests that leave the line cost constant steps")
    func leavingRequests() {
        var (pool, _) = crowdedPool(maximum: 6)
        for number in 0..<count { _ = pool.leave(number) }
        #expect(pool.waiterCount == 0)
    }

    @Test("a shared connection that takes one request at a time costs constant steps per request")
    func sharedConnectionsForOneRequest() {
        var (pool, attempts) = crowdedPool(maximum: 6, isShared: true)
        var (served, connecting) = (0, 0)
        while let attempt = attempts.popLast() {
            connecting += pool.openedShared(attempt).connecting.count
            if pool.popShared() != nil { served += 1 }
            let next = pool.drainShared()
            attempts += [next, pool.retire()].compactMap(\.self)
        }
        #expect(served == count)
        #expect(connecting <= 3 * count)
    }
}

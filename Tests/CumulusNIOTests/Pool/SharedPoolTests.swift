// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import Testing

@testable import CumulusNIO

@Suite(.serialized) struct SharedPoolTests {
    private final class Thing {}

    private typealias Pool = OriginPool<Thing, Thing>

    private func ticket(_ lease: Pool.Lease) -> (ticket: Int, connects: Bool)? {
        switch lease {
        case .use: nil
        case .connect(let ticket, _): (ticket, true)
        case .wait(let ticket): (ticket, false)
        }
    }

    @Test func whereConnectionsAreSharedOneIsOpenedForAll() throws {
        var pool = Pool(maximum: 8, isShared: true)
        let first = try #require(ticket(pool.lease(Thing())))
        let second = try #require(ticket(pool.lease(Thing())))
        #expect(first.connects && !second.connects)
        #expect(pool.connectionCount == 1 && pool.isConnectingShared)
        #expect(pool.openedShared(first.ticket).isEmpty)
        #expect(!pool.isConnectingShared)
        #expect(pool.popShared() != nil && pool.popShared() != nil && pool.popShared() == nil)
    }

    @Test func whenTheFirstTurnsOutToBeSharedTheOthersAreGivenUp() throws {
        var pool = Pool(maximum: 8)
        let tickets = try (0..<3).map { _ in try #require(ticket(pool.lease(Thing()))) }
        #expect(tickets.allSatisfy(\.connects) && pool.connectionCount == 3)
        #expect(pool.openedShared(tickets[1].ticket) == [tickets[0].ticket, tickets[2].ticket])
        #expect(pool.connectionCount == 1 && pool.isShared && pool.waiters.count == 3)
    }

    @Test func aConnectionThatTakesNoMoreIsReplacedForThoseInLine() throws {
        var pool = Pool(maximum: 8, isShared: true)
        let first = try #require(ticket(pool.lease(Thing())))
        _ = pool.openedShared(first.ticket)
        _ = pool.popShared()
        let waiting = try #require(ticket(pool.lease(Thing())))
        #expect(!waiting.connects)
        #expect(pool.drainShared() == waiting.ticket)
        #expect(pool.connectionCount == 2 && pool.isConnectingShared)
        #expect(pool.retire() == nil)
        #expect(pool.connectionCount == 1)
    }

    @Test func aSingleConnectionWhereASharedOneWasExpectedEndsTheWaitForIt() throws {
        var pool = Pool(maximum: 8, isShared: true)
        let first = try #require(ticket(pool.lease(Thing())))
        _ = pool.lease(Thing())
        _ = pool.lease(Thing())
        #expect(pool.opened(first.ticket, Thing(), at: .now) != nil)
        #expect(!pool.isShared)
        #expect(pool.attemptForNext() != nil && pool.attemptForNext() != nil && pool.attemptForNext() == nil)
    }

    @Test func aFailedAttemptLeavesTheLineToItsOwner() throws {
        var pool = Pool(maximum: 8, isShared: true)
        let first = try #require(ticket(pool.lease(Thing())))
        _ = pool.lease(Thing())
        while pool.popShared() != nil {}
        #expect(pool.failed(first.ticket).connect == nil)
        #expect(pool.isEmpty)
    }
}

// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import Testing

@testable import CumulusNIO

@Suite(.serialized) struct SharedPoolTests {
    private final class Thing {}

    private typealias Pool = OriginPool<Thing, Thing>

    private func number(_ lease: Pool.Lease) -> (number: Int, connects: Bool)? {
        switch lease {
        case .use: nil
        case .connect(let number, _): (number, true)
        case .wait(let number): (number, false)
        }
    }

    @Test func whereConnectionsAreSharedOneIsOpenedForAll() throws {
        var pool = Pool(maximum: 8, isShared: true)
        let first = try #require(number(pool.lease(Thing())))
        let second = try #require(number(pool.lease(Thing())))
        #expect(first.connects && !second.connects)
        #expect(pool.connectionCount == 1 && pool.isConnectingShared)
        #expect(pool.openedShared(first.number).surplus.isEmpty)
        #expect(!pool.isConnectingShared)
        #expect(pool.popShared() != nil && pool.popShared() != nil && pool.popShared() == nil)
    }

    @Test func whenTheFirstTurnsOutToBeSharedTheOthersAreGivenUp() throws {
        var pool = Pool(maximum: 8)
        let numbers = try (0..<3).map { _ in try #require(number(pool.lease(Thing()))) }
        #expect(numbers.allSatisfy(\.connects) && pool.connectionCount == 3)
        let opened = pool.openedShared(numbers[1].number)
        #expect(opened.surplus == [numbers[0].number, numbers[2].number])
        #expect(opened.connecting == numbers.map(\.number))
        #expect(pool.connectionCount == 1 && pool.isShared && pool.waiterCount == 3)
    }

    @Test func aConnectionThatTakesNoMoreIsReplacedForThoseInLine() throws {
        var pool = Pool(maximum: 8, isShared: true)
        let first = try #require(number(pool.lease(Thing())))
        _ = pool.openedShared(first.number)
        _ = pool.popShared()
        let waiting = try #require(number(pool.lease(Thing())))
        #expect(!waiting.connects)
        #expect(pool.drainShared() == waiting.number)
        #expect(pool.connectionCount == 2 && pool.isConnectingShared)
        #expect(pool.retire() == nil)
        #expect(pool.connectionCount == 1)
    }

    @Test func aSingleConnectionWhereASharedOneWasExpectedEndsTheWaitForIt() throws {
        var pool = Pool(maximum: 8, isShared: true)
        let first = try #require(number(pool.lease(Thing())))
        _ = pool.lease(Thing())
        _ = pool.lease(Thing())
        #expect(pool.opened(first.number, Thing(), at: .now) != nil)
        #expect(!pool.isShared)
        #expect(pool.attemptForNext() != nil && pool.attemptForNext() != nil && pool.attemptForNext() == nil)
    }

    @Test func aFailedAttemptLeavesTheLineToItsOwner() throws {
        var pool = Pool(maximum: 8, isShared: true)
        let first = try #require(number(pool.lease(Thing())))
        _ = pool.lease(Thing())
        while pool.popShared() != nil {}
        #expect(pool.failed(first.number).connect == nil)
        #expect(pool.isEmpty)
    }
}

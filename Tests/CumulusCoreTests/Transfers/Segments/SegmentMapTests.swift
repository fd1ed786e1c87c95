// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import CumulusCore

@Suite(.serialized) struct SegmentMapTests {
    @Test func theFirstTakesAllAndTheNextItsSecondHalf() throws {
        var map = SegmentMap(length: 100)
        let first = try begin(&map, minimum: 10)
        #expect(first.remaining == 0..<100)
        #expect(take(&map, 20, of: first.id) == 0..<20)
        #expect(claim(&map, minimum: 10) == nil, "nothing is missing")
        let second = try split(&map, first.id, 40)
        #expect(second.remaining == 60..<100, "half of the 80 that were left")
        #expect(map[first.id]?.end == 60)
        #expect(map.missing.isEmpty)
    }

    @Test func allThatASegmentHasNotReceivedCanBeGiven() throws {
        var map = SegmentMap(length: 100)
        let first = try begin(&map, minimum: 5)
        #expect(take(&map, 30, of: first.id) == 0..<30)
        map.commit(first.id, to: 20)
        let second = try split(&map, first.id, 1000)
        #expect(second.remaining == 30..<100)
        #expect(map[first.id]?.end == 30, "what it has in hand is its own")
        map.commit(first.id, to: 30)
        #expect(map[first.id] == nil)
        let third = try split(&map, second.id, 70)
        #expect(map[second.id] == nil && third.remaining == 30..<100)
        #expect(take(&map, 5, of: second.id).isEmpty, "its connection writes no more")
        #expect(map.split(second.id, giving: 5) == nil)
        #expect(take(&map, 70, of: third.id) == 30..<100)
        map.commit(third.id, to: 100)
        #expect(map.isComplete)
    }

    @Test func aGapIsFetchedHoweverSmall() throws {
        var map = SegmentMap(length: 100, done: ByteRanges([0..<40, 42..<100]))
        #expect(claim(&map, minimum: 50) == 40..<42)
        #expect(claim(&map, minimum: 50) == nil)
    }

    @Test func theLargestGapComesFirstAndIsShared() {
        var map = SegmentMap(length: 100, done: ByteRanges([10..<20]))
        #expect(claim(&map, idle: 4, minimum: 10) == 20..<40)
        #expect(claim(&map, idle: 3, minimum: 10) == 40..<60)
        #expect(claim(&map, idle: 2, minimum: 10) == 60..<80)
        #expect(claim(&map, idle: 1, minimum: 10) == 80..<100)
        #expect(claim(&map, idle: 1, minimum: 10) == 0..<10)
    }

    @Test func aShareLeavesNoCrumbs() {
        var map = SegmentMap(length: 25)
        #expect(claim(&map, idle: 5, minimum: 10) == 0..<10)
        #expect(claim(&map, idle: 4, minimum: 10) == 10..<25, "the 5 that would be left are not a segment")
    }

    @Test func aConnectionStopsWhereItsNeighborBegins() throws {
        var map = SegmentMap(length: 40)
        let first = try begin(&map, minimum: 4)
        _ = map.take(8, of: first.id)
        map.commit(first.id, to: 8)
        let second = try split(&map, first.id, 16)
        #expect(second.remaining == 24..<40)
        #expect(take(&map, 30, of: first.id) == 8..<24, "16 of the 30 bytes are the first's")
        #expect(take(&map, 1, of: first.id).isEmpty)
        map.commit(first.id, to: 24)
        #expect(map[first.id] == nil)
        #expect(map.done.ranges == [0..<24])
        #expect(take(&map, 16, of: second.id) == 24..<40)
        map.commit(second.id, to: 40)
        #expect(map.isComplete)
        #expect(map.done.ranges == [0..<40])
    }

    @Test func bytesInHandAreNotSplitOff() throws {
        var map = SegmentMap(length: 40)
        let first = try begin(&map, minimum: 4)
        #expect(take(&map, 30, of: first.id) == 0..<30)
        #expect(try split(&map, first.id, 5).remaining == 35..<40)
        map.commit(first.id, to: 30)
        #expect(map.done.ranges == [0..<30])
        #expect(map.prefix == 30)
    }

    @Test func onlyWhatIsWrittenIsThere() throws {
        var map = SegmentMap(length: 40)
        let first = try begin(&map, minimum: 4)
        _ = map.take(20, of: first.id)
        map.commit(first.id, to: 12)
        #expect(map.done.ranges == [0..<12])
        map.release(first.id)
        #expect(map.missing == [12..<40])
        #expect(take(&map, 10, of: first.id).isEmpty, "what is over takes nothing")
        map.commit(first.id, to: 20)
        #expect(map.done.ranges == [0..<12])
    }

    @Test func nothingIsCommittedThatWasNotTaken() throws {
        var map = SegmentMap(length: 40)
        let first = try begin(&map, minimum: 4)
        _ = map.take(5, of: first.id)
        map.commit(first.id, to: 30)
        #expect(map.done.ranges == [0..<5])
    }

    @Test func bytesThatCannotBeBelievedAreMissingAgain() throws {
        var map = SegmentMap(length: 40, done: ByteRanges([0..<10]))
        let only = try begin(&map, minimum: 4)
        _ = map.take(20, of: only.id)
        map.commit(only.id, to: 30)
        map.revoke(only.id)
        #expect(map.done.ranges == [0..<10])
        #expect(map.missing == [10..<40])
    }

    @Test func oneStreamMayGoOnAlone() throws {
        var map = SegmentMap(length: 40)
        let first = try begin(&map, minimum: 4)
        let second = try split(&map, first.id, 20)
        _ = map.take(5, of: second.id)
        map.commit(second.id, to: 25)
        map.extend(first.id)
        #expect(map.segments.map(\.id) == [first.id])
        #expect(map[first.id]?.remaining == 0..<40)
        #expect(take(&map, 40, of: first.id) == 0..<40)
        map.commit(first.id, to: 40)
        #expect(map.isComplete)
        #expect(map.done.count == 40)
    }

    @Test func segmentIsExtendedOverSilentNeighbor() throws {
        var map = SegmentMap(length: 40)
        let first = try begin(&map, minimum: 4)
        let third = try split(&map, first.id, 10)
        let second = try split(&map, first.id, 10)
        #expect(take(&map, 1, of: third.id) == 30..<31)
        #expect(absorb(&map, first.id) == second.id)
        #expect(map.segments.map(\.id).sorted() == [first.id, third.id])
        #expect(map[first.id]?.remaining == 0..<30)
        #expect(take(&map, 10, of: second.id).isEmpty, "its connection writes no more")
        #expect(absorb(&map, first.id) == nil, "the third has received a byte")
        #expect(absorb(&map, third.id) == nil, "the file ends there")
        #expect(absorb(&map, second.id) == nil)
        #expect(map.missing.isEmpty)
    }

    @Test func segmentIsNotExtendedOverGap() throws {
        var map = SegmentMap(length: 40)
        #expect(claim(&map, idle: 4, minimum: 10) == 0..<10)
        let first = try #require(map.segments.first)
        #expect(absorb(&map, first.id) == nil)
        #expect(map[first.id]?.remaining == 0..<10)
    }

    @Test func bytesThatExistedBeforeAreNotCountedAgain() throws {
        var map = SegmentMap(length: 40)
        let first = try begin(&map, minimum: 4)
        let second = try split(&map, first.id, 20)
        _ = map.take(5, of: second.id)
        let new = map.commit(second.id, to: 25)
        #expect(new == 5)
        map.extend(first.id)
        _ = map.take(40, of: first.id)
        let others = map.commit(first.id, to: 40)
        #expect(others == 35)
        let none = map.commit(first.id, to: 40)
        #expect(none == 0)
    }

    @Test func whatLiesOutsideOfTheFileCountsForNothing() {
        let map = SegmentMap(length: 10, done: ByteRanges([-5..<2, 8..<20]))
        #expect(map.done.ranges == [0..<2, 8..<10])
        #expect(map.missing == [2..<8])
        #expect(SegmentMap(length: 0).isComplete)
        #expect(SegmentMap(length: -3).isComplete)
    }

    /// Connections start, end, fail and stop at random: never two for one byte, and in the end each byte exists once.
    @Test(arguments: 0..<100)
    func anyCourseEndsWithEveryByteWrittenOnce(seed: UInt64) {
        var random = SeededNumbers(seed)
        let length = Int64(random.next() % 400)
        var map = SegmentMap(length: length)
        var writes = [Int](repeating: 0, count: Int(length))
        var running: [Int] = []
        var rounds = 0
        while !map.isComplete, rounds < 100_000 {
            rounds += 1
            switch random.next() % 8 {
            case 0, 1:
                guard running.count < 6 else { break }
                var new = map.claim(idle: Int(random.next() % 4) + 1, minimum: 8)
                if new == nil, let id = running.randomElement(using: &random) {
                    new = map.split(id, giving: Int64(random.next() % 100))
                }
                if let new { running.append(new.id) }
            case 2 where random.next() % 4 == 0:
                if let id = running.randomElement(using: &random) { map.release(id) }
            case 3 where random.next() % 2 == 0:
                if let id = running.randomElement(using: &random) { _ = map.absorbNeighbor(of: id) }
            default:
                guard let id = running.randomElement(using: &random) else { continue }
                let range = map.take(Int(random.next() % 12), of: id)
                for position in range { writes[Int(position)] += 1 }
                map.commit(id, to: range.upperBound)
            }
            running.removeAll { map[$0] == nil }
            expectDisjoint(map)
        }
        #expect(map.isComplete)
        #expect(writes.allSatisfy { $0 == 1 })
    }

    // `#expect` and `#require` can't call mutating functions.

    private func begin(_ map: inout SegmentMap, minimum: Int64) throws -> SegmentMap.Segment {
        let segment = map.claim(minimum: minimum)
        return try #require(segment)
    }

    private func split(_ map: inout SegmentMap, _ id: Int, _ count: Int64) throws -> SegmentMap.Segment {
        let segment = map.split(id, giving: count)
        return try #require(segment)
    }

    private func claim(_ map: inout SegmentMap, idle: Int = 1, minimum: Int64) -> Range<Int64>? {
        map.claim(idle: idle, minimum: minimum)?.remaining
    }

    private func take(_ map: inout SegmentMap, _ count: Int, of id: Int) -> Range<Int64> { map.take(count, of: id) }

    private func absorb(_ map: inout SegmentMap, _ id: Int) -> Int? { map.absorbNeighbor(of: id) }

    private func expectDisjoint(_ map: SegmentMap) {
        var all: [Range<Int64>] = map.segments.map { $0.written..<$0.end } + map.missing + map.done.ranges
        all.sort { $0.lowerBound < $1.lowerBound }
        #expect(zip(all, all.dropFirst()).allSatisfy { $0.upperBound == $1.lowerBound })
        #expect(all.reduce(0) { $0 + $1.length } == map.length)
    }
}

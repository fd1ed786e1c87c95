// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import CumulusCore

@Suite(.serialized) struct ByteRangesTests {
    @Test(
        arguments: [
            ([0..<4, 4..<8], [0..<8]),
            ([4..<8, 0..<4], [0..<8]),
            ([0..<4, 5..<8], [0..<4, 5..<8]),
            ([0..<4, 6..<8, 2..<7], [0..<8]),
            ([0..<2, 4..<6, 8..<10, 1..<9], [0..<10]),
            ([3..<3], []),
            ([2..<9, 3..<5], [2..<9]),
            ([Int64.max - 1..<Int64.max, 0..<1], [0..<1, Int64.max - 1..<Int64.max]),
        ] as [([Range<Int64>], [Range<Int64>])]
    )
    func whatTouchesBecomesOne(added: [Range<Int64>], expected: [Range<Int64>]) {
        let ranges = ByteRanges(added)
        #expect(ranges.ranges == expected)
        #expect(ranges.count == expected.reduce(0) { $0 + $1.length })
    }

    @Test(
        arguments: [
            (2..<4, [0..<2, 4..<8]), (0..<8, []), (0..<3, [3..<8]), (6..<12, [0..<6]), (8..<12, [0..<8]),
            (4..<4, [0..<8]),
        ] as [(Range<Int64>, [Range<Int64>])]
    )
    func whatIsTakenOutLeavesTheRest(removed: Range<Int64>, expected: [Range<Int64>]) {
        var ranges = ByteRanges([0..<8])
        ranges.remove(removed)
        #expect(ranges.ranges == expected)
        #expect(ranges.count == expected.reduce(0) { $0 + $1.length })
    }

    @Test func gapsAreWhatIsNotThere() {
        let ranges = ByteRanges([2..<4, 6..<8])
        #expect(ranges.gaps(in: 0..<10) == [0..<2, 4..<6, 8..<10])
        #expect(ranges.gaps(in: 3..<7) == [4..<6])
        #expect(ranges.gaps(in: 2..<4) == [])
        #expect(ByteRanges().gaps(in: 0..<3) == [0..<3])
        #expect(ranges.end(of: 2) == 4)
        #expect(ranges.end(of: 0) == 0)
        #expect(ranges.contains(6..<8))
        #expect(!ranges.contains(3..<7))
    }

    /// Compares with a set of single offsets, which can't be wrong.
    @Test(arguments: 0..<50)
    func randomChangesKeepTheSet(seed: UInt64) {
        var random = SeededNumbers(seed)
        var ranges = ByteRanges()
        var positions: Set<Int64> = []
        for _ in 0..<60 {
            let start = Int64(random.next() % 40)
            let range = start..<start + Int64(random.next() % 9)
            if random.next() % 3 == 0 {
                ranges.remove(range)
                positions.subtract(range)
            } else {
                ranges.insert(range)
                positions.formUnion(range)
            }
            #expect(Set(ranges.ranges.flatMap(Array.init)) == positions)
            #expect(ranges.count == Int64(positions.count))
            #expect(zip(ranges.ranges, ranges.ranges.dropFirst()).allSatisfy { $0.upperBound < $1.lowerBound })
            #expect(Set(ranges.gaps(in: 0..<50).flatMap(Array.init)) == Set(0..<50).subtracting(positions))
        }
    }
}

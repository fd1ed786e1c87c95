// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import CumulusUploads

@Suite struct S3PlanTests {
    @Test(
        arguments: [
            (size: 0, wanted: 1, part: 5 << 20, count: 0), (size: 5 << 20, wanted: 1, part: 5 << 20, count: 1),
            (size: 5 << 20 + 1, wanted: 1, part: 5 << 20, count: 2),
            (size: 50 << 20, wanted: 8 << 20, part: 8 << 20, count: 7),
            (size: 10_000 * 8 << 20, wanted: 8 << 20, part: 9 << 20, count: 8_889),
            (size: 5 << 40, wanted: 8 << 20, part: 525 << 20, count: 9_987),
        ] as [(size: Int64, wanted: Int64, part: Int64, count: Int)]
    )
    func partsAreLargeEnoughAndNotTooMany(size: Int64, wanted: Int64, part: Int64, count: Int) {
        let plan = S3Plan(size: size, wanted: wanted)
        #expect(plan.partSize == part)
        #expect(plan.count == count)
        #expect(Int64(plan.count) <= S3Plan.mostParts)
    }

    @Test func partsCoverTheFileOnce() {
        let plan = S3Plan(size: 23 << 20 + 7, wanted: 1)
        let ranges = (1...plan.count).map(plan.range)
        #expect(ranges.first?.lowerBound == 0 && ranges.last?.upperBound == plan.size)
        #expect(zip(ranges, ranges.dropFirst()).allSatisfy { $0.upperBound == $1.lowerBound })
    }

    @Test func sizeOfARecordIsChecked() {
        #expect(S3Plan(size: 50 << 20, partSize: 1) == nil)
        #expect(S3Plan(size: 50 << 20, partSize: 0) == nil)
        #expect(S3Plan(size: 10_001 * 5 << 20, partSize: 5 << 20) == nil)
        #expect(S3Plan(size: 50 << 20, partSize: 6 << 20)?.count == 9)
    }

    @Test func largestSizesDoNotOverflow() throws {
        #expect(S3Plan(size: 50 << 20, wanted: .max).partSize == 5 << 30)
        #expect(S3Plan(size: .max, wanted: 1).count > 0)
        let plan = try #require(S3Plan(size: .max, partSize: .max - 1))
        #expect(plan.count == 2)
        #expect(plan.range(of: 2).count == 1 && plan.range(of: 2).upperBound == Int64.max)
        #expect(S3Plan(size: -1, partSize: 5 << 20) == nil)
    }
}

// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives
import Foundation
import TestSupport
import Testing

@testable import CumulusCore

/// Disk space is allocated ahead of the bytes, never because of the server's claim alone.
@Suite struct PartSpaceTests {
    @Test("steps double the existing size, up to a limit, and end at the wanted length")
    func steps() {
        var space = PartSpace()
        #expect(space.next(for: 0, count: 10) == nil)
        space.want(2_000_000_000, from: 0)
        var steps: [Int64] = []
        var position: Int64 = 0
        while let step = space.next(for: position, count: 1) {
            #expect(step.lowerBound == position)
            steps.append(step.upperBound - step.lowerBound)
            position = step.upperBound
        }
        #expect(position == 2_000_000_000)
        #expect(steps.prefix(5) == [16 << 20, 16 << 20, 32 << 20, 64 << 20, 128 << 20])
        #expect(steps.allSatisfy { $0 <= 256 << 20 })
    }

    @Test("a write within the allocated space, or far behind it, allocates nothing; sums don't overflow")
    func writesElsewhere() {
        var space = PartSpace()
        space.want(.max, from: 0)
        #expect(space.next(for: 0, count: 0) == 0..<16 << 20)
        #expect(space.next(for: 1000, count: 1000) == nil)
        #expect(space.next(for: 1 << 40, count: 1000) == nil)
        #expect(space.next(for: .max, count: 1000) == nil)
        #expect(space.next(for: (16 << 20) - 10, count: 20) != nil)
    }

    @Test("a length that a server only announces takes little disk space")
    func announced() throws {
        let folder = try TemporaryFolder()
        let part = try PartFile(FilePath(folder.path + "/a.part"))
        try part.reserve(4 << 30)
        #expect(part.size == 4 << 30)
        #expect(try #require(allocatedBytes(of: folder.path + "/a.part")) <= 17 << 20)
    }
}

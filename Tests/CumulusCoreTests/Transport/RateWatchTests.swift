// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import Testing

@Suite struct RateWatchTests {
    private let start = Moment.now

    /// Checks each second: the number of bytes, and whether the peer is awaited; returns the second in which it ends.
    private func end(_ minimum: MinimumRate, _ look: (Int) -> (count: Int64, isWaiting: Bool)) throws -> Int? {
        var watch = try #require(RateWatch(minimum))
        return (0..<200).first { second in
            let (count, isWaiting) = look(second)
            return watch.isTooSlow(count, isWaitingForPeer: isWaiting, at: start + .seconds(second))
        }
    }

    @Test func noRateIsNotWatched() {
        #expect(RateWatch(nil) == nil)
        #expect(RateWatch(MinimumRate.none) == nil)
        #expect(RateWatch(MinimumRate(bytesPerSecond: 1, over: .zero)) == nil)
    }

    @Test func theAverageOfAPeriodCounts() throws {
        let minimum = MinimumRate(bytesPerSecond: 10)
        #expect(try end(minimum) { (Int64($0 * 10), true) } == nil)
        #expect(try end(minimum) { (Int64($0 * 9), true) } == 30)
        // All bytes at once are as good as a steady flow.
        #expect(try end(minimum) { (Int64($0 / 30 * 300), true) } == nil)
        #expect(try end(minimum) { (Int64(min($0, 45) * 10), true) } == 60)
    }

    @Test func timeInWhichOneselfIsSlowDoesNotCount() throws {
        let minimum = MinimumRate(bytesPerSecond: 10)
        #expect(try end(minimum) { (0, $0 % 20 != 0) } == nil)
        #expect(try end(minimum) { (0, $0 > 50) } == 81)
    }
}

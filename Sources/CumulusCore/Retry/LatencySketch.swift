// SPDX-License-Identifier: Apache-2.0

/// Recent latencies in some 240 counters: a value without a clock.
///
/// A counter covers times within 12 % of each other. When there are many, all counters are halved, so that newer ones
/// count more.
struct LatencySketch: Sendable {
    /// The smallest number of latencies for a percentile.
    static let fewest = 20
    private static let most = 512
    /// Shorter times are counted as this one: 64 µs.
    private static let smallestPower = 6
    /// Longer times are counted as the longest: 19 hours.
    private static let largestPower = 36

    private var counts = [UInt16](repeating: 0, count: 8 * (largestPower - smallestPower))
    private(set) var count = 0

    /// Notes a latency.
    mutating func note(_ latency: Duration) {
        counts[LatencySketch.index(of: latency)] += 1
        count += 1
        guard count >= LatencySketch.most else { return }
        for index in counts.indices { counts[index] /= 2 }
        count = counts.reduce(0) { $0 + Int($1) }
    }

    /// The latency within which a share of the responses arrived, rounded up; `nil` if too few are known.
    func percentile(_ share: Double) -> Duration? {
        guard count >= LatencySketch.fewest else { return nil }
        let rank = min(count, max(1, Int((share * Double(count)).rounded(.up))))
        var seen = 0
        for (index, count) in counts.enumerated() {
            seen += Int(count)
            if seen >= rank { return LatencySketch.upperBound(of: index) }
        }
        return nil
    }

    private static func index(of latency: Duration) -> Int {
        let longest = Int64(1) << Int64(largestPower) - 1
        let exact = min(latency / .microseconds(1), Double(longest))
        let microseconds = max(1 << Int64(smallestPower), Int64(max(0, exact)))
        let power = Int64.bitWidth - 1 - microseconds.leadingZeroBitCount
        let eighth = Int(microseconds >> Int64(power - 3)) & 7
        return 8 * (power - smallestPower) + eighth
    }

    private static func upperBound(of index: Int) -> Duration {
        let power = index / 8 + smallestPower
        return .microseconds(Int64(9 + index % 8) << Int64(power - 3))
    }
}

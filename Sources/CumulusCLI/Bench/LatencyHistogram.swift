// SPDX-License-Identifier: Apache-2.0

/// The frequency of each latency, in classes at most 1/128 wide: log-linear, like HdrHistogram.
///
/// It takes 30 KiB for any number of latencies of up to an hour each, in microseconds. It has what the percentiles of
/// `cumulus bench` need and no more, so that they need no dependency.
struct LatencyHistogram: Sendable {
    private static let classes = 128
    /// An hour has fewer microseconds than 2 to this power.
    private static let mostBits = 32

    private var counts = [Int](repeating: 0, count: classes * (mostBits - 5))
    private(set) var count = 0
    private(set) var greatest: UInt64 = 0
    private var sum = 0.0

    /// The mean in microseconds.
    var mean: Double { count == 0 ? 0 : sum / Double(count) }

    /// Records a latency in microseconds.
    mutating func record(_ microseconds: UInt64) {
        counts[LatencyHistogram.place(of: microseconds)] += 1
        count += 1
        greatest = max(greatest, microseconds)
        sum += Double(microseconds)
    }

    /// Adds the latencies of another histogram.
    mutating func add(_ other: LatencyHistogram) {
        for index in counts.indices { counts[index] += other.counts[index] }
        count += other.count
        greatest = max(greatest, other.greatest)
        sum += other.sum
    }

    /// The latency in microseconds that a percentage of all don't exceed.
    func value(atPercentile percent: Double) -> UInt64 {
        let wanted = max(1, Int((Double(count) * percent / 100).rounded(.up)))
        var seen = 0
        for (place, number) in counts.enumerated() {
            seen += number
            if seen >= wanted { return min(LatencyHistogram.upperEnd(of: place), greatest) }
        }
        return greatest
    }

    /// Values below 256 have a class each; above that, 128 classes lead to each next power of two.
    private static func place(of value: UInt64) -> Int {
        let value = min(value, 1 << mostBits - 1)
        let shift = max(0, UInt64.bitWidth - value.leadingZeroBitCount - 8)
        return shift * classes + Int(value >> UInt64(shift))
    }

    /// The greatest value of a class.
    private static func upperEnd(of place: Int) -> UInt64 {
        let shift = max(0, place / classes - 1)
        let first = UInt64(place - shift * classes)
        return (first + 1) << UInt64(shift) - 1
    }
}

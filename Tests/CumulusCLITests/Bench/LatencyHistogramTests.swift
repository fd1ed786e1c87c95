// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import CumulusCLI

@Suite struct LatencyHistogramTests {
    @Test("percentiles are as exact as the classes, from microseconds to hours")
    func percentiles() {
        var histogram = LatencyHistogram()
        for value in UInt64(1)...100_000 { histogram.record(value) }
        for (percent, exact) in [(50.0, 50_000.0), (90, 90_000), (99, 99_000), (99.9, 99_900)] {
            let value = Double(histogram.value(atPercentile: percent))
            #expect(value >= exact && value <= exact * (1 + 1.0 / 128), "\(percent): \(value)")
        }
        #expect(histogram.value(atPercentile: 100) == 100_000)
        #expect(histogram.greatest == 100_000 && histogram.count == 100_000)
        #expect(histogram.mean == 50_000.5)
    }

    @Test("small latencies are exact, enormous ones don't crash, and histograms can be added")
    func ends() {
        var one = LatencyHistogram()
        var other = LatencyHistogram()
        #expect(one.value(atPercentile: 50) == 0 && one.mean == 0)
        one.record(0)
        one.record(255)
        other.record(256)
        other.record(.max)
        one.add(other)
        #expect(one.count == 4 && one.greatest == .max)
        #expect(one.value(atPercentile: 25) == 0)
        #expect(one.value(atPercentile: 50) == 255)
        #expect(256...257 ~= one.value(atPercentile: 75))
    }
}

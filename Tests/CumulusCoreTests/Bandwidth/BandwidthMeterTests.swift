// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import CumulusCore

@Suite(.serialized) struct BandwidthMeterTests {
    private let start = ContinuousClock.now

    @Test func bytesStandInOneLineWhoeverAsks() {
        var meter = BandwidthMeter(rate: 1_000)
        #expect(meter.ask(500, at: start) == 0..<500)
        #expect(meter.ask(1_000, at: start) == 500..<1_500)
        #expect(meter.wait(for: 0, at: start) == .none)
        #expect(meter.wait(for: 500, at: start) == .until(start + .milliseconds(500)))
        #expect(meter.wait(for: 500, at: start + .milliseconds(500)) == .none)
        #expect(meter.wait(for: 1_500, at: start + .milliseconds(500)) == .until(start + .milliseconds(1_500)))
    }

    @Test func anIdleRateSavesUpATenthOfASecondAtMost() {
        var meter = BandwidthMeter(rate: 1_000)
        _ = meter.ask(1, at: start)
        let later = start + .seconds(3_600)
        let place = meter.ask(1_000, at: later)
        #expect(meter.wait(for: place.upperBound, at: later) == .until(later + .milliseconds(900)))
    }

    @Test func zeroHoldsAndNothingIsNoLimit() {
        var meter = BandwidthMeter(rate: 1_000)
        _ = meter.ask(100, at: start)
        meter.change(to: 0)
        // The time before the change counts at the old rate.
        _ = meter.wait(for: 0, at: start + .milliseconds(50))
        #expect(meter.wait(for: 100, at: start + .seconds(60)) == .held)
        #expect(meter.wait(for: 50, at: start + .seconds(60)) == .none)
        meter.change(to: nil)
        _ = meter.wait(for: 0, at: start + .seconds(61))
        #expect(meter.wait(for: 100, at: start + .seconds(61)) == .none)
        #expect(meter.ask(1 << 40, at: start + .seconds(61)).lowerBound == 100)
    }

    @Test func whatIsGivenBackIsGrantedToTheNext() {
        var meter = BandwidthMeter(rate: 100)
        _ = meter.ask(1_000, at: start)
        #expect(meter.wait(for: 1_000, at: start) == .until(start + .seconds(10)))
        meter.giveBack(1_000)
        #expect(meter.wait(for: 1_000, at: start) == .none)
    }

    @Test func aClockThatGoesBackHarmsNothing() {
        var meter = BandwidthMeter(rate: 100)
        _ = meter.ask(100, at: start)
        #expect(meter.wait(for: 100, at: start - .seconds(5)) == .until(start - .seconds(4)))
    }
}

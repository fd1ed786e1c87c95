// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import CumulusCore

/// The meter and the window, which have neither a clock nor a lock.
@Suite struct RateLimitValueTests {
    private let start = Moment.now

    private func meter(_ count: Int, _ period: Duration, burst: Int) -> RequestMeter {
        guard let rate = RateLimit.requests(count, per: period, burst: burst).rate else { preconditionFailure() }
        return RequestMeter(rate)
    }

    private func quota(_ limit: Int64?, _ remaining: Int64?, reset: Int64? = nil, retry: Int64? = nil) -> RequestQuota {
        var quota = RequestQuota()
        (quota.limit, quota.remaining) = (limit, remaining)
        quota.resetsAfter = reset.map { .seconds($0) }
        quota.retryAfter = retry.map { .seconds($0) }
        return quota
    }

    @Test("a burst is sent at once, then one per interval") func bursts() {
        var meter = meter(10, .seconds(1), burst: 3)
        for _ in 0..<3 {
            #expect(meter.opening(at: start) == nil)
            meter.take(at: start)
        }
        #expect(meter.opening(at: start) == start + .milliseconds(100))
        #expect(meter.opening(after: 4, at: start) == start + .milliseconds(500))
        let later = start + .milliseconds(100)
        #expect(meter.opening(at: later) == nil)
        meter.take(at: later)
        #expect(meter.opening(at: later) == start + .milliseconds(200))
        meter.giveBack()
        #expect(meter.opening(at: later) == nil)
        // An hour without requests allows no more than a burst.
        let muchLater = start + .seconds(3_600)
        for _ in 0..<3 { meter.take(at: muchLater) }
        #expect(meter.opening(at: muchLater) == muchLater + .milliseconds(100))
    }

    @Test(
        "absurd rates don't overflow",
        arguments: [(0, 0), (-1, -1), (.min, .min), (.max, .max), (1, .max), (.max, 1)] as [(Int, Int)]
    )
    func absurd(count: Int, burst: Int) {
        for period in [Duration.zero, .seconds(-5), .seconds(Int64.max), .nanoseconds(1)] {
            var meter = meter(count, period, burst: burst)
            meter.take(at: start)
            _ = meter.opening(after: .max, at: start)
            meter.change(to: RateLimit.requests(1, per: .seconds(1)).rate ?? meter.rate, at: start)
            #expect((meter.opening(at: start) ?? start) <= start + .seconds(1))
        }
    }

    @Test("requests in flight count, and no more are sent than are left") func window() {
        var window = QuotaWindow()
        #expect(window.readiness(inFlight: 0, at: start) == .now)
        window.record(quota(10, 2, reset: 60), inFlight: 1, at: start)
        #expect(window.left == 1)
        window.send()
        #expect(window.readiness(inFlight: 2, at: start) == .at(start + .seconds(60)))
        window.record(quota(10, 1, reset: 60), inFlight: 0, at: start)
        #expect(window.readiness(inFlight: 0, at: start) == .now)
        window.record(quota(10, 0, reset: 60), inFlight: 0, at: start)
        #expect(window.readiness(inFlight: 0, at: start + .seconds(59)) == .at(start + .seconds(60)))
        #expect(window.readiness(inFlight: 0, at: start + .seconds(60)) == .now)
        #expect(window.left == 10)
    }

    @Test("nothing left without a reset delays nothing, except until the answers in flight") func noReset() {
        var window = QuotaWindow()
        window.record(quota(nil, 0), inFlight: 0, at: start)
        #expect(window.readiness(inFlight: 1, at: start) == .afterResponse)
        #expect(window.readiness(inFlight: 0, at: start) == .now)
        window.record(quota(0, 0, reset: 1), inFlight: 0, at: start)
        #expect(window.readiness(inFlight: 0, at: start + .seconds(1)) == .now)
        window.record(quota(Int64.max, Int64.max, reset: 1), inFlight: 5, at: start)
        window.giveBack()
        #expect(window.left == Int64.max - 4)
    }

    @Test("after Retry-After one is sent first, then twice as many each round, then any number") func ramp() {
        var window = QuotaWindow()
        window.record(quota(nil, 100, retry: 5), inFlight: 3, at: start)
        #expect(window.readiness(inFlight: 3, at: start + .seconds(4)) == .at(start + .seconds(5)))
        // An older answer that arrives in the meantime changes nothing.
        window.record(nil, inFlight: 2, at: start)
        let after = start + .seconds(5)
        #expect(window.readiness(inFlight: 0, at: after) == .now)
        #expect(window.left == 1)
        window.send()
        #expect(window.readiness(inFlight: 1, at: after) == .afterResponse)
        window.record(nil, inFlight: 0, at: after)
        #expect(window.left == 2)
        for _ in 0..<40 { window.record(nil, inFlight: 0, at: after) }
        #expect(window.left == nil)
    }
}

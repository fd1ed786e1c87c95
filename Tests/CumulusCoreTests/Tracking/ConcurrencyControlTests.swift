// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import CumulusCore

/// How a limit follows the server's capacity.
@Suite struct ConcurrencyControlTests {
    private let start = Moment.now

    /// A round of responses, as many as allowed, that all took the same time.
    private func round(
        _ control: inout ConcurrencyControl,
        _ latency: Duration,
        _ outcome: ConcurrencyControl.Outcome = .answered,
        at now: inout Moment
    ) {
        let (began, count) = (now, control.limit)
        now = now + latency
        for _ in 0..<count { control.note(outcome, began: began, running: count, at: now) }
    }

    @Test("the limit doubles each round while responses stay fast, up to the maximum") func grows() {
        var control = ConcurrencyControl(AdaptiveConcurrency(upTo: 20))
        var (now, limits) = (start, [control.limit])
        for _ in 0..<4 {
            round(&control, .milliseconds(50), at: &now)
            limits.append(control.limit)
        }
        #expect(limits == [4, 8, 16, 20, 20])
    }

    @Test("a refusal takes a third, once for concurrent requests; then it grows by one a round") func shrinks() {
        var control = ConcurrencyControl(AdaptiveConcurrency(upTo: 100, start: 30))
        var now = start
        round(&control, .milliseconds(50), .refused, at: &now)
        #expect(control.limit == 20)
        round(&control, .milliseconds(50), at: &now)
        #expect(control.limit == 20 || control.limit == 21)
        for _ in 0..<5 { round(&control, .milliseconds(50), at: &now) }
        #expect(24...26 ~= control.limit)
        for _ in 0..<40 { round(&control, .milliseconds(50), .refused, at: &now) }
        #expect(control.limit == 1)
    }

    @Test("slow responses take a tenth per round; a lasting change is learned") func latency() {
        var control = ConcurrencyControl(AdaptiveConcurrency(upTo: 100, start: 30, tolerance: 2))
        var now = start
        round(&control, .milliseconds(50), at: &now)
        let before = control.limit
        round(&control, .milliseconds(90), at: &now)
        #expect(control.limit >= before)
        let full = control.limit
        round(&control, .milliseconds(500), at: &now)
        #expect(control.limit == Int(Double(full) * 0.9))
        for _ in 0..<20 { round(&control, .milliseconds(500), at: &now) }
        #expect(control.baseline ?? .zero > .milliseconds(250))
        let low = control.limit
        #expect(low < full / 2)
        for _ in 0..<10 { round(&control, .milliseconds(500), at: &now) }
        #expect(control.limit > low)
    }

    @Test("a limit that isn't used doesn't grow; very fast responses count like others") func unused() {
        var control = ConcurrencyControl(AdaptiveConcurrency(upTo: 100, start: 30))
        control.note(.answered, began: start, running: 2, at: start)
        control.note(.answered, began: start, running: 2, at: start + .microseconds(900))
        #expect(control.limit == 30)
        control.note(.answered, began: start, running: 30, at: start)
        #expect(control.limit == 31)
    }

    @Test("invalid bounds are corrected", arguments: [(0, 0, 0), (-5, 9, -1), (.max, .min, .max)] as [(Int, Int, Int)])
    func bounds(most: Int, least: Int, start: Int) {
        let options = AdaptiveConcurrency(upTo: most, least: least, start: start, tolerance: .nan)
        #expect(options.range.lowerBound >= 1 && options.range.contains(options.start) && options.tolerance == 1)
        var wild = options
        (wild.range, wild.start) = (-5...Int.max, start)
        #expect(1...1_000_000 ~= ConcurrencyControl(wild).limit)
    }
}

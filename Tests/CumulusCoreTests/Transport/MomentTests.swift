// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import Testing

@Suite struct MomentTests {
    @Test(arguments: [Duration.seconds(-86_400), .zero, .nanoseconds(1), .seconds(3_600) + .nanoseconds(7)])
    func isTheInstantThatItWasMadeOf(distance: Duration) {
        let instant = ContinuousClock.now.advanced(by: distance)
        #expect(Moment(instant).instant == instant)
    }

    @Test func systemClockIsReadAsItsInstants() {
        for _ in 0..<1_000 {
            let before = Moment(ContinuousClock.now)
            let now = Moment.now
            #expect(before <= now && now <= SystemClock().moment)
            #expect(now.instant <= ContinuousClock.now)
        }
    }

    @Test func countsAsInstantsDo() {
        let start = ContinuousClock.now
        let later = start.advanced(by: .milliseconds(1_500))
        #expect(Moment(later) - Moment(start) == .milliseconds(1_500))
        #expect(Moment(start) + .milliseconds(1_500) == Moment(later))
        #expect(Moment(later) - .milliseconds(1_500) == Moment(start))
        #expect(Moment(start) < Moment(later))
    }

    @Test func aDeadlineIsGivenBackAsItWasSet() {
        let end = ContinuousClock.now.advanced(by: .seconds(30))
        var deadlines = TransportDeadlines(total: end)
        #expect(deadlines.total == end)
        deadlines.total = nil
        #expect(deadlines == TransportDeadlines())
    }
}

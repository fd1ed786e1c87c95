// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import Testing

@testable import CumulusURLSession

/// Which deadline of an exchange has passed, without a clock.
@Suite struct DeadlineWatchTests {
    private static let start = ContinuousClock.now

    private func at(_ seconds: Double) -> ContinuousClock.Instant { Self.start.advanced(by: .seconds(seconds)) }

    private func watch(_ deadlines: TransportDeadlines) -> DeadlineWatch { DeadlineWatch(deadlines, at: Self.start) }

    @Test func silenceOfThePeerEndsTheExchange() {
        var watch = watch(TransportDeadlines(idle: .seconds(10)))
        #expect(watch.next(awaiting: .idle, at: at(3)) == at(10))
        #expect(watch.excess(awaiting: .idle, at: at(9)) == nil)
        watch.noteActivity(at: at(9))
        #expect(watch.next(awaiting: .idle, at: at(9)) == at(19))
        #expect(watch.excess(awaiting: .idle, at: at(19)) == .idle(elapsed: .seconds(10)))
    }

    @Test func silenceThatNobodyAwaitsDoesNotCount() {
        let watch = watch(TransportDeadlines(idle: .seconds(10)))
        #expect(watch.next(awaiting: nil, at: at(60)) == at(70))
    }

    @Test func theLimitOfTheResponseBeginsWithTheLastByteSent() {
        var watch = watch(TransportDeadlines(response: .seconds(10)))
        watch.noteActivity(at: at(5))
        watch.noteSending()
        #expect(watch.next(awaiting: .response, at: at(6)) == at(15))
        #expect(watch.excess(awaiting: .response, at: at(15)) == .response(elapsed: .seconds(10)))
        #expect(watch.excess(awaiting: .idle, at: at(15)) == nil)
    }

    @Test("After a suspension of the process, the silence begins again, once")
    func suspension() {
        var watch = watch(TransportDeadlines(idle: .seconds(10)))
        watch.wake(at: at(600), planned: at(10))
        #expect(watch.excess(awaiting: .idle, at: at(600)) == nil)
        #expect(watch.next(awaiting: .idle, at: at(600)) == at(610))
        watch.wake(at: at(1_200), planned: at(610))
        #expect(watch.excess(awaiting: .idle, at: at(1_200)) == .idle(elapsed: .seconds(600)))
        watch.noteActivity(at: at(1_200))
        watch.wake(at: at(1_800), planned: at(1_210))
        #expect(watch.excess(awaiting: .idle, at: at(1_800)) == nil)
    }

    @Test func aCheckThatIsALittleLateIsNoSuspension() {
        var watch = watch(TransportDeadlines(idle: .seconds(10)))
        watch.wake(at: at(10.9), planned: at(10))
        #expect(watch.excess(awaiting: .idle, at: at(10.9)) == .idle(elapsed: .seconds(10.9)))
    }

    @Test("While the session waits for a network, only the call's own limit counts")
    func missingNetwork() {
        var watch = watch(TransportDeadlines(idle: .seconds(10), total: at(100), response: .seconds(20)))
        watch.noteMissingNetwork()
        #expect(watch.excess(awaiting: .response, at: at(90)) == nil)
        #expect(watch.next(awaiting: .response, at: at(90)) == at(100))
        #expect(watch.excess(awaiting: .response, at: at(100)) == .total)
        watch.noteActivity(at: at(50))
        #expect(watch.excess(awaiting: .response, at: at(60)) == .response(elapsed: .seconds(60)))
    }
}

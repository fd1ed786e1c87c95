// SPDX-License-Identifier: Apache-2.0

import CumulusTesting
import Synchronization
import TestSupport
import Testing

@testable import CumulusCore

@Suite(.timeLimit(.minutes(10))) struct ProgressSumTests {
    private func event(
        _ completed: Int64,
        of total: Int64?,
        _ direction: TransferProgress.Direction = .receiving,
        isFinished: Bool = false
    ) -> TransferProgress {
        var meter = ProgressMeter(
            ProgressMeter.Subject(direction: direction, id: nil, redactedURL: "http://a.example/", total: total),
            startedAt: .now
        )
        if isFinished {
            _ = meter.advance(by: Int(completed), at: .now)
            return meter.finish(at: .now)
        }
        return meter.advance(by: Int(completed), at: .now + .seconds(1)) ?? meter.first
    }

    @Test("lengths from servers are not added beyond what can be counted")
    func totalsDoNotOverflow() {
        let sum = ProgressSum(clock: ManualClock())
        for _ in 0..<3 {
            let observer = sum.listener()
            observer(event(1, of: .max))
        }
        let last = Mutex<ProgressSum.Event?>(nil)
        let told = ProgressSum(clock: ManualClock()) { event in last.withLock { $0 = event } }
        for _ in 0..<3 { told.listener()(event(1, of: .max)) }
        told.finish()
        #expect(last.withLock(\.self)?.total == nil)
        #expect(last.withLock(\.self)?.completed == 3)
    }

    @Test func severalTransfersAreOne() {
        let clock = ManualClock()
        let events = Mutex<[ProgressSum.Event]>([])
        let sum = ProgressSum(clock: clock) { event in events.withLock { $0.append(event) } }
        let (one, two) = (sum.listener(), sum.listener())
        one(event(0, of: 100))
        // Within a tenth of a second nothing more is reported.
        two(event(0, of: 300))
        clock.advance(by: .seconds(1))
        one(event(50, of: 100))
        clock.advance(by: .seconds(1))
        two(event(150, of: 300))
        one(event(100, of: 100, isFinished: true))
        sum.finish()
        two(event(300, of: 300))
        let seen = events.withLock(\.self)
        #expect(seen.map(\.completed) == [0, 50, 200, 250])
        #expect(seen.map(\.total) == [nil, 400, 400, 400])
        #expect(seen.map(\.isFinished) == [false, false, false, true])
        #expect(seen.last?.finishedTransfers == 1 && seen.last?.transfers == 2)
        #expect(seen[1].bytesPerSecond == 50 && seen[1].timeRemaining == .seconds(7))
        #expect(seen[2].fractionCompleted == 0.5)
    }

    @Test func whatCameBeforeAStallIsTold() async throws {
        let clock = ManualClock()
        let events = Mutex<[ProgressSum.Event]>([])
        let sum = ProgressSum(clock: clock) { event in events.withLock { $0.append(event) } }
        let observer = sum.listener()
        observer(event(10, of: 100))
        observer(event(60, of: 100))
        #expect(events.withLock(\.self).map(\.completed) == [10])
        try await clock.waitForSleepers()
        clock.advance(by: .milliseconds(100))
        try await eventually { events.withLock(\.self).map(\.completed) == [10, 60] }
    }

    @Test func theDirectionHeardOfFirstCounts() {
        let clock = ManualClock()
        let last = Mutex<ProgressSum.Event?>(nil)
        let sum = ProgressSum(clock: clock) { event in last.withLock { $0 = event } }
        let observer = sum.listener()
        observer(event(10, of: 10, .sending))
        clock.advance(by: .seconds(1))
        observer(event(7_000, of: 7_000, .receiving))
        sum.finish()
        #expect(last.withLock(\.self)?.completed == 10)
    }

    @Test func theStreamEndsWithTheSum() async {
        let clock = ManualClock()
        let sum = ProgressSum(clock: clock)
        let observer = sum.listener()
        observer(event(5, of: 10))
        let events = sum.events
        clock.advance(by: .seconds(1))
        observer(event(10, of: 10))
        sum.finish()
        var seen: [Int64] = []
        for await event in events { seen.append(event.completed) }
        #expect(seen == [5, 10, 10])
        var late: [Bool] = []
        for await event in sum.events { late.append(event.isFinished) }
        #expect(late == [true])
    }
}

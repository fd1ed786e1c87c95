// SPDX-License-Identifier: Apache-2.0

import CumulusTesting
import HTTPTypes
import Synchronization
import TestSupport
import Testing

@testable import CumulusCore

@Suite(.timeLimit(.minutes(10))) struct BandwidthTests {
    private func site(_ clock: ManualClock, _ rate: Bandwidth?, answer: StubResponse = .text("")) -> Resource {
        let transport = StubTransport(answering: { _ in answer })
        let site = Resource("http://a.example", transport: transport.watched)
        site.setRules { settings in
            settings.clock = clock
            settings.bandwidth = rate
            settings.timeout = nil
        }
        return site
    }

    private final class Flag: Sendable {
        private let state = Atomic(false)
        var isRaised: Bool { state.load(ordering: .acquiring) }
        func raise() { state.store(true, ordering: .releasing) }
    }

    /// Advances the clock until the work is done, and returns how long that took on it.
    private func time<Output: Sendable>(
        _ clock: ManualClock,
        _ work: @escaping @Sendable () async throws -> Output
    ) async throws -> (Output, Duration) {
        let start = clock.now
        let isDone = Flag()
        return try await withThrowingTaskGroup(of: Output?.self) { group in
            group.addTask {
                defer { isDone.raise() }
                return try await work()
            }
            group.addTask {
                while !isDone.isRaised {
                    if clock.advanceToNextSleeper() { continue }
                    // Polls, since the end of the last sleeper isn't reported.
                    try await Task.sleep(for: .milliseconds(1))
                }
                return nil
            }
            var output: Output?
            while let result = try await group.next() { output = result ?? output }
            return (try #require(output), clock.now - start)
        }
    }

    @Test func aSentBodyTakesItsTime() async throws {
        let clock = ManualClock()
        let site = site(clock, Bandwidth(bytesPerSecond: 100_000))
        let (answer, elapsed) = try await time(clock) {
            try await site["x"].post(.bytes([UInt8](repeating: 1, count: 500_000)))
        }
        #expect(answer.status == .ok)
        #expect(elapsed > .milliseconds(4_700) && elapsed <= .seconds(5))
    }

    @Test func aReceivedBodyTakesItsTime() async throws {
        let clock = ManualClock()
        let pieces = [StubResponse.Step](repeating: .chunk([UInt8](repeating: 1, count: 50_000)), count: 10)
        let site = site(clock, Bandwidth(bytesPerSecond: 100_000), answer: .script(pieces))
        let (answer, elapsed) = try await time(clock) { try await site["x"].get() }
        #expect(answer.bytes.count == 500_000)
        #expect(elapsed > .milliseconds(4_700) && elapsed <= .seconds(5))
    }

    @Test func twoTransfersShareOneRate() async throws {
        let clock = ManualClock()
        let site = site(clock, Bandwidth(bytesPerSecond: 100_000))
        let (_, elapsed) = try await time(clock) {
            async let one = site["a"].post(.bytes([UInt8](repeating: 1, count: 250_000)))
            async let two = site["b"].post(.bytes([UInt8](repeating: 1, count: 250_000)))
            return try await (one.status, two.status)
        }
        #expect(elapsed > .milliseconds(4_700) && elapsed <= .seconds(5))
    }

    @Test func aRateOfZeroHoldsUntilItIsLifted() async throws {
        let clock = ManualClock()
        let rate = Bandwidth(bytesPerSecond: 0)
        let site = site(clock, rate)
        let begun = Mutex(false)
        // Ends below, when the rate is lifted.
        let upload = Task {
            let watched = site["x"].with { $0.observers.append(.progress { _ in begun.withLock { $0 = true } }) }
            return try await watched.post(.bytes([UInt8](repeating: 1, count: 600_000)))
        }
        try await eventually { begun.withLock(\.self) }
        clock.advance(by: .seconds(3_600))
        #expect(rate.bytesPerSecond == 0)
        rate.bytesPerSecond = nil
        #expect(try await upload.value.status == .ok)
    }

    @Test(arguments: [true, false]) func awaitEndsAtOnceWhenItIsCancelled(isSending: Bool) async throws {
        let clock = ManualClock()
        let pieces = [StubResponse.Step](repeating: .chunk([UInt8](repeating: 1, count: 50_000)), count: 3)
        let site = site(clock, Bandwidth(bytesPerSecond: 0), answer: .script(isSending ? [] : pieces))
        let payload = isSending ? Payload.bytes([UInt8](repeating: 1, count: 600_000)) : .none
        let begun = Mutex(false)
        site.setRules { $0.observers = [.progress { _ in begun.withLock { $0 = true } }] }
        // Cancelled below, from outside.
        let call = Task { try await site["x"].post(payload) }
        try await eventually { begun.withLock(\.self) && !site.runningCalls.isEmpty }
        site.cancelAll()
        await #expect(throws: CancellationError.self) { try await call.value }
    }

    @Test func aStreamThatIsHeldEndsWhenItIsCancelled() async throws {
        let clock = ManualClock()
        let pieces = [StubResponse.Step](repeating: .chunk([UInt8](repeating: 1, count: 50_000)), count: 3)
        let site = site(clock, Bandwidth(bytesPerSecond: 0), answer: .script(pieces))
        let stream = try await site["x"].call(.get).stream()
        let count = Mutex(0)
        // Ends below, when the stream is cancelled.
        let reading = Task { for try await chunk in stream { count.withLock { $0 += chunk.count } } }
        try await eventually { count.withLock(\.self) > 0 }
        stream.cancel()
        await #expect(throws: (any Error).self) { try await reading.value }
    }

    @Test func aRateIsInheritedAndDescribed() {
        let bandwidth = Bandwidth(bytesPerSecond: 5)
        let site = site(ManualClock(), bandwidth)
        #expect(site["a"]["b"].snapshot.value(BandwidthKey.self) === bandwidth)
        #expect(Bandwidth(bytesPerSecond: -3).bytesPerSecond == 0)
        #expect("\(Bandwidth(bytesPerSecond: 7)), \(Bandwidth(bytesPerSecond: nil))" == "7 bytes/s, no limit")
        let child = site["a"]
        child.setRules { $0.bandwidth = nil }
        #expect(child.snapshot.value(BandwidthKey.self) == nil)
    }

    @Test(arguments: [true, false]) func theDeadlineEndsAWait(isStream: Bool) async throws {
        let clock = ManualClock()
        let pieces = [StubResponse.Step](repeating: .chunk([UInt8](repeating: 1, count: 50_000)), count: 3)
        let site = site(clock, Bandwidth(bytesPerSecond: 0), answer: .script(pieces))
        site.setRules { $0.deadline = .seconds(10) }
        let call = Task {
            guard isStream else { return _ = try await site["x"].get() }
            for try await _ in try await site["x"].call(.get).stream() {}
        }
        try await clock.waitForSleepers()
        clock.advance(by: .seconds(4))
        clock.advance(by: .seconds(6))
        let error = try await failure { try await call.value }
        #expect(error.code == .timeout && error.phase == .total)
        #expect((error.cause as? TransportFailure)?.limit == .seconds(10))
        // Whether the wait or the call's own deadline is first is chance.
        #expect("\(error)".contains("took longer than 10 s"), "\(error)")
        #expect(site.runningCalls.isEmpty)
    }
}

// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTesting
import Testing

@Suite(.timeLimit(.minutes(10))) struct ManualClockTests {
    @Test func standsStillUntilItIsMoved() {
        let clock = ManualClock()
        let start = clock.now
        #expect(clock.now == start)
        clock.advance(by: .seconds(3))
        #expect(start.duration(to: clock.now) == .seconds(3))
        clock.advance(to: start)
        #expect(start.duration(to: clock.now) == .seconds(3))
    }

    @Test func anInstantThatHasPassedDoesNotSleep() async throws {
        let clock = ManualClock()
        try await clock.sleep(until: clock.now)
        try await clock.sleep(until: clock.now - .seconds(1))
        #expect(clock.sleeperCount == 0)
    }

    @Test func wakesThoseWhoseTimeHasCome() async throws {
        let clock = ManualClock()
        let start = clock.now
        let woken = Log<Int>()
        try await withThrowingTaskGroup { group in
            for seconds in [5, 1, 3] {
                group.addTask { [clock, start, woken] in
                    try await clock.sleep(until: start + .seconds(seconds))
                    woken.append(seconds)
                }
            }
            try await clock.waitForSleepers(3)
            #expect(clock.timeToNextSleeper == .seconds(1))
            clock.advance(by: .milliseconds(2999))
            try await group.next()
            #expect(woken.values == [1])
            #expect(clock.sleeperCount == 2)
            #expect(clock.advanceToNextSleeper())
            try await group.next()
            #expect(woken.values == [1, 3])
            #expect(clock.advanceToNextSleeper())
            try await group.next()
            #expect(!clock.advanceToNextSleeper())
        }
        #expect(start.duration(to: clock.now) == .seconds(5))
    }

    @Test func aCancelledSleeperLeaves() async throws {
        let clock = ManualClock()
        let sleeper = Task { try await clock.sleep(until: clock.now + .seconds(1)) }
        try await clock.waitForSleepers()
        sleeper.cancel()
        await #expect(throws: CancellationError.self) { try await sleeper.value }
        #expect(clock.sleeperCount == 0)
        let late = Task {
            try? await Gate().wait()
            try await clock.sleep(until: clock.now + .seconds(1))
        }
        late.cancel()
        await #expect(throws: CancellationError.self) { try await late.value }
    }

    @Test func waitingForSleepersInVainSaysSo() async {
        await #expect(throws: ManualClock.TooFewSleepers.self) {
            try await ManualClock().waitForSleepers(1, within: .milliseconds(10))
        }
    }
}

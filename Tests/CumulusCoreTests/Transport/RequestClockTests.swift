// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import Testing

@Suite(.timeLimit(.minutes(10))) struct RequestClockTests {
    @Test(
        "a sleep that would end beyond all clocks waits, and can be cancelled",
        arguments: [Duration(secondsComponent: .max, attosecondsComponent: 0), .seconds(Int64(1) << 62)]
    )
    func endlessSleep(duration: Duration) async {
        let task = Task { try await SystemClock().sleep(for: duration) }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test func aSleepUntilThePastReturns() async throws { try await SystemClock().sleep(for: .seconds(-1)) }
}

// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTesting
import HTTPTypes
import Synchronization
import TestSupport
import Testing

/// A pause that comes too late: the call has succeeded, and isn't sent again.
@Suite(.timeLimit(.minutes(10))) struct UploadPauseTests {
    /// A call that succeeds although it is paused meanwhile, and the number of its starts.
    private final class LateCall: Sendable {
        let starts = Atomic(0)
        let begun = Gate()
        let end = Gate()

        func call() -> Call<Int> {
            Call<Int>(
                withOwnProgressOn: Resource(
                    "https://a.test",
                    transport: StubTransport(answering: { _ in .response() })
                ),
                .post
            ) { _, _ in
                let number = self.starts.add(1, ordering: .relaxed).newValue
                self.begun.open()
                // Not cancelled by the pause.
                try await Task { try await self.end.wait() }.value
                return number
            }
        }
    }

    @Test func successDuringAPauseEndsTheCall() async throws {
        let late = LateCall()
        let running = late.call().start()
        try await late.begun.wait()
        running.suspend()
        late.end.open()
        #expect(try await running.value == 1)
        #expect(!running.isSuspended && running.isFinished)
        running.proceed()
        #expect(late.starts.load(ordering: .relaxed) == 1)
    }

    @Test func successAfterAPauseIsTheResumedCallsResult() async throws {
        let late = LateCall()
        let running = late.call().start()
        try await late.begun.wait()
        running.suspend()
        running.proceed()
        running.suspend()
        running.proceed()
        late.end.open()
        #expect(try await running.value == 1)
        #expect(late.starts.load(ordering: .relaxed) == 1)
    }

    @Test func restartDoesNotReturnAnEarlierSuccess() async throws {
        let late = LateCall()
        let running = late.call().start()
        try await late.begun.wait()
        running.suspend()
        running.restart()
        late.end.open()
        #expect(try await running.value == 2)
    }
}

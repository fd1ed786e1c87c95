// SPDX-License-Identifier: Apache-2.0

import CumulusTesting
import Testing

@Suite(.timeLimit(.minutes(10))) struct GateTests {
    @Test func letsEveryoneThroughOnceOpen() async throws {
        let gate = Gate()
        try await withThrowingTaskGroup { group in
            for _ in 0..<5 { group.addTask { try await gate.wait() } }
            gate.open()
            try await group.waitForAll()
        }
        try await gate.wait()
        #expect(gate.isOpen)
        #expect(gate.waiterCount == 0)
    }

    @Test func cancellationEndsTheWait() async {
        let gate = Gate()
        let waiting = Task { try await gate.wait() }
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
        #expect(!gate.isOpen)
        #expect(gate.waiterCount == 0)
    }
}

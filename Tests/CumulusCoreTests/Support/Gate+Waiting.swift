// SPDX-License-Identifier: Apache-2.0

import CumulusTesting

extension Gate {
    struct NobodyWaits: Error {}

    /// Waits until somebody waits at the gate; gives up after five minutes.
    func waitForWaiters() async throws {
        let limit = ContinuousClock.now + .seconds(300)
        while waiterCount == 0 {
            if ContinuousClock.now > limit { throw NobodyWaits() }
            // Polls: a loop that only yields would take the few threads from other tests.
            try await Task.sleep(for: .milliseconds(1))
        }
    }
}

// SPDX-License-Identifier: Apache-2.0

import CumulusTesting

extension Gate {
    struct NobodyWaits: Error {}

    /// Waits until somebody waits at the gate; gives up after ten seconds.
    func waitForWaiters() async throws {
        let limit = ContinuousClock.now + .seconds(10)
        while waiterCount == 0 {
            if ContinuousClock.now > limit { throw NobodyWaits() }
            await Task.yield()
        }
    }
}

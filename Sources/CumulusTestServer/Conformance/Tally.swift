// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// A count that a case can watch until it stops changing.
final class Tally: Sendable {
    private let stored = Mutex(0)

    var count: Int { stored.withLock { $0 } }

    func add(_ amount: Int) { stored.withLock { $0 += amount } }

    /// Waits until the count has not changed for a while, which means that the producer has stopped.
    func waitForStall(quiet: Duration = .milliseconds(300)) async throws -> Int {
        while true {
            let before = count
            // In real time: that nothing comes any more can't be waited for otherwise.
            try await Task.sleep(for: quiet)
            if count == before { return before }
        }
    }
}

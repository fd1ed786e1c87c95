// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// A count that a case can watch come to rest.
final class Tally: Sendable {
    private let stored = Mutex(0)

    var count: Int { stored.withLock { $0 } }

    func add(_ amount: Int) { stored.withLock { $0 += amount } }

    /// Waits until the count has not changed for a while, which is how a stopped producer shows itself.
    func waitForStall(quiet: Duration = .milliseconds(300)) async throws -> Int {
        while true {
            let before = count
            try await Task.sleep(for: quiet)
            if count == before { return before }
        }
    }
}

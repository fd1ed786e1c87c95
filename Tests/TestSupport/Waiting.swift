// SPDX-License-Identifier: Apache-2.0

/// Nothing happened for five minutes.
package struct NeverHappened: Error {
    package init() {}
}

/// Waits until something is so; gives up after five minutes.
package func eventually(_ isSo: () -> Bool) async throws {
    let limit = ContinuousClock.now + .seconds(300)
    while !isSo() {
        if ContinuousClock.now > limit { throw NeverHappened() }
        // Polls: a loop that only yields would take the few threads from other tests.
        try await Task.sleep(for: .milliseconds(1))
    }
}

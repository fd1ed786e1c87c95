// SPDX-License-Identifier: Apache-2.0

import Testing

struct NeverHappened: Error {}

/// Waits until something is so; gives up after ten seconds.
func eventually(_ isSo: () -> Bool) async throws {
    let limit = ContinuousClock.now + .seconds(10)
    while !isSo() {
        if ContinuousClock.now > limit { throw NeverHappened() }
        await Task.yield()
    }
}

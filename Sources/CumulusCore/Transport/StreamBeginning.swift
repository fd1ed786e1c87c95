// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Records whether a once-only stream was started.
final class StreamBeginning: Sendable {
    // 0 at first, 1 if someone is about to start it, 2 once it was started.
    private let state = Atomic<UInt8>(0)

    var isTaken: Bool { state.load(ordering: .acquiring) > 0 }

    /// Takes it for whoever starts it next; false if someone else did so before.
    func reserve() -> Bool {
        state.compareExchange(expected: 0, desired: 1, ordering: .acquiringAndReleasing).exchanged
    }

    /// Starts it; false if it was started before.
    func claim() -> Bool { state.exchange(2, ordering: .acquiringAndReleasing) < 2 }
}

// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Records whether a once-only stream was started.
final class StreamBeginning: Sendable {
    private let claimed = Atomic(false)

    var isClaimed: Bool { claimed.load(ordering: .acquiring) }

    /// Starts it; false if it was started before.
    func claim() -> Bool { !claimed.exchange(true, ordering: .acquiringAndReleasing) }
}

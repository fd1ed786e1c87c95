// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Whether a stream that can be produced once only was begun.
final class StreamBeginning: Sendable {
    private let claimed = Atomic(false)

    var isClaimed: Bool { claimed.load(ordering: .acquiring) }

    /// Begins it; false if it was begun before.
    func claim() -> Bool { !claimed.exchange(true, ordering: .acquiringAndReleasing) }
}

// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Where an attempt leaves what became of its hedge: it is sent beneath the interceptors, and told above them.
final class HedgeNote: Sendable {
    private let latest = Mutex<HedgeRecord?>(nil)

    var record: HedgeRecord? { latest.withLock(\.self) }

    func note(_ record: HedgeRecord) { latest.withLock { $0 = record } }
}

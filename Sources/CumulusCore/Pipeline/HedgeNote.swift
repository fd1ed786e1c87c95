// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Carries the outcome of an attempt's hedge from beneath the interceptors, where it is sent, to the call above.
final class HedgeNote: Sendable {
    private let latest = Mutex<HedgeRecord?>(nil)

    var record: HedgeRecord? { latest.withLock(\.self) }

    func note(_ record: HedgeRecord) { latest.withLock { $0 = record } }
}

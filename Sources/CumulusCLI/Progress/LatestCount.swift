// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import Synchronization

/// How many bytes a transfer has moved, as far as it was told.
final class LatestCount: Sendable {
    private let count = Mutex<Int64?>(nil)

    /// The bytes of the latest attempt.
    var value: Int64 { count.withLock(\.self) ?? 0 }

    /// Whether anything was told.
    var isTold: Bool { count.withLock { $0 != nil } }

    func note(_ event: TransferProgress) { count.withLock { $0 = event.completed } }
}

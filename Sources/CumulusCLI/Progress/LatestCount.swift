// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import Synchronization

/// How many bytes a transfer has moved, as far as it was told.
final class LatestCount: Sendable {
    private let latest = Mutex<TransferProgress?>(nil)

    /// The bytes of the latest attempt.
    var value: Int64 { latest.withLock { $0?.completed } ?? 0 }

    /// Whether anything was told.
    var isTold: Bool { latest.withLock { $0 != nil } }

    func note(_ event: TransferProgress) { latest.withLock { $0 = event } }

    /// The bytes of a body that was answered; the answer may come before the last event, hence what the transport wrote.
    func value(written: Int64) -> Int64 {
        guard let event = latest.withLock(\.self) else { return 0 }
        if event.isFinished { return event.completed }
        return max(event.completed, min(written, event.total ?? event.completed))
    }
}

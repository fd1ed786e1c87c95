// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import Synchronization

/// How many bytes a transfer has reported.
final class LatestCount: Sendable {
    private let latest = Mutex<TransferProgress?>(nil)

    /// The bytes of the latest attempt.
    var value: Int64 { latest.withLock { $0?.completed } ?? 0 }

    func note(_ event: TransferProgress) { latest.withLock { $0 = event } }

    /// The bytes of an answered body; the response may arrive before the last event, so the transport's count is used.
    func value(written: Int64) -> Int64 {
        guard let event = latest.withLock(\.self) else { return 0 }
        if event.isFinished { return event.completed }
        return max(event.completed, min(written, event.total ?? event.completed))
    }
}

// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import Synchronization

/// An estimate of a rate from occasional samples: the last seconds weigh most, and stalls are visible.
struct RateEstimate: Sendable {
    /// After this time, earlier measurements weigh about a third.
    private static let memory = 3.0

    private var last: (count: Int64, at: ContinuousClock.Instant)?
    private var smoothed: Double?

    /// Bytes per second; `nil` before the second sample.
    var rate: Double? { smoothed }

    /// Takes a sample.
    mutating func look(at count: Int64, _ now: ContinuousClock.Instant) {
        guard let last else {
            self.last = (count, now)
            return
        }
        let seconds = (now - last.at) / .seconds(1)
        guard seconds > 0.05 else { return }
        // A repeated attempt starts over.
        let latest = Double(max(0, count - last.count)) / seconds
        let share = min(1, seconds / RateEstimate.memory)
        smoothed = smoothed.map { $0 + (latest - $0) * share } ?? latest
        self.last = (count, now)
    }
}

/// How many bytes a transfer has reported.
final class LatestCount: Sendable {
    private let latest = Mutex<TransferProgress?>(nil)

    func note(_ event: TransferProgress) { latest.withLock { $0 = event } }

    /// The bytes of an answered body; the response may arrive before the last event, so the transport's count is used.
    func value(written: Int64) -> Int64 {
        guard let event = latest.withLock(\.self) else { return 0 }
        if event.isFinished { return event.completed }
        return max(event.completed, min(written, event.total ?? event.completed))
    }
}

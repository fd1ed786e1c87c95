// SPDX-License-Identifier: Apache-2.0

/// How fast something goes, looked at now and then: the last seconds weigh most, and standing still shows.
struct RateEstimate: Sendable {
    /// After so long, what was measured before weighs about a third.
    private static let memory = 3.0

    private var last: (count: Int64, at: ContinuousClock.Instant)?
    private var smoothed: Double?

    /// Bytes a second; `nil` before there were two looks.
    var rate: Double? { smoothed }

    /// Looks at how far it has come.
    mutating func look(at count: Int64, _ now: ContinuousClock.Instant) {
        guard let last else {
            self.last = (count, now)
            return
        }
        let seconds = (now - last.at) / .seconds(1)
        guard seconds > 0.05 else { return }
        // A repeated attempt begins again.
        let latest = Double(max(0, count - last.count)) / seconds
        let share = min(1, seconds / RateEstimate.memory)
        smoothed = smoothed.map { $0 + (latest - $0) * share } ?? latest
        self.last = (count, now)
    }
}

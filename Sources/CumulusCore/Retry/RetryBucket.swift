// SPDX-License-Identifier: Apache-2.0

/// The retries that an origin has left; full at the beginning.
struct RetryBucket: Sendable {
    private(set) var left: Double
    private(set) var lookedAt: Moment

    init(_ budget: RetryBudget, at now: Moment) {
        left = Double(budget.burst)
        lookedAt = now
    }

    /// Adds what calls and time have brought since the last look, and takes a retry if there is one.
    mutating func take(_ cost: Double, of budget: RetryBudget, calls: UInt64, at now: Moment) -> Bool {
        let seconds = max(0, (now - lookedAt) / .seconds(1))
        lookedAt = max(lookedAt, now)
        left = min(Double(budget.burst), left + Double(calls) * budget.share + seconds * budget.perSecond)
        guard left >= cost else { return false }
        left -= cost
        return true
    }
}

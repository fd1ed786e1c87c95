// SPDX-License-Identifier: Apache-2.0

/// The remaining retries of an origin; full at the start.
struct RetryBucket: Sendable {
    private(set) var left: Double
    private(set) var lookedAt: Moment

    init(_ budget: RetryBudget, at now: Moment) {
        left = Double(budget.burst)
        lookedAt = now
    }

    /// Adds the retries earned by calls and time since the last update, subtracts the transport's repetitions, and
    /// takes a retry if there is one.
    mutating func take(_ cost: Double, of budget: RetryBudget, load: RetryBudgets.Load, at now: Moment) -> Bool {
        let seconds = max(0, (now - lookedAt) / .seconds(1))
        lookedAt = max(lookedAt, now)
        let gain = Double(load.calls) * budget.share + seconds * budget.perSecond
        // Repetitions can't be refused afterwards; the debt is limited by the burst.
        left = max(-Double(budget.burst), min(Double(budget.burst), left + gain - Double(load.repetitions)))
        guard left >= cost else { return false }
        left -= cost
        return true
    }
}

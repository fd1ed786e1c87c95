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
    /// takes a retry if one is left.
    mutating func take(_ cost: Double, of budget: RetryBudget, load: RetryBudgets.Load, at now: Moment) -> Bool {
        add(load, of: budget, at: now)
        // A full bucket always suffices. Otherwise, a burst of 1 would never allow the retry of a timeout.
        let cost = min(cost, max(1, Double(budget.burst)))
        guard left >= cost else { return false }
        left -= cost
        return true
    }

    /// Adds the retries earned since the last update, and subtracts the transport's repetitions.
    mutating func add(_ load: RetryBudgets.Load, of budget: RetryBudget, at now: Moment) {
        let seconds = max(0, (now - lookedAt) / .seconds(1))
        lookedAt = max(lookedAt, now)
        let gain = Double(load.calls) * budget.share + seconds * budget.perSecond
        // Repetitions can't be refused afterwards; the debt is limited by the burst.
        left = max(-Double(budget.burst), min(Double(budget.burst), left + gain - Double(load.repetitions)))
    }
}

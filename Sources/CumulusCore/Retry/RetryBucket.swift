// SPDX-License-Identifier: Apache-2.0

/// The retries that an origin has left; full at the beginning.
struct RetryBucket: Sendable {
    private(set) var left: Double
    private(set) var lookedAt: Moment

    init(_ budget: RetryBudget, at now: Moment) {
        left = Double(budget.burst)
        lookedAt = now
    }

    /// Adds what calls and time have brought since the last look, takes off what the transport has repeated, and takes a
    /// retry if there is one.
    mutating func take(_ cost: Double, of budget: RetryBudget, load: RetryBudgets.Load, at now: Moment) -> Bool {
        let seconds = max(0, (now - lookedAt) / .seconds(1))
        lookedAt = max(lookedAt, now)
        let gain = Double(load.calls) * budget.share + seconds * budget.perSecond
        // What was repeated can't be refused any more; a debt is no larger than what there is at once.
        left = max(-Double(budget.burst), min(Double(budget.burst), left + gain - Double(load.repetitions)))
        guard left >= cost else { return false }
        left -= cost
        return true
    }
}

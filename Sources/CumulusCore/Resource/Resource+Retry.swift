// SPDX-License-Identifier: Apache-2.0

extension Resource {
    /// The number of retries that the ``RetryPolicy/budget`` currently allows for this place's origin, for metrics.
    ///
    /// All resources of a tree share it. `nil` if the policy has no budget. At 0, failures are delivered without a
    /// retry (``RetryDecision/Obstacle/budget(_:)``).
    public var retriesLeft: Int? {
        let snapshot = snapshot
        guard let budget = snapshot.values.value(RetryKey.self)?.budget,
            let origin = try? place.address.get().origin
        else { return nil }
        let now = snapshot.values.value(ClockKey.self).moment
        return tree.context.retryBudgets.left(of: origin, of: budget, load: tree.context.callList.load, at: now)
    }

    /// Takes a retry of this place's origin from a budget, for a feature that repeats calls by itself.
    ///
    /// - Parameters:
    ///   - budget: The budget; `nil` for none, so that each retry is allowed.
    ///   - failure: The error after which the call is repeated. A time limit that passed costs more.
    /// - Returns: Whether a retry was left.
    package func takeRetry(of budget: RetryBudget?, after failure: (any Error)?) -> Bool {
        guard let budget, let origin = place.origin else { return true }
        let (context, cost) = (snapshot.context, (failure as? CumulusError)?.code == .timeout ? 2.0 : 1)
        return context.retryBudgets.take(cost, from: origin, of: budget, load: context.callList.load, at: clock.moment)
    }
}

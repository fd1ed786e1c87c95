// SPDX-License-Identifier: Apache-2.0

extension Resource {
    /// The number of retries that the ``RetryPolicy/budget`` currently leaves this place's origin, for metrics.
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
}

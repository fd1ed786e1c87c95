// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// What the origins of a tree have left of their retries; nobody looks here before something has failed.
final class RetryBudgets: Sendable {
    /// More origins than a tree asks at one time; a server could invent any number by redirects.
    static let mostOrigins = 256

    private struct State {
        var buckets: [Origin: RetryBucket] = [:]
        var calls: UInt64 = 0
    }

    private let state = Mutex(State())

    /// How many origins it knows.
    var count: Int { state.withLock(\.buckets.count) }

    /// Takes a retry of an origin, if there is one.
    ///
    /// - Parameters:
    ///   - cost: How many it counts for.
    ///   - origin: The origin.
    ///   - budget: What an origin gets.
    ///   - calls: How many calls the tree has made so far. They are counted in one place for all origins, as nothing is
    ///     done for a call that succeeds; so those since the last look go to the origin that asks first.
    ///   - now: The present moment.
    /// - Returns: Whether there was one.
    func take(_ cost: Double, from origin: Origin, of budget: RetryBudget, calls: UInt64, at now: Moment) -> Bool {
        state.withLock { state in
            let new = calls > state.calls ? calls - state.calls : 0
            state.calls = max(calls, state.calls)
            var bucket = state.buckets[origin] ?? RetryBucket(budget, at: now)
            if state.buckets.count >= RetryBudgets.mostOrigins, state.buckets[origin] == nil,
                let oldest = state.buckets.min(by: { $0.value.lookedAt < $1.value.lookedAt })
            {
                state.buckets[oldest.key] = nil
            }
            defer { state.buckets[origin] = bucket }
            return bucket.take(cost, of: budget, calls: new, at: now)
        }
    }
}

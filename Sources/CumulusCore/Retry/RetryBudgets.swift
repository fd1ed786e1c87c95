// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The remaining retries of a tree's origins; unused until something has failed.
final class RetryBudgets: Sendable {
    /// The maximum number of origins, more than a tree uses at one time.
    ///
    /// A server could invent any number with redirects.
    static let mostOrigins = 256

    /// The number of calls that a tree has made so far, and of requests that its transport has repeated by itself.
    typealias Load = (calls: UInt64, repetitions: UInt64)

    private struct State {
        var buckets: [Origin: RetryBucket] = [:]
        var load: Load = (0, 0)
    }

    private let state = Mutex(State())

    /// The number of origins.
    var count: Int { state.withLock(\.buckets.count) }

    /// Takes a retry of an origin, if one is left.
    ///
    /// - Parameters:
    ///   - cost: The number of retries that it counts as.
    ///   - origin: The origin.
    ///   - budget: The budget of each origin.
    ///   - load: The tree's requests so far. They are counted together for all origins, since a successful call does
    ///     nothing here. So the origin that takes the next retry gets the increase since the last one.
    ///   - now: The current moment.
    /// - Returns: Whether a retry was left.
    func take(_ cost: Double, from origin: Origin, of budget: RetryBudget, load: Load, at now: Moment) -> Bool {
        state.withLock { state in
            let new = RetryBudgets.growth(from: state.load, to: load)
            state.load = (max(load.calls, state.load.calls), max(load.repetitions, state.load.repetitions))
            var bucket = state.buckets[origin] ?? RetryBucket(budget, at: now)
            if state.buckets.count >= RetryBudgets.mostOrigins, state.buckets[origin] == nil,
                let oldest = state.buckets.min(by: { $0.value.lookedAt < $1.value.lookedAt })
            {
                state.buckets[oldest.key] = nil
            }
            defer { state.buckets[origin] = bucket }
            return bucket.take(cost, of: budget, load: new, at: now)
        }
    }

    /// The number of retries that an origin has left; reading it changes nothing.
    func left(of origin: Origin, of budget: RetryBudget, load: Load, at now: Moment) -> Int {
        state.withLock { state in
            var bucket = state.buckets[origin] ?? RetryBucket(budget, at: now)
            bucket.add(RetryBudgets.growth(from: state.load, to: load), of: budget, at: now)
            return max(0, Int(exactly: bucket.left.rounded(.down)) ?? budget.burst)
        }
    }

    /// The increase; loads may arrive out of order.
    private static func growth(from old: Load, to new: Load) -> Load {
        func more(_ old: UInt64, _ new: UInt64) -> UInt64 { new > old ? new - old : 0 }
        return (more(old.calls, new.calls), more(old.repetitions, new.repetitions))
    }
}

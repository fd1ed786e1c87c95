// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// What the origins of a tree have left of their retries; nobody looks here before something has failed.
final class RetryBudgets: Sendable {
    /// More origins than a tree asks at one time; a server could invent any number by redirects.
    static let mostOrigins = 256

    /// How many calls a tree has made so far, and how many requests its transport has sent once more by itself.
    typealias Load = (calls: UInt64, repetitions: UInt64)

    private struct State {
        var buckets: [Origin: RetryBucket] = [:]
        var load: Load = (0, 0)
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
    ///   - load: What the tree has sent so far. It is counted in one place for all origins, as nothing is done for a call
    ///     that succeeds; so what is new since the last look goes to the origin that asks first.
    ///   - now: The present moment.
    /// - Returns: Whether there was one.
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

    /// What is new; one who was told earlier may ask later.
    private static func growth(from old: Load, to new: Load) -> Load {
        func more(_ old: UInt64, _ new: UInt64) -> UInt64 { new > old ? new - old : 0 }
        return (more(old.calls, new.calls), more(old.repetitions, new.repetitions))
    }
}

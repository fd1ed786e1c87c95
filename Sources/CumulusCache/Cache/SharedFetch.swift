// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import Synchronization

/// A request that is under way, and whose response those wait for that want the same.
final class SharedFetch: Sendable {
    /// How it ended, for those who waited.
    enum Outcome: Sendable {
        /// Its response is stored, or on its way to be.
        case stored
        /// Its response is for nobody else: each sends its own request.
        case released
        /// There is no response: each sends its own request.
        case failed
        /// Its caller has gone: the next one leads.
        case cancelled
        /// Only its body's end tells whether it is stored: that is the end of another flight.
        case arriving(SharedFetch)
    }

    private struct State {
        var outcome: Outcome?
        var nextWaiter = 0
        var waiters: [Int: CheckedContinuation<Outcome, any Error>] = [:]
    }

    private let state = Mutex(State())

    /// How many wait.
    var waiterCount: Int { state.withLock(\.waiters.count) }

    /// Wakes those who wait; only the first outcome counts.
    func end(_ outcome: Outcome) {
        let waiters = state.withLock { state in
            guard state.outcome == nil else { return [Int: CheckedContinuation<Outcome, any Error>]().values }
            state.outcome = outcome
            defer { state.waiters = [:] }
            return state.waiters.values
        }
        for waiter in waiters { waiter.resume(returning: outcome) }
    }

    /// Waits for the end, but not for longer than a time; `nil` after that.
    ///
    /// - Throws: `CancellationError`.
    func wait(most limit: Duration, on clock: any RequestClock) async throws -> Outcome? {
        let end = clock.now.advanced(by: limit)
        return try await withThrowingTaskGroup(of: Outcome?.self) { group in
            group.addTask { try await self.wait() }
            group.addTask {
                try await clock.sleep(until: end)
                return nil
            }
            defer { group.cancelAll() }
            return try await group.next() ?? nil
        }
    }

    /// Waits for the end.
    ///
    /// - Throws: `CancellationError`.
    func wait() async throws -> Outcome {
        let number = state.withLock { state in
            state.nextWaiter += 1
            return state.nextWaiter
        }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let goesOn: Result<Outcome, any Error>? = state.withLock { state in
                    if let outcome = state.outcome { return .success(outcome) }
                    if Task.isCancelled { return .failure(CancellationError()) }
                    state.waiters[number] = continuation
                    return nil
                }
                if let goesOn { continuation.resume(with: goesOn) }
            }
        } onCancel: {
            state.withLock { $0.waiters.removeValue(forKey: number) }?.resume(throwing: CancellationError())
        }
    }
}

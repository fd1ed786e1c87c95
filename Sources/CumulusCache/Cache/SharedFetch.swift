// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import Synchronization

/// A running request, for whose response other calls with the same request wait.
final class SharedFetch: Sendable {
    /// The outcome for the calls that waited.
    enum Outcome: Sendable {
        /// Its response is stored, or is being stored.
        case stored
        /// Its response can't be shared: each call sends its own request.
        case released
        /// No response arrived: each call sends its own request.
        case failed
        /// Its caller has stopped waiting: the next call continues in its place.
        case cancelled
        /// Only the end of its body determines whether it is stored: wait for the end of this second fetch.
        case arriving(SharedFetch)
    }

    private struct State {
        var outcome: Outcome?
        var nextWaiter = 0
        var waiters: [Int: CheckedContinuation<Outcome, any Error>] = [:]
    }

    private let state = Mutex(State())

    /// The number of calls that wait.
    var waiterCount: Int { state.withLock(\.waiters.count) }

    /// Resumes the calls that wait.
    ///
    /// Only the first outcome is used.
    func end(_ outcome: Outcome) {
        let waiters = state.withLock { state in
            guard state.outcome == nil else { return [Int: CheckedContinuation<Outcome, any Error>]().values }
            state.outcome = outcome
            defer { state.waiters = [:] }
            return state.waiters.values
        }
        for waiter in waiters { waiter.resume(returning: outcome) }
    }

    /// Waits for the end up to a maximum time; `nil` after that.
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

// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// One request for a token that any number of callers wait for; it goes on when they are cancelled.
final class TokenFlight: Sendable {
    private struct State {
        var result: Result<HeldToken, any Error>?
        var waiters: [Int: CheckedContinuation<HeldToken, any Error>] = [:]
        /// Those who were cancelled before they waited.
        var left: Set<Int> = []
        var joined = 0
    }

    private let state = Mutex(State())

    /// How many wait; for tests.
    var waiterCount: Int { state.withLock(\.waiters.count) }

    /// The token that comes of it.
    ///
    /// - Throws: What it failed with; `CancellationError` when the caller is cancelled, which ends this wait alone.
    func wait() async throws -> HeldToken {
        let number = state.withLock { state -> Int in
            state.joined += 1
            return state.joined
        }
        defer { _ = state.withLock { $0.left.remove(number) } }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let ready = state.withLock { state -> Result<HeldToken, any Error>? in
                    if state.left.contains(number) { return .failure(CancellationError()) }
                    if let result = state.result { return result }
                    state.waiters[number] = continuation
                    return nil
                }
                if let ready { continuation.resume(with: ready) }
            }
        } onCancel: {
            let waiter = state.withLock { state in
                state.left.insert(number)
                return state.waiters.removeValue(forKey: number)
            }
            waiter?.resume(throwing: CancellationError())
        }
    }

    func finish(_ result: Result<HeldToken, any Error>) {
        let waiters = state.withLock { state -> [CheckedContinuation<HeldToken, any Error>] in
            state.result = result
            defer { state.waiters = [:] }
            return Array(state.waiters.values)
        }
        for waiter in waiters { waiter.resume(with: result) }
    }
}

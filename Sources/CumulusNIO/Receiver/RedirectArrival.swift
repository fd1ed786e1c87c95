// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import Synchronization

/// The awaited redirect, and how many connections there are in the meantime.
final class RedirectArrival: Sendable {
    private struct State {
        var query: Query?
        var waiter: CheckedContinuation<Query, any Error>?
        var isCancelled = false
        var connections = 0
    }

    /// More than a browser opens at once.
    private static let mostConnections = 16

    private let state = Mutex(State())

    /// Counts a connection; false if there are too many.
    func enter() -> Bool {
        state.withLock { state in
            state.connections += 1
            return state.connections <= RedirectArrival.mostConnections
        }
    }

    func leave() { state.withLock { $0.connections -= 1 } }

    func arrive(_ query: Query) {
        let waiter = state.withLock { state in
            state.query = state.query ?? query
            defer { state.waiter = nil }
            return state.waiter
        }
        waiter?.resume(returning: query)
    }

    func wait() async throws -> Query {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let ready = state.withLock { state -> Result<Query, any Error>? in
                    if state.isCancelled { return .failure(CancellationError()) }
                    if let query = state.query { return .success(query) }
                    state.waiter = continuation
                    return nil
                }
                if let ready { continuation.resume(with: ready) }
            }
        } onCancel: {
            let waiter = state.withLock { state in
                state.isCancelled = true
                defer { state.waiter = nil }
                return state.waiter
            }
            waiter?.resume(throwing: CancellationError())
        }
    }
}

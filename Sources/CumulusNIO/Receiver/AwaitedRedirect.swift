// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import Synchronization

/// The awaited redirect, and the connections that may bring it.
final class AwaitedRedirect: Sendable {
    private struct State {
        var query: Query?
        var waiter: CheckedContinuation<Query, any Error>?
        var isCancelled = false
        /// The open connections in the order in which they were opened.
        var connections: [Connection] = []
        var lastNumber = 0
    }

    private struct Connection {
        let number: Int
        var isSilent = true
        let close: @Sendable () -> Void
    }

    /// More than a browser opens at once.
    private static let mostConnections = 16

    private let state = Mutex(State())

    /// Adds a connection, and returns its number.
    ///
    /// If there are too many, the oldest one that has sent nothing is closed: other programs' connections must not keep
    /// the browser's out.
    func enter(_ close: @escaping @Sendable () -> Void) -> Int {
        let (number, closing) = state.withLock { state -> (Int, Connection?) in
            state.lastNumber += 1
            state.connections.append(Connection(number: state.lastNumber, close: close))
            guard state.connections.count > AwaitedRedirect.mostConnections else { return (state.lastNumber, nil) }
            let index = state.connections.dropLast().firstIndex(where: \.isSilent) ?? 0
            return (state.lastNumber, state.connections.remove(at: index))
        }
        closing?.close()
        return number
    }

    /// A connection has sent something.
    func hear(_ number: Int) {
        state.withLock { state in
            guard let index = state.connections.firstIndex(where: { $0.number == number }) else { return }
            state.connections[index].isSilent = false
        }
    }

    func leave(_ number: Int) { state.withLock { $0.connections.removeAll { $0.number == number } } }

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

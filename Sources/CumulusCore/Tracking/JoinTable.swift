// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Exchanges of a tree that several callers may wait for.
final class JoinTable: Sendable {
    /// How many callers may wait for one exchange; who comes later begins another.
    static let mostWaiters = 1024

    private let running = Mutex<[JoinKey: SharedWork<Response>]>([:])

    /// The response of a running exchange that is the same, or of one that is begun now.
    func response(
        for key: JoinKey,
        _ exchange: @escaping @Sendable () async throws -> Response
    ) async throws -> Response {
        while true {
            let shared = running.withLock { running -> SharedWork<Response> in
                if let shared = running[key], shared.enter(most: JoinTable.mostWaiters) { return shared }
                let shared = SharedWork<Response> { [weak self] in self?.forget(key, if: $0) }
                running[key] = shared
                return shared
            }
            shared.begin(exchange)
            // One that all others have left in this moment is not waited for.
            if let response = try await shared.wait() { return response }
            forget(key, if: shared)
        }
    }

    /// How many wait for an exchange; for tests.
    var waiterCount: Int { running.withLock { $0.values.reduce(0) { $0 + $1.waiterCount } } }

    private func forget(_ key: JoinKey, if shared: SharedWork<Response>) {
        running.withLock { if $0[key] === shared { $0[key] = nil } }
    }
}

// SPDX-License-Identifier: Apache-2.0

/// Limits a wait in real time, so that a test that waits for the wrong thing fails instead of hanging.
package enum TimeLimit {
    /// Runs `body`; if it exceeds the limit, it is cancelled, and the result is `nil`.
    package static func run<Value: Sendable>(
        _ limit: Duration,
        _ body: @escaping @Sendable () async throws -> Value
    ) async throws -> Value? {
        try await withThrowingTaskGroup(of: Value?.self) { group in
            group.addTask { try await body() }
            group.addTask {
                try await Task.sleep(for: limit)
                return nil
            }
            defer { group.cancelAll() }
            return try await group.next() ?? nil
        }
    }
}

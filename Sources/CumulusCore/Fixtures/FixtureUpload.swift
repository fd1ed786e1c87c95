// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Reads a request's body to its end, as if it were sent.
enum FixtureUpload {
    /// Reads the body and returns its length in bytes.
    static func drain(_ body: RequestBody) async throws -> Int64 {
        let counter = Counter()
        do {
            try await body.read { counter.add($0.count) }
        } catch let error as CancellationError {
            throw error
        } catch {
            throw TransportFailure(.requestBody, "the body's producer failed", sent: .something, cause: error)
        }
        if let length = body.length, length != counter.count {
            throw TransportFailure(.requestBody, "the body has \(counter.count) bytes, not \(length)", sent: .something)
        }
        return counter.count
    }

    private final class Counter: Sendable {
        private let stored = Mutex<Int64>(0)
        var count: Int64 { stored.withLock { $0 } }
        func add(_ count: Int) { stored.withLock { $0 += Int64(count) } }
    }
}

// SPDX-License-Identifier: Apache-2.0

package import Synchronization

/// Work that is done once, by key, for all callers that need it at the same time.
package final class WorkTable<Key: Hashable & Sendable, Output: Sendable>: Sendable {
    @usableFromInline let mostWaiters: Int
    @usableFromInline let running = Mutex<[Key: SharedWork<Output>]>([:])

    /// Creates a table; a caller beyond the maximum for one piece of work starts another.
    @inlinable package init(mostWaiters: Int = .max) { self.mostWaiters = mostWaiters }

    /// The result of a key's running work, or of work that starts now.
    ///
    /// - Throws: The work's error; `CancellationError` when the caller is cancelled, which ends only its own wait.
    @inlinable package func value(for key: Key, _ work: @escaping @Sendable () async throws -> Output) async throws
        -> Output
    {
        while true {
            let shared = running.withLock { running -> SharedWork<Output> in
                if let shared = running[key], shared.enter(most: mostWaiters) { return shared }
                let shared = SharedWork<Output> { [weak self] in self?.forget(key, if: $0) }
                running[key] = shared
                return shared
            }
            shared.begin(work)
            // Work that all other callers have just left is not waited for.
            if let value = try await shared.wait() { return value }
            forget(key, if: shared)
        }
    }

    /// Whether the work for a key is running.
    @inlinable package func isUnderWay(_ key: Key) -> Bool { running.withLock { $0[key] != nil } }

    /// How many callers wait; for tests.
    @inlinable package var waiterCount: Int { running.withLock { $0.values.reduce(0) { $0 + $1.waiterCount } } }

    @inlinable func forget(_ key: Key, if shared: SharedWork<Output>) {
        running.withLock { if $0[key] === shared { $0[key] = nil } }
    }
}

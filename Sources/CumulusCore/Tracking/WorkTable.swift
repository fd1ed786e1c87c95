// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Work that is done once for all who need it at the same time, by what it is for.
final class WorkTable<Key: Hashable & Sendable, Output: Sendable>: Sendable {
    private let mostWaiters: Int
    private let running = Mutex<[Key: SharedWork<Output>]>([:])

    /// Makes a table; a caller beyond the most that may wait for one piece of work begins another.
    init(mostWaiters: Int = .max) { self.mostWaiters = mostWaiters }

    /// What comes of the work for a key that is under way, or of work that begins now.
    ///
    /// - Throws: What the work throws; `CancellationError` when the caller is cancelled, which ends its own wait alone.
    func value(for key: Key, _ work: @escaping @Sendable () async throws -> Output) async throws -> Output {
        while true {
            let shared = running.withLock { running -> SharedWork<Output> in
                if let shared = running[key], shared.enter(most: mostWaiters) { return shared }
                let shared = SharedWork<Output> { [weak self] in self?.forget(key, if: $0) }
                running[key] = shared
                return shared
            }
            shared.begin(work)
            // Work that all others have just left is not waited for.
            if let value = try await shared.wait() { return value }
            forget(key, if: shared)
        }
    }

    /// Whether the work for a key is under way.
    func isUnderWay(_ key: Key) -> Bool { running.withLock { $0[key] != nil } }

    /// How many wait; for tests.
    var waiterCount: Int { running.withLock { $0.values.reduce(0) { $0 + $1.waiterCount } } }

    private func forget(_ key: Key, if shared: SharedWork<Output>) {
        running.withLock { if $0[key] === shared { $0[key] = nil } }
    }
}

// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Stands in for `Synchronization.Mutex` under the thread sanitizer, which can't see into that one's slow path: a lock
/// that is contended would be reported as a race. `Scripts/sanitize.sh` puts this file into a copy of each module.
struct Mutex<Value: ~Copyable>: ~Copyable, @unchecked Sendable {
    private final class Storage {
        var value: Value
        let lock: UnsafeMutablePointer<pthread_mutex_t>

        init(_ value: consuming sending Value) {
            self.value = value
            lock = .allocate(capacity: 1)
            pthread_mutex_init(lock, nil)
        }

        deinit {
            pthread_mutex_destroy(lock)
            lock.deallocate()
        }
    }

    private let storage: Storage

    init(_ value: consuming sending Value) { storage = Storage(value) }

    borrowing func withLock<Result: ~Copyable, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        pthread_mutex_lock(storage.lock)
        defer { pthread_mutex_unlock(storage.lock) }
        return try body(&storage.value)
    }
}

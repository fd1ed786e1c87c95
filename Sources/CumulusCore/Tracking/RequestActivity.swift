// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The number of this process's running requests, for a network indicator.
///
/// ```swift
/// for await count in RequestActivity.counts { indicator.isVisible = count > 0 }
/// ```
public enum RequestActivity {
    private struct Observers {
        var next = 0
        var streams: [Int: AsyncStream<Int>.Continuation] = [:]
    }

    private static let running = Atomic<Int>(0)
    private static let isObserved = Atomic<Bool>(false)
    private static let observers = Mutex(Observers())

    /// The number of running requests of all resources; a streamed response counts as running until its body ends.
    public static var count: Int { running.load(ordering: .relaxed) }

    /// The current number, and then each change.
    ///
    /// A slow reader receives only the newest.
    public static var counts: AsyncStream<Int> {
        AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            let number = observers.withLock { observers -> Int in
                observers.next += 1
                observers.streams[observers.next] = continuation
                isObserved.store(true, ordering: .sequentiallyConsistent)
                return observers.next
            }
            continuation.yield(count)
            continuation.onTermination = { _ in
                observers.withLock { observers in
                    observers.streams[number] = nil
                    if observers.streams.isEmpty { isObserved.store(false, ordering: .sequentiallyConsistent) }
                }
            }
        }
    }

    static func begin() { change(by: 1) }

    static func end() { change(by: -1) }

    private static func change(by step: Int) {
        running.add(step, ordering: .sequentiallyConsistent)
        guard isObserved.load(ordering: .sequentiallyConsistent) else { return }
        // Read and delivered under the lock, so that the last number that an observer receives is the latest.
        observers.withLock { for stream in $0.streams.values { stream.yield(count) } }
    }
}

// SPDX-License-Identifier: Apache-2.0

import Dispatch
import NIOCore
import NIOPosix
import Synchronization

/// Stops all event loops of the process for a moment, so that they see later events all at once.
final class LoopStop: Sendable {
    /// How long a loop stands at most: they serve all tests, of which one may fail before it has them resume.
    private static let longest: DispatchTimeInterval = .seconds(30)
    /// One at a time: two would wait for each other's loops.
    private static let turn = DispatchSemaphore(value: 1)
    private let held = DispatchSemaphore(value: 0)
    private let released = DispatchSemaphore(value: 0)
    private let isHolding = Atomic(false)
    private let loops = Array(MultiThreadedEventLoopGroup.singleton.makeIterator())

    // A test that failed in between has not released them.
    deinit { release() }

    /// Waits until they are stopped; never called on one of them.
    func hold() {
        // Its holder gives it back, at the latest with its own end.
        LoopStop.turn.wait()
        isHolding.store(true, ordering: .relaxed)
        for loop in loops {
            loop.execute { [self] in
                held.signal()
                _ = released.wait(timeout: .now() + LoopStop.longest)
            }
        }
        // Loops always take up what they are given.
        for _ in loops { held.wait() }
    }

    /// Resumes them.
    func release() {
        guard isHolding.exchange(false, ordering: .relaxed) else { return }
        for _ in loops { released.signal() }
        LoopStop.turn.signal()
    }
}

// SPDX-License-Identifier: Apache-2.0

import Dispatch
import NIOCore
import NIOPosix

/// Stops all event loops of the process for a moment, so that they see later events all at once.
final class LoopStop: Sendable {
    /// One at a time: two would wait for each other's loops.
    private static let turn = DispatchSemaphore(value: 1)
    private let held = DispatchSemaphore(value: 0)
    private let released = DispatchSemaphore(value: 0)
    private let loops = Array(MultiThreadedEventLoopGroup.singleton.makeIterator())

    /// Waits until they are stopped; never called on one of them.
    func hold() {
        LoopStop.turn.wait()
        for loop in loops {
            loop.execute { [self] in
                held.signal()
                released.wait()
            }
        }
        for _ in loops { held.wait() }
    }

    /// Resumes them.
    func release() {
        for _ in loops { released.signal() }
        LoopStop.turn.signal()
    }
}

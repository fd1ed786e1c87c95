// SPDX-License-Identifier: Apache-2.0

/// The events of a session's transfers, as an endless sequence.
///
/// Events wait in memory until a loop receives them, including those of transfers that ended before the loop began. If
/// several loops run, each event goes to one of them. Cancelling the loop's task ends the loop.
public struct BackgroundEvents: AsyncSequence, Sendable {
    let queue: EventQueue

    /// The iterator for one loop.
    public final class Iterator: AsyncIteratorProtocol {
        private let queue: EventQueue

        init(_ queue: EventQueue) {
            self.queue = queue
            queue.enter()
        }

        deinit { queue.leave() }

        /// Waits for the next event; `nil` if the task is cancelled.
        public func next() async -> BackgroundEvent? { await queue.next() }
    }

    /// Creates an iterator for one loop.
    public func makeAsyncIterator() -> Iterator { Iterator(queue) }
}

// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import Synchronization

/// The sockets that callers may write on: the loop puts them here, callers on any thread take them, last in, first out.
///
/// A socket that the loop has withdrawn may still be here; the caller that takes it notices.
final class CallerSocketStack: Sendable {
    // A class: changing an array within the dictionary would cost allocations each time.
    private final class Stack {
        var sockets: [CallerSocket] = []
    }

    private let stacks = Mutex<[Origin: Stack]>([:])

    func put(_ socket: CallerSocket, for origin: Origin) {
        stacks.withLock { stacks in
            if let stack = stacks[origin] { return stack.sockets.append(socket) }
            let stack = Stack()
            stack.sockets.append(socket)
            stacks[origin] = stack
        }
    }

    func take(for origin: Origin) -> CallerSocket? {
        stacks.withLock { $0[origin]?.sockets.popLast() }
    }

    /// Removes a socket that is of no use any more.
    func remove(_ socket: CallerSocket, for origin: Origin) {
        stacks.withLock { $0[origin]?.sockets.removeAll { $0 === socket } }
    }

    /// Forgets an origin.
    func forget(_ origin: Origin) { stacks.withLock { $0[origin] = nil } }

    func clear() { stacks.withLock { $0 = [:] } }
}

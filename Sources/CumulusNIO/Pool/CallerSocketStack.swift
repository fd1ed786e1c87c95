// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import Synchronization

/// The sockets that callers may write on: the loop puts them here, callers on any thread take them, last in, first out.
///
/// A socket that the loop has withdrawn may still be here; the caller that takes it notices.
final class CallerSocketStack: Sendable {
    // A class: changing an array within the dictionary would cost allocations each time.
    private final class Stack {
        let origin: Origin
        // Without checks of exclusive access: it is used under the lock only.
        @exclusivity(unchecked) var sockets: [CallerSocket] = []

        init(_ origin: Origin) { self.origin = origin }
    }

    private struct Stacks {
        private var all: [Origin: Stack] = [:]
        /// The one that was used last: most requests have the same origin as the one before.
        private var last: Stack?

        /// The stack of an origin; `nil` before its first socket.
        mutating func find(_ origin: Origin) -> Stack? {
            if let last, last.origin == origin { return last }
            guard let stack = all[origin] else { return nil }
            last = stack
            return stack
        }

        /// The stack of an origin, which is made for its first socket.
        mutating func findOrMake(_ origin: Origin) -> Stack {
            if let stack = find(origin) { return stack }
            let stack = Stack(origin)
            all[origin] = stack
            return stack
        }

        mutating func forget(_ origin: Origin) {
            all[origin] = nil
            if last?.origin == origin { last = nil }
        }
    }

    private let stacks = Mutex(Stacks())

    func put(_ socket: CallerSocket, for origin: Origin) {
        stacks.withLock { $0.findOrMake(origin).sockets.append(socket) }
    }

    func take(for origin: Origin) -> CallerSocket? {
        stacks.withLock { $0.find(origin)?.sockets.popLast() }
    }

    /// Removes a socket that is of no use any more.
    func remove(_ socket: CallerSocket, for origin: Origin) {
        stacks.withLock { $0.find(origin)?.sockets.removeAll { $0 === socket } }
    }

    /// Forgets an origin.
    func forget(_ origin: Origin) { stacks.withLock { $0.forget(origin) } }

    func clear() { stacks.withLock { $0 = Stacks() } }
}

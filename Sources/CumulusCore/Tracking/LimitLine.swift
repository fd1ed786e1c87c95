// SPDX-License-Identifier: Apache-2.0

/// The bookkeeping of a limit, without locks or clocks: how many run, who waits, who is next.
struct LimitLine: Sendable {
    /// How many may run at once; 0 or less for any number.
    var limit = 0
    private(set) var running = 0
    private var queue = TurnQueue()

    var waiting: Int { queue.count }

    /// Whether a request would have to wait.
    var isFull: Bool { !queue.isEmpty || !hasRoom }

    private var hasRoom: Bool { limit <= 0 || running < limit }

    /// Takes a slot, or a place in the line, whose number is returned.
    mutating func enter() -> UInt64? { enterIfFree() ? nil : queue.append() }

    /// Takes a slot if there is one and nobody waits.
    mutating func enterIfFree() -> Bool {
        guard !isFull else { return false }
        running += 1
        return true
    }

    mutating func leave() { running -= 1 }

    /// The first of the line, if there is room for it: it has a slot from now on.
    mutating func admitNext() -> UInt64? {
        guard hasRoom, let number = queue.popFirst() else { return nil }
        running += 1
        return number
    }

    /// Leaves the line; false for one that has been admitted, or has left before.
    mutating func giveUp(_ number: UInt64) -> Bool { queue.remove(number) }
}

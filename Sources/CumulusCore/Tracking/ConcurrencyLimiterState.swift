// SPDX-License-Identifier: Apache-2.0

/// The state of a limit, without locks or clocks: how many requests run, which wait, and which is next.
struct ConcurrencyLimiterState: Sendable {
    /// How many requests may run at once; 0 or less for no limit.
    var limit = 0
    private(set) var running = 0
    private var queue = WaitingQueue()

    var waiting: Int { queue.count }

    /// Whether a request would have to wait.
    var isFull: Bool { !queue.isEmpty || !hasRoom }

    private var hasRoom: Bool { limit <= 0 || running < limit }

    /// Takes a slot, or a place in the line, whose number it returns.
    mutating func enter() -> UInt64? { enterIfFree() ? nil : queue.append() }

    /// Takes a slot if one is free and nobody waits.
    mutating func enterIfFree() -> Bool {
        guard !isFull else { return false }
        running += 1
        return true
    }

    mutating func leave() { running -= 1 }

    /// Admits the first of the line if there is room; it then has a slot.
    mutating func admitNext() -> UInt64? {
        guard hasRoom, let number = queue.popFirst() else { return nil }
        running += 1
        return number
    }

    /// Leaves the line; false for a request that was admitted, or has left before.
    mutating func giveUp(_ number: UInt64) -> Bool { queue.remove(number) }
}

// SPDX-License-Identifier: Apache-2.0

/// The state of a limit, without locks or clocks: how many requests run, which wait, and which is next.
struct ConcurrencyLimiterState: Sendable {
    /// The number of requests that may run at once; 0 or less for no limit.
    var limit = 0
    private(set) var running = 0
    private var queue = WaitingQueue()

    var waiting: Int { queue.count }

    /// Whether a request would have to wait.
    var isFull: Bool { !queue.isEmpty || !hasRoom }

    private var hasRoom: Bool { limit <= 0 || running < limit }

    /// Takes a slot, or joins the line and returns the request's number in it.
    mutating func enter() -> UInt64? { enterIfFree() ? nil : queue.append() }

    /// Takes a slot if one is free and no other request waits.
    mutating func enterIfFree() -> Bool {
        guard !isFull else { return false }
        running += 1
        return true
    }

    mutating func leave() { running -= 1 }

    /// Admits the first request in the line if a slot is free; it then holds the slot.
    mutating func admitNext() -> UInt64? {
        guard hasRoom, let number = queue.popFirst() else { return nil }
        running += 1
        return number
    }

    /// Leaves the line; false for a request that was admitted, or has left before.
    mutating func giveUp(_ number: UInt64) -> Bool { queue.remove(number) }
}

// SPDX-License-Identifier: Apache-2.0

/// The bookkeeping of a limit, without locks or clocks: how many run, who waits, who is next.
struct LimitLine: Sendable {
    /// How many may run at once; 0 or less for any number.
    var limit = 0
    private(set) var running = 0
    private var queue: [UInt64] = []
    private var head = 0
    private var latest: UInt64 = 0
    private var waitingNumbers: Set<UInt64> = []

    var waiting: Int { waitingNumbers.count }

    /// Whether a request would have to wait.
    var isFull: Bool { !waitingNumbers.isEmpty || !hasRoom }

    private var hasRoom: Bool { limit <= 0 || running < limit }

    /// Takes a slot, or a place in the line, whose number is returned.
    mutating func enter() -> UInt64? {
        if waitingNumbers.isEmpty, hasRoom {
            running += 1
            return nil
        }
        latest += 1
        queue.append(latest)
        waitingNumbers.insert(latest)
        return latest
    }

    /// Takes a slot if there is one and nobody waits.
    mutating func enterIfFree() -> Bool {
        guard !isFull else { return false }
        running += 1
        return true
    }

    mutating func leave() { running -= 1 }

    /// The first of the line, if there is room for it: it has a slot from now on.
    mutating func admitNext() -> UInt64? {
        while hasRoom, head < queue.count {
            let number = queue[head]
            head += 1
            if head > 64, head * 2 > queue.count {
                queue.removeFirst(head)
                head = 0
            }
            guard waitingNumbers.remove(number) != nil else { continue }
            running += 1
            return number
        }
        return nil
    }

    /// Leaves the line; false for one that has been admitted, or has left before.
    mutating func giveUp(_ number: UInt64) -> Bool { waitingNumbers.remove(number) != nil }
}

// SPDX-License-Identifier: Apache-2.0

/// The waiting requests by number, in order of arrival; a request can leave from any position.
struct WaitingQueue: Sendable {
    private var numbers: [UInt64] = []
    private var head = 0
    private var latest: UInt64 = 0
    private var waiting: Set<UInt64> = []

    var count: Int { waiting.count }
    var isEmpty: Bool { waiting.isEmpty }

    /// Joins the end of the queue, and returns the request's number.
    mutating func append() -> UInt64 {
        latest += 1
        numbers.append(latest)
        waiting.insert(latest)
        return latest
    }

    /// Removes the first request.
    mutating func popFirst() -> UInt64? {
        while head < numbers.count {
            let number = numbers[head]
            head += 1
            if head > 64, head * 2 > numbers.count {
                numbers.removeFirst(head)
                head = 0
            }
            if waiting.remove(number) != nil { return number }
        }
        return nil
    }

    /// Removes a request; false if it is no longer in the queue.
    mutating func remove(_ number: UInt64) -> Bool {
        guard waiting.remove(number) != nil else { return false }
        // Requests can leave for a long time while no other one is admitted.
        if numbers.count > 64, numbers.count > 2 * waiting.count {
            numbers = numbers[head...].filter(waiting.contains)
            head = 0
        }
        return true
    }
}

// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import CumulusCore

@Suite struct WaitingQueueTests {
    @Test("requests that leave while none is admitted don't stay in memory")
    func leavingRequestsAreForgotten() throws {
        var queue = WaitingQueue()
        let first = queue.append()
        for _ in 0..<100_000 {
            let number = queue.append()
            let isRemoved = queue.remove(number)
            #expect(isRemoved)
        }
        #expect(queue.count == 1)
        let stored = try #require(Mirror(reflecting: queue).descendant("numbers") as? [UInt64])
        #expect(stored.count <= 130)
        let numbers = [queue.popFirst(), queue.popFirst()]
        #expect(numbers == [first, nil])
    }

    @Test("the order stays the same, whichever requests leave")
    func orderIsKept() {
        var queue = WaitingQueue()
        var waiting: [UInt64] = []
        for step in 0..<5_000 {
            waiting.append(queue.append())
            if step.isMultiple(of: 3) {
                let left = waiting.remove(at: (step * 7_919) % waiting.count)
                #expect(queue.remove(left) && !queue.remove(left))
            }
            if step.isMultiple(of: 5), let first = waiting.first {
                let next = queue.popFirst()
                waiting.removeFirst()
                #expect(next == first)
            }
        }
        while let next = queue.popFirst() { #expect(next == waiting.removeFirst()) }
        #expect(waiting.isEmpty && queue.isEmpty)
    }
}

// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import Synchronization
import TestSupport
import Testing

@testable import CumulusBackground

@Suite(.timeLimit(.minutes(10))) struct EventQueueTests {
    private func unknown(_ number: Int) -> BackgroundEvent {
        .unknown(CumulusError(.incomplete, stage: .delivery, "\(number)"))
    }

    private func number(_ event: BackgroundEvent?) -> String? {
        if case .unknown(let error)? = event { error.message } else { nil }
    }

    @Test func eventsWaitForALoop() async {
        let queue = EventQueue()
        for number in 0..<5 { queue.add(unknown(number)) }
        for index in 0..<5 {
            let event = await queue.next()
            #expect(number(event) == "\(index)")
        }
    }

    @Test func loopWaitsForEvents() async {
        let queue = EventQueue()
        let loop = Task { await queue.next() }
        queue.add(unknown(1))
        let event = await loop.value
        #expect(number(event) == "1")
    }

    @Test func cancelledLoopEnds() async {
        let queue = EventQueue()
        let loop = Task {
            for await _ in BackgroundEvents(queue: queue) {}
            return true
        }
        loop.cancel()
        #expect(await loop.value)
        queue.add(unknown(1))
        let event = await queue.next()
        #expect(number(event) == "1")
    }

    @Test func workWaitsUntilTheEventsHaveBeenHandled() async throws {
        let queue = EventQueue()
        let isDone = Mutex(false)
        queue.enter()
        queue.add(unknown(1))
        queue.afterEvents { isDone.withLock { $0 = true } }
        _ = await queue.next()
        let isEarly = isDone.withLock(\.self)
        #expect(!isEarly)
        let loop = Task { await queue.next() }
        try await eventually { isDone.withLock(\.self) }
        loop.cancel()
        _ = await loop.value
    }

    @Test func workDoesNotWaitWithoutALoop() {
        let queue = EventQueue()
        let count = Mutex(0)
        queue.add(unknown(1))
        queue.afterEvents { count.withLock { $0 += 1 } }
        #expect(count.withLock { $0 } == 1)
        queue.enter()
        queue.afterEvents { count.withLock { $0 += 1 } }
        #expect(count.withLock { $0 } == 1)
        // The loop ends before it has handled the event.
        queue.leave()
        #expect(count.withLock { $0 } == 2)
    }

    @MainActor @Test func completionHandlersAreCalledOnce() {
        let launches = BackgroundLaunches()
        var calls: [Int] = []
        launches.add { calls.append(1) }
        launches.add { calls.append(2) }
        #expect(calls.isEmpty)
        launches.finish(after: 0)
        #expect(calls == [1, 2])
        // The events were delivered before the handler arrived.
        launches.finish(after: 0)
        launches.add { calls.append(3) }
        launches.add { calls.append(4) }
        #expect(calls == [1, 2, 3])
    }

    @MainActor @Test func completionHandlerWaitsForLaterResults() {
        let launches = BackgroundLaunches()
        var calls: [Int] = []
        launches.finish(after: launches.resultCount)
        // Another launch: its results arrive before its handler.
        launches.receivedResult()
        launches.add { calls.append(1) }
        #expect(calls.isEmpty)
        launches.finish(after: launches.resultCount)
        #expect(calls == [1])
    }
}

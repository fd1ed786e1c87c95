// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTesting
import HTTPTypes
import TestSupport
import Testing

/// One page ahead, and never longer than the loop runs.
@Suite(.timeLimit(.minutes(10))) struct PagePrefetchTests {
    private let gate = Gate()

    /// Endless pages of two items; the bodies of pages from `waiting` on wait at the gate.
    private func transport(waiting: Int = .max) -> StubTransport {
        StubTransport { [gate] request in
            let link = "<?page=\(request.number + 1)>; rel=next"
            let headers: Headers = ["Link": link, "Content-Type": "application/json"]
            let gates: [StubResponse.Step] = request.number >= waiting ? [.gate(gate)] : []
            return .script(gates + [.chunk(Array("[1, 2]".utf8))], headers: headers)
        }
    }

    @Test func theNextPageIsFetchedWhileItemsAreInUseAndNoMore() async throws {
        let transport = transport()
        var reader = Resource("http://a.example", transport: transport.watched).pages(of: Int.self).makeAsyncIterator()
        #expect(try await reader.next() == 1)
        try await eventually { transport.requests.count == 2 }
        #expect(try await reader.next() == 2)
        #expect(transport.requests.count == 2)
        #expect(try await reader.next() == 1)
        try await eventually { transport.requests.count == 3 }
    }

    @Test func withoutPrefetchingAPageIsFetchedWhenItIsNeeded() async throws {
        let transport = transport()
        let pages = Resource("http://a.example", transport: transport.watched).pages(of: Int.self, prefetches: false)
        var reader = pages.makeAsyncIterator()
        for _ in 1...2 { _ = try await reader.next() }
        #expect(transport.requests.count == 1)
        _ = try await reader.next()
        #expect(transport.requests.count == 2)
    }

    @Test func leavingTheLoopCancelsTheNextPage() async throws {
        let transport = transport(waiting: 2)
        let site = Resource("http://a.example", transport: transport.watched)
        for try await _ in site.pages(of: Int.self) {
            try await gate.waitForWaiters()
            break
        }
        try await eventually { gate.waiterCount == 0 }
        try await eventually { site.runningCalls.isEmpty }
        #expect(transport.requests.count == 2)
    }

    @Test(arguments: [true, false])
    func cancellingTheTaskEndsTheWait(prefetches: Bool) async throws {
        let transport = transport(waiting: 2)
        let site = Resource("http://a.example", transport: transport.watched)
        let reading = Task {
            try await site.pages(of: Int.self, prefetches: prefetches).reduce(into: 0) { sum, item in sum += item }
        }
        try await gate.waitForWaiters()
        reading.cancel()
        await #expect(throws: CancellationError.self) { try await reading.value }
        try await eventually { site.runningCalls.isEmpty }
    }

    @Test func aCancelledTaskGetsNoMoreItems() async throws {
        let site = Resource("http://a.example", transport: transport().watched)
        let reading = Task {
            var count = 0
            for try await _ in site.pages(of: Int.self) {
                count += 1
                withUnsafeCurrentTask { $0?.cancel() }
            }
            return count
        }
        await #expect(throws: CancellationError.self) { try await reading.value }
    }

    @Test func requestsOfATreeThatAreCancelledEndTheRun() async throws {
        let site = Resource("http://a.example", transport: transport(waiting: 2).watched)
        let reading = Task { for try await _ in site["list"].pages(of: Int.self) {} }
        try await gate.waitForWaiters()
        site.cancelAll()
        await #expect(throws: CancellationError.self) { try await reading.value }
    }
}

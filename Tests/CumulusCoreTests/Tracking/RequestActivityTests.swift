// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTesting
import TestSupport
import Testing

/// The number of running requests, and shutting down a tree.
@Suite(.timeLimit(.minutes(10))) struct RequestActivityTests {
    private let gate = Gate()
    private let site: Resource

    init() {
        let gate = gate
        site = Resource(
            "http://a.example",
            transport: StubTransport { _ in
                try await gate.wait()
                return .json("1")
            }.watched
        )
    }

    @Test("the counts rise and fall with requests") func countsAreObserved() async throws {
        let (numbers, feed) = AsyncStream.makeStream(of: Int.self)
        let watcher = Task {
            for await count in RequestActivity.counts {
                feed.yield(count)
                if Task.isCancelled { break }
            }
        }
        var reader = numbers.makeAsyncIterator()
        // Other tests also run requests: the number is at least this test's.
        _ = await reader.next()
        let task = Task { try await site.get() }
        try await gate.waitForWaiters()
        #expect(RequestActivity.count >= 1)
        var seen = 0
        while seen < 1 { seen = await reader.next() ?? 1 }
        #expect(seen >= 1)
        gate.open()
        _ = try await task.value
        watcher.cancel()
    }

    @Test("a graceful shutdown lets running requests finish and accepts no more") func finishing() async throws {
        let running = Task { try await site["a"].get(as: Int.self) }
        try await gate.waitForWaiters()
        let closing = Task { await site.shutdown() }
        var error: CumulusError?
        while error == nil {
            error = await refusal()
        }
        #expect(error?.code == .shutdown)
        gate.open()
        #expect(try await running.value == 1)
        await closing.value
        #expect(site.runningCalls.isEmpty)
    }

    @Test("an immediate shutdown ends running requests") func cancelling() async throws {
        let running = Task { try await site["a"].get(as: Int.self) }
        try await gate.waitForWaiters()
        await site.shutdown(.immediate)
        let result = await running.result
        #expect(throws: CancellationError.self) { try result.get() }
        let error = await refusal()
        #expect(error?.code == .shutdown)
        #expect(error?.message.contains("closed") == true)
    }

    @Test("waiting for an idle subtree doesn't wait for others") func idle() async throws {
        let running = Task { try await site["a"].get(as: Int.self) }
        try await gate.waitForWaiters()
        await site["b"].waitUntilIdle()
        let waiting = Task { await site["a"].waitUntilIdle() }
        gate.open()
        await waiting.value
        #expect(site["a"].runningCalls.isEmpty)
        _ = try await running.value
    }

    /// The error of a request that is cancelled unless it is refused immediately.
    private func refusal() async -> CumulusError? {
        let probe = Task { try await site["probe"].get() }
        let end = Task {
            try await eventually { !site["probe"].runningCalls.isEmpty }
            probe.cancel()
        }
        defer { end.cancel() }
        do {
            _ = try await probe.value
            return nil
        } catch { return error as? CumulusError }
    }
}

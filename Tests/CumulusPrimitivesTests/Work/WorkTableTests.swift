// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives
import Synchronization
import Testing

/// Work of several callers runs once, and for as long as one of them waits.
@Suite(.timeLimit(.minutes(10))) final class WorkTableTests: Sendable {
    private let table = WorkTable<String, Int>()
    private let runs = Mutex(0)

    /// Waits until it is cancelled, or its stream ends.
    private func work(_ stream: AsyncStream<Int>) async throws -> Int {
        runs.withLock { $0 += 1 }
        for await value in stream { return value }
        throw CancellationError()
    }

    private func waiters(_ count: Int) async { while table.waiterCount != count { await Task.yield() } }

    @Test func oneRunServesAllAndTheNextRunsAnew() async throws {
        let (stream, source) = AsyncStream.makeStream(of: Int.self)
        async let first = table.value(for: "a") { try await self.work(stream) }
        async let second = table.value(for: "a") { try await self.work(stream) }
        await waiters(2)
        #expect(table.isUnderWay("a") && !table.isUnderWay("b"))
        source.yield(7)
        #expect(try await [first, second] == [7, 7])
        #expect(runs.withLock(\.self) == 1)
        #expect(try await self.table.value(for: "a") { 8 } == 8)
        #expect(!table.isUnderWay("a"))
    }

    @Test func oneWhoLeavesDoesNotEndItForTheOthers() async throws {
        let (stream, source) = AsyncStream.makeStream(of: Int.self)
        let first = Task { try await self.table.value(for: "a") { try await self.work(stream) } }
        await waiters(1)
        let second = Task { try await self.table.value(for: "a") { try await self.work(stream) } }
        await waiters(2)
        first.cancel()
        await #expect(throws: CancellationError.self) { try await first.value }
        source.yield(7)
        #expect(try await second.value == 7)
        #expect(runs.withLock(\.self) == 1)
    }

    @Test func theLastWhoLeavesEndsIt() async {
        let (stream, source) = AsyncStream.makeStream(of: Int.self)
        let (ends, ended) = AsyncStream.makeStream(of: Void.self)
        source.onTermination = { _ in ended.yield() }
        let only = Task { try await self.table.value(for: "a") { try await self.work(stream) } }
        await waiters(1)
        only.cancel()
        await #expect(throws: CancellationError.self) { try await only.value }
        for await _ in ends { break }
        #expect(!table.isUnderWay("a"))
    }
}

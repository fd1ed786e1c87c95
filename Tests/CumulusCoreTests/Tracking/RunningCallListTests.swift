// SPDX-License-Identifier: Apache-2.0

import CumulusTesting
import HTTPTypes
import Synchronization
import TestSupport
import Testing

@testable import CumulusCore

@Suite(.timeLimit(.minutes(10))) struct RunningCallListTests {
    private struct Subject: RunningSubject {
        var path = "/"
        let bare: EncodedRequest
        var origin: Origin { bare.origin }
    }

    private func entry(_ path: String = "/", label: String? = nil) throws -> RunningCallList.Entry {
        let bare = EncodedRequest(method: .get, url: try RequestURL("http://a.example/"))
        return RunningCallList.Entry(
            id: .next(),
            subject: Subject(path: path, bare: bare),
            startedAt: .now,
            label: label.map { CallLabel($0) }
        )
    }

    /// Waits until no request at a path is running, and counts how many requests were compared with it.
    private func wait(for path: String, in list: RunningCallList, counting comparisons: Counter) async throws
        -> Task<Void, Never>
    {
        let seen = comparisons.value
        let task = Task {
            await list.idle { subject in
                comparisons.add()
                return subject.path == path
            }
        }
        try await eventually { comparisons.value > seen }
        return task
    }

    private final class Counter: Sendable {
        private let count = Mutex(0)
        var value: Int { count.withLock(\.self) }
        func add() { count.withLock { $0 += 1 } }
    }

    @Test("waiting until many requests have ended compares each of them a constant number of times")
    func idleIsLinear() async throws {
        let (list, comparisons) = (RunningCallList(), Counter())
        let count = 2_000
        let listings = try (0..<count).map { _ in try list.enter(entry()) }
        let waiter = try await wait(for: "/", in: list, counting: comparisons)
        for listing in listings { list.leave(listing) }
        await waiter.value
        #expect(comparisons.value <= 2 * count)
    }

    @Test("a caller waits for matching requests only, and also for those that begin meanwhile")
    func idleWaitsForMatchingRequests() async throws {
        let (list, comparisons, isIdle) = (RunningCallList(), Counter(), Gate())
        let other = try list.enter(entry("/other"))
        let first = try list.enter(entry("/a"))
        let waiter = try await wait(for: "/a", in: list, counting: comparisons)
        let watch = Task {
            await waiter.value
            isIdle.open()
        }
        let second = try list.enter(entry("/a"))
        list.leave(first)
        list.leave(other)
        #expect(!isIdle.isOpen)
        let third = try list.enter(entry("/b"))
        try list.renew(third, entry("/a", id: third.id))
        list.leave(second)
        #expect(!isIdle.isOpen)
        try list.renew(third, entry("/c", id: third.id))
        await watch.value
        list.leave(third)
        // Nothing runs: no waiting at all.
        await list.idle { _ in true }
    }

    private func entry(_ path: String, id: CallID) throws -> RunningCallList.Entry {
        let entry = try entry(path)
        return RunningCallList.Entry(id: id, subject: entry.subject, startedAt: entry.startedAt, label: entry.label)
    }

    @Test("a request replaces the running ones of its label, also after they got another entry")
    func replacing() throws {
        let list = RunningCallList()
        let first = try list.enter(entry(label: "a"))
        let other = try list.enter(entry(label: "b"))
        let renewed = try list.enter(entry())
        let labeled = try entry(label: "a")
        try list.renew(
            renewed,
            RunningCallList.Entry(id: renewed.id, subject: labeled.subject, startedAt: .now, label: CallLabel("a"))
        )
        let ended = try list.enter(entry(label: "a"))
        list.leave(ended)
        let last = try list.enter(entry(label: "a"), replacing: true)
        #expect(list.isCancelled(first) && list.isCancelled(renewed))
        #expect(!list.isCancelled(other) && !list.isCancelled(last))
        for listing in [first, other, renewed, last] { list.leave(listing) }
        // A label without running requests cancels nothing, and an unlabeled request is never replaced.
        let plain = try list.enter(entry())
        let again = try list.enter(entry(label: "a"), replacing: true)
        #expect(!list.isCancelled(plain) && !list.isCancelled(again))
        for listing in [plain, again] { list.leave(listing) }
    }
}

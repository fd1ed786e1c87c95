// SPDX-License-Identifier: Apache-2.0

import CumulusTesting
import HTTPTypes
import Synchronization
import TestSupport
import Testing

@testable import CumulusCore

/// Requests wait for their turn: by a rate, and by the server's quota.
@Suite(.timeLimit(.minutes(10))) struct RateLimitTests {
    private let clock = ManualClock()
    private let seen = Seen()

    /// The requested paths, in order.
    final class Seen: Sendable {
        private let paths = Mutex<[String]>([])
        var all: [String] { paths.withLock(\.self) }
        func note(_ path: String) { paths.withLock { $0.append(path) } }
    }

    private func site(_ fields: Headers = [:], status: HTTPResponse.Status = .ok) -> Resource {
        site { _ in .status(status, headers: fields) }
    }

    private func site(_ answer: @escaping @Sendable (StubRequest) async throws -> StubResponse) -> Resource {
        let site = Resource(
            "http://a.example",
            transport: StubTransport { [seen] request in
                seen.note(request.path)
                return try await answer(request)
            }.watched
        )
        site.setRules {
            $0.clock = clock
            $0.timeout = nil
            $0.retry = .never
        }
        return site
    }

    private func waiting(_ site: Resource) -> Int { site.snapshot.limiters.rateLimiter?.counts.waiting ?? 0 }

    /// Sends a request in its own task; returns when it is in the line.
    private func queue(_ site: Resource, _ path: String) async throws -> Task<Response, any Error> {
        let before = waiting(site)
        let task = Task { try await site[path: path].get() }
        try await eventually { waiting(site) == before + 1 }
        return task
    }

    @Test("a rate with a burst: two at once, then one each 100 ms, in order") func rate() async throws {
        let site = site()
        site.setRules { $0.rateLimit = .requests(10, per: .seconds(1), burst: 2) }
        for number in 0..<2 { _ = try await site["\(number)"].get() }
        var tasks: [Task<Response, any Error>] = []
        for number in 2..<6 { tasks.append(try await queue(site, "\(number)")) }
        for (index, task) in tasks.enumerated() {
            #expect(seen.all.count == 2 + index)
            try await clock.waitForSleepers()
            #expect(clock.timeToNextSleeper == .milliseconds(100))
            clock.advance(by: .milliseconds(100))
            _ = try await task.value
        }
        #expect(seen.all == (0..<6).map { "/\($0)" })
    }

    @Test("a limit of one: nothing is held during the wait, and no burst comes later on") func limitOfOne() async throws
    {
        let gate = Gate()
        let site = site { request in
            if request.path == "/held" { try await gate.wait() }
            return .text("x")
        }
        site.setRules {
            $0.rateLimit = .requests(10, per: .seconds(1))
            $0.maxConcurrentRequests = 1
        }
        let held = Task { try await site["held"].get() }
        try await gate.waitForWaiters()
        clock.advance(by: .seconds(10))
        let others = (0..<3).map { number in Task { try await site["\(number)"].get() } }
        try await eventually { site.snapshot.limiters.limit?.counts.waiting == 3 }
        #expect(waiting(site) == 0)
        gate.open()
        _ = try await held.value
        // The first has its turn; the others follow at the rate limit, though the slot is free.
        for count in 2...4 {
            try await eventually { seen.all.count == count && waiting(site) == 4 - count }
            #expect(seen.all.count == count)
            if count < 4 {
                try await clock.waitForSleepers()
                clock.advance(by: .milliseconds(100))
            }
        }
        for other in others { _ = try await other.value }
        #expect(site.snapshot.limiters.limit?.counts.running == 0)
    }

    @Test("cancelling removes a request from the line, and the others move up") func cancelling() async throws {
        let site = site()
        site.setRules { $0.rateLimit = .requests(1, per: .seconds(10)) }
        _ = try await site["0"].get()
        let first = try await queue(site, "1")
        let second = try await queue(site, "2")
        let third = try await queue(site, "3")
        first.cancel()
        await #expect(throws: CancellationError.self) { try await first.value }
        // Also from outside.
        #expect(site.runningCalls.first { $0.redactedURL.hasSuffix("/2") }?.cancel() == true)
        await #expect(throws: CancellationError.self) { try await second.value }
        try await clock.waitForSleepers()
        clock.advance(by: .seconds(10))
        _ = try await third.value
        #expect(seen.all == ["/0", "/3"])
        try await eventually { clock.sleeperCount == 0 }
    }

    @Test("a wait that would outlast the deadline isn't begun; one that turns out to ends in the line") func deadline()
        async throws
    {
        let site = site()
        site.setRules {
            $0.rateLimit = .requests(1, per: .seconds(10))
            $0.deadline = .seconds(5)
        }
        _ = try await site["0"].get()
        let error = await #expect(throws: CumulusError.self) { try await site["1"].get() }
        #expect(error?.code == .timeout && error?.phase == .total)
        #expect(error?.message.contains("requires a wait of 10 s, but the call's deadline of 5 s leaves 5 s") == true)
        #expect((error?.cause as? TransportFailure)?.limit == .seconds(5))
        #expect(seen.all == ["/0"])
        // The duration of a request in flight is unknown.
        let gate = Gate()
        let slow = self.site { request in
            if request.path == "/held" { try await gate.wait() }
            return .status(.ok, headers: ["X-RateLimit-Remaining": 0])
        }
        slow.setRules { $0.rateLimit = .quota }
        let first = Task { try await slow["held"].get() }
        try await gate.waitForWaiters()
        _ = try await slow["1"].get()
        let task = try await queue(slow.with { $0.deadline = .seconds(5) }, "2")
        try await clock.waitForSleepers()
        clock.advance(by: .seconds(5))
        let late = await #expect(throws: CumulusError.self) { try await task.value }
        #expect(late?.code == .timeout && late?.phase == .total, "\(late?.message ?? "")")
        // The line's deadline, or that of the call around it.
        #expect(late?.message.contains("5 s") == true, "\(late?.message ?? "")")
        let failure = late?.cause as? TransportFailure
        #expect(failure?.limit == .seconds(5) && failure?.elapsed == .seconds(5))
        gate.open()
        _ = try await first.value
        #expect(seen.all == ["/0", "/held", "/1"])
    }

    @Test("nothing left: requests wait until the reset, then follow the quota") func quota() async throws {
        let left = Mutex(2)
        let site = site { _ in
            let remaining = left.withLock { left in
                left = left == 0 ? 1 : left - 1
                return left
            }
            return .status(
                .ok,
                headers: ["X-RateLimit-Limit": "2", "X-RateLimit-Remaining": "\(remaining)", "X-RateLimit-Reset": "30"]
            )
        }
        site.setRules { $0.rateLimit = .quota }
        for number in 0..<2 { _ = try await site["\(number)"].get() }
        #expect(site.quota?.remaining == 0 && site.quota?.limit == 2)
        let third = try await queue(site, "2")
        try await clock.waitForSleepers()
        #expect(clock.timeToNextSleeper == .seconds(30))
        clock.advance(by: .seconds(30))
        #expect(try await third.value.quota?.remaining == 1)
        #expect(seen.all.count == 3)
    }

    @Test("a server that asks for too long a wait fails the call and those in the line") func tooLong()
        async throws
    {
        let gate = Gate()
        let site = site { request in
            if request.path == "/held" { try await gate.wait() }
            return .status(.tooManyRequests, headers: [.retryAfter: "7200"])
        }
        site.setRules { $0.rateLimit = .requests(1, per: .seconds(1)).heedingQuota(maxWait: .seconds(60)) }
        let held = Task { try await site["held"].get() }
        try await gate.waitForWaiters()
        let waiting = try await queue(site, "1")
        gate.open()
        _ = try await held.value
        // It learns of the quota with its permit of the rate.
        try await clock.waitForSleepers()
        clock.advance(by: .seconds(1))
        for task in [waiting, Task { try await site["2"].get() }] {
            let error = await #expect(throws: CumulusError.self) { try await task.value }
            #expect(
                error?.message.contains("accepts no requests for 2 h, longer than the 1 min that the rate limit allows")
                    == true
            )
            #expect(error?.phase == .rateLimit && error?.isTransient == false)
        }
        #expect(seen.all == ["/held"])
    }

    @Test("each origin has its own line; a quota applies only to its own") func origins() async throws {
        let site = site(["X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "30"])
        site.setRules { $0.rateLimit = .quota }
        _ = try await site.get()
        let other = site.follow("http://b.example/x")
        _ = try await other.get()
        #expect(seen.all.count == 2)
        #expect(site.snapshot.limiters.rateLimiter?.counts.lines == 2)
        let gate = try #require(site.snapshot.limiters.rateLimiter)
        for number in 0..<2 * RateLimiter.mostLines {
            let origin = Origin(scheme: .http, host: "h\(number).example")
            gate.enterIfFree(RateLimiter.Line(origin: origin, user: nil), on: clock)?.failed()
            guard gate.counts.lines <= RateLimiter.mostLines else {
                Issue.record("\(gate.counts.lines) lines")
                break
            }
        }
    }

    @Test("the latest quota is kept, and reported to observers") func tracking() async throws {
        let answers = Mutex<[Headers]>([
            ["X-RateLimit-Limit": "60", "X-RateLimit-Remaining": "59"], [:], ["X-RateLimit-Remaining": "58"],
        ])
        let site = site { _ in .status(.ok, headers: answers.withLock { $0.removeFirst() }) }
        #expect(site.quota == nil)
        site.setRules { $0.rateLimit = .tracking }
        let child = site["x"]
        _ = try await child.get()
        var watcher = site.quotas.makeAsyncIterator()
        #expect(await watcher.next()?.remaining == 59)
        _ = try await child.get()
        #expect(site.quota?.remaining == 59 && child.quota?.limit == 60)
        _ = try await child.get()
        #expect(await watcher.next()?.remaining == 58)
        #expect(child.quota?.limit == 60)
        site.setRules { $0.rateLimit = nil }
        #expect(site.quota == nil)
        var none = site.quotas.makeAsyncIterator()
        #expect(await none.next() == nil)
    }

    @Test("a change of rate limit applies to waiting requests; the nearest layer wins") func changes() async throws {
        let site = site()
        site.setRules { $0.rateLimit = .requests(1, per: .seconds(3_600)) }
        _ = try await site["0"].get()
        let task = try await queue(site, "1")
        let free = site["free"]
        free.setRules { $0.rateLimit = nil }
        _ = try await free.get()
        site.setRules { $0.rateLimit = .requests(1, per: .seconds(1)) }
        _ = site.snapshot
        try await clock.waitForSleepers()
        clock.advance(by: .seconds(1))
        _ = try await task.value
        #expect(seen.all == ["/0", "/free", "/1"])
        site.setRules { $0.rateLimit = nil }
        #expect(site.snapshot.limiters.rateLimiter == nil)
    }

    @Test("observers are told how long a request waited; a failed one no longer counts") func observers() async throws {
        let waits = Mutex<[Duration]>([])
        let site = site { request in
            if request.path == "/lost" { throw TransportFailure(.connectionClosed, "gone") }
            return .text("x")
        }
        site.setRules {
            $0.observers.append { event in
                if case .waited(let wait) = event.kind { waits.withLock { $0.append(wait) } }
            }
            $0.rateLimit = .requests(1, per: .seconds(2))
        }
        await #expect(throws: CumulusError.self) { try await site["lost"].get() }
        let task = try await queue(site, "1")
        try await clock.waitForSleepers()
        clock.advance(by: .seconds(2))
        _ = try await task.value
        #expect(waits.withLock(\.self) == [.seconds(2)])
        #expect(site.snapshot.limiters.rateLimiter?.counts.waiting == 0)
    }
}

// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTesting
import HTTPTypes
import Synchronization
import TestSupport
import Testing

@testable import CumulusCache

/// RFC 5861 and RFC 9111 section 4.2.4, through the whole pipeline: stale responses.
@Suite(.timeLimit(.minutes(10))) struct StaleTests {
    @Test("RFC 5861 section 3: a stale response is given at once, and one newer is fetched") func whileRevalidating()
        async throws
    {
        let gate = Gate()
        let site = CachedSite { request in
            if request.number > 1 { try await gate.wait() }
            return .response(
                headers: [.cacheControl: "max-age=60, stale-while-revalidate=30", .eTag: "\"\(request.number)\""],
                body: Array("\(request.number)".utf8)
            )
        }
        _ = try await site.get()
        site.clock.advance(by: .seconds(65))
        for _ in 0..<5 { #expect(try await site.get() == ("1", "hit; ttl=-5; detail=refreshing")) }
        while site.count < 2 { await Task.yield() }
        #expect(site.transport.lastRequest?.headers[.ifNoneMatch] == "\"1\"")
        gate.open()
        while try await site.get().text != "2" { await Task.yield() }
        #expect(try await site.get().note == "hit; ttl=60" && site.count == 2)
        site.clock.advance(by: .seconds(91))
        #expect(try await site.get().text == "3")
    }

    @Test("RFC 5861 section 3: no other one is fetched until the body of the newer one is there")
    func oneRefreshAtATime() async throws {
        let site = CachedSite { request in
            let headers: Headers = [.cacheControl: "max-age=60, stale-while-revalidate=30", .contentLength: "2"]
            if request.number == 1 { return .response(headers: headers, body: [49, 49]) }
            return .script([.chunk([50]), .pause(.seconds(5)), .chunk([51])], headers: headers)
        }
        _ = try await site.get()
        site.clock.advance(by: .seconds(65))
        #expect(try await site.get().text == "11")
        // Its head has come, and half of its body.
        try await site.clock.waitForSleepers(1)
        for _ in 0..<5 { #expect(try await site.get().text == "11") }
        #expect(site.count == 2)
        site.clock.advance(by: .seconds(5))
        while try await site.get().text != "23" { await Task.yield() }
        #expect(site.count == 2)
    }

    @Test("the settings' observers see a refresh as a call of its own, and waiting for an idle tree waits for it")
    func observedRefreshes() async throws {
        let events = Mutex<[String]>([])
        let gate = Gate()
        let site = CachedSite(rules: {
            $0.observers.append { event in
                let text: String? =
                    switch event.kind {
                    case .started: "started"
                    case .sending(let request): "sending \(request.headers[.ifNoneMatch] ?? "-")"
                    case .streaming: "streaming \(event.cacheStatus?.description ?? "-")"
                    case .ended(.streamed(let status, let count)): "read \(count) of a \(status.code)"
                    case .ended: "ended"
                    default: nil
                    }
                if let text { events.withLock { $0.append("\(event.draft.path) \(text)") } }
            }
        }) { request in
            if request.number > 1 { try await gate.wait() }
            return .response(
                headers: [.cacheControl: "max-age=60, stale-while-revalidate=30", .eTag: "\"1\""],
                body: Array(repeating: 65, count: request.number)
            )
        }
        _ = try await site.get()
        site.clock.advance(by: .seconds(65))
        events.withLock { $0 = [] }
        _ = try await site.get()
        gate.open()
        await site.site.waitUntilIdle()
        #expect(site.count == 2)
        let own = ["/x started", "/x ended"]
        let refresh = [
            "/x started", "/x sending \"1\"", "/x streaming Cumulus; fwd=stale; stored", "/x read 2 of a 200",
        ]
        #expect(events.withLock(\.self).sorted() == (own + refresh).sorted())
        #expect(try await site.get().note == "hit; ttl=60")
    }

    @Test("a limited number of refreshes is under way at the same time") func manyRefreshes() async throws {
        let gate = Gate()
        let isStale = Mutex(false)
        let site = CachedSite(.memory(megabytes: 10, date: Stored.arrival), rules: { $0.timeout = nil }) { _ in
            if isStale.withLock(\.self) { try await gate.wait() }
            return .response(headers: [.cacheControl: "max-age=1, stale-while-revalidate=900"], body: [65])
        }
        for index in 0..<1_000 { _ = try await site.get([:], "\(index)") }
        isStale.withLock { $0 = true }
        site.clock.advance(by: .seconds(5))
        for index in 0..<1_000 { #expect(try await site.get([:], "\(index)").text == "A") }
        try await eventually { site.count == 1_000 + CacheEngine.mostRefreshes }
        // However long they take, no others begin.
        site.clock.advance(by: .seconds(61))
        for index in 0..<1_000 { _ = try await site.get([:], "\(index)") }
        #expect(site.cache.engine.state.withLock { $0.refreshes.count } == CacheEngine.mostRefreshes)
        #expect(site.count == 1_000 + CacheEngine.mostRefreshes)
        gate.open()
        await site.site.waitUntilIdle()
        #expect(site.cache.engine.state.withLock { $0.refreshes.isEmpty })
    }

    @Test func aRefreshWithoutAnEndIsEndedByTheDeadlineAndGivesItsSlotBack() async throws {
        let site = CachedSite(rules: {
            $0.deadline = .seconds(10)
            $0.maxConcurrentRequests = 1
        }) { request in
            let headers: Headers = [.cacheControl: "max-age=60, stale-while-revalidate=30"]
            if request.number != 2 { return .response(headers: headers, body: [65]) }
            return .script([.chunk([66]), .pause(.seconds(1_000))], headers: headers)
        }
        _ = try await site.get()
        site.clock.advance(by: .seconds(65))
        #expect(try await site.get().note == "hit; ttl=-5; detail=refreshing")
        while site.count < 2 { await Task.yield() }
        site.clock.advance(by: .seconds(5))
        let other = site.site["other"].call(.get).start()
        try await site.clock.waitForSleepers(2)
        site.clock.advance(by: .seconds(5))
        #expect(try await other.value.bytes.bytes == [65])
    }

    @Test("A HEAD refreshes the head") func headRefreshes() async throws {
        let site = CachedSite { request in
            .response(
                headers: [
                    .cacheControl: "max-age=60, stale-while-revalidate=30", .eTag: "\"1\"", "X-N": "\(request.number)",
                ],
                body: [65]
            )
        }
        _ = try await site.get()
        for round in 2...3 {
            site.clock.advance(by: .seconds(65))
            #expect(try await site.site["x"].head().storeNote == "hit; ttl=-5; detail=refreshing")
            while try await site.site["x"].head().headers["X-N"] != "\(round)" { await Task.yield() }
            #expect(site.count == round)
        }
    }

    @Test("A refresh that fails is tried again") func refreshFails() async throws {
        let site = CachedSite { request in
            if request.number == 2 { return .failure(TransportFailure(.connect, "no")) }
            return .response(
                headers: [.cacheControl: "max-age=60, stale-while-revalidate=30"],
                body: [64 + UInt8(request.number)]
            )
        }
        _ = try await site.get()
        site.clock.advance(by: .seconds(65))
        while try await site.get().text == "A" { await Task.yield() }
        #expect(site.count == 3)
    }

    @Test("RFC 5861 section 4: a stale response is given for an error", arguments: [500, 502, 503, 504])
    func ifError(_ code: Int) async throws {
        let site = failing(.response(.init(code: code)), "max-age=60, stale-if-error=30")
        _ = try await site.get()
        site.clock.advance(by: .seconds(90))
        let stale = try await site.site["x"].get()
        #expect((stale.status, stale.text, stale.storeNote) == (.ok, "A", "hit; ttl=-30; detail=error"))
        #expect(stale.headers[.age] == "90")
        site.clock.advance(by: .seconds(1))
        #expect(try await site.site["x"].get().status.code == code)
    }

    @Test("RFC 5861 section 4: also if there is no response") func ifUnreachable() async throws {
        let site = failing(.failure(TransportFailure(.connect, "no")), "max-age=60, stale-if-error=30")
        _ = try await site.get()
        site.clock.advance(by: .seconds(61))
        #expect(try await site.get().note == "hit; ttl=-1; detail=error")
        let plain = failing(.failure(TransportFailure(.connect, "no")), "max-age=60")
        _ = try await plain.get()
        plain.clock.advance(by: .seconds(61))
        #expect(try await plain.get([.cacheControl: "stale-if-error=9"]).note == "hit; ttl=-1; detail=error")
        await #expect(throws: CumulusError.self) { _ = try await plain.get() }
    }

    @Test(
        "Section 4.2.4: not if the server forbids it, or for an answer that is none of those",
        arguments: [
            ("max-age=60, stale-if-error=30, must-revalidate", 503), ("max-age=60, stale-if-error=30, no-cache", 503),
            ("max-age=60, stale-if-error=30", 501), ("max-age=60, stale-if-error=30", 404), ("max-age=60", 503),
        ]
    ) func notIfForbidden(_ cacheControl: String, _ code: Int) async throws {
        let site = failing(.response(.init(code: code)), cacheControl)
        _ = try await site.get()
        site.clock.advance(by: .seconds(61))
        #expect(try await site.site["x"].get().status.code == code)
    }

    @Test("It is offered when recovery gives up, not instead of it") func afterRetries() async throws {
        let site = CachedSite(rules: { $0.retry = RetryPolicy(limit: 2) }) { request in
            request.number == 1 || request.number == 4
                ? .response(
                    headers: [.cacheControl: "max-age=60, stale-if-error=30"],
                    body: [64 + UInt8(request.number)]
                )
                : .response(.serviceUnavailable)
        }
        _ = try await site.get()
        site.clock.advance(by: .seconds(61))
        let call = site.site["x"].call(.get).start()
        #expect(try await site.value(of: call).text == "D" && site.count == 4)
    }

    private func failing(_ failure: StubResponse, _ cacheControl: String) -> CachedSite {
        CachedSite { request in
            request.number == 1 ? .response(headers: [.cacheControl: .init(cacheControl)], body: [65]) : failure
        }
    }
}

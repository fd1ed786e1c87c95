// SPDX-License-Identifier: Apache-2.0

import CumulusTesting
import HTTPTypes
import Synchronization
import TestSupport
import Testing

@testable import CumulusCore

@Suite(.timeLimit(.minutes(1))) struct ReconnectionTests {
    private static let broken = TransportFailure(.connectionClosed, "the connection was closed", fate: .unknown)

    private func lastEventIDs(_ site: EventSite) -> [String?] {
        site.transport.requests.map { request in
            request.headers.first { $0.name.canonicalName == "last-event-id" }?.value
        }
    }

    @Test func getReconnectsWithTheLastEventID() async throws {
        let site = EventSite { request in
            switch request.number {
            case 1: .events("id: a\ndata: 1\n\nid: lost\ndata: x\n")
            case 2: .events("data: 2\n\nid: b\n\n")
            case 3: .events("id\ndata: 3\n\n")
            default: .events("data: 4\n\n")
            }
        }
        let events = try await site.read(4, of: site.site["feed"].events())
        #expect(events.map(\.data) == ["1", "2", "3", "4"])
        #expect(events.map(\.id) == ["a", "a", nil, nil])
        #expect(lastEventIDs(site) == [nil, "a", "b", nil])
        #expect(site.log.prefix(5) == ["connecting", "open", "waiting 1.0 seconds", "connecting", "open"])
    }

    @Test func lastEventIDOfTheCallerIsTheFirst() async throws {
        let site = EventSite { .events("data: \($0.number)\n\n") }
        _ = try await site.read(2, of: site.site.events(headers: ["Last-Event-ID": "9"]))
        #expect(lastEventIDs(site) == ["9", "9"])
    }

    @Test func interruptedBodyIsFollowedByAnotherConnection() async throws {
        let site = EventSite { .openEvents("id: \($0.number)\ndata: x\n\ndata: half", then: .fail(Self.broken)) }
        let events = try await site.read(3, of: site.site.events())
        #expect(events.map(\.id) == ["1", "2", "3"])
        #expect(site.log[2] == "waiting 1.0 seconds connectionClosed")
    }

    @Test func compressedBodyWithoutItsEndIsFollowedByAnotherConnection() async throws {
        var compression = try Compression(.gzip)
        let whole = try #require(try compression.compress(ByteChunk("id: a\ndata: x\n\n"), isLast: true))
        let body = Array(whole.dropLast(8))
        let site = EventSite { _ in
            .script([.chunk(body)], headers: [.contentType: "text/event-stream", .contentEncoding: "gzip"])
        }
        #expect(try await site.read(2, of: site.site.events()).map(\.data) == ["x", "x"])
        #expect(lastEventIDs(site) == [nil, "a"])
    }

    @Test(arguments: [Duration.zero, .seconds(-1)]) func heartbeatMustBePositive(heartbeat: Duration) async throws {
        let site = EventSite { _ in .openEvents("data: x\n\n") }
        let error = await #expect(throws: CumulusError.self) {
            _ = try await site.read(1, of: site.site.call(.get).events(heartbeat: heartbeat))
        }
        #expect(error?.code == .transport && error?.message.contains("heartbeat") == true)
        #expect(site.transport.requests.count == 1 && site.transport.cancelledBodies == 1)
    }

    @Test func postIsSentOnceUnlessTheCallerWantsMore() async throws {
        let site = EventSite { .events("id: \($0.number)\ndata: x\n\n") }
        let call = site.site.call(.post, body: ["a": 1])
        #expect(try await site.read(9, of: call.events()).count == 1)
        #expect(try await site.read(9, of: site.site.call(.get).events(reconnect: .never)).count == 1)
        _ = try await site.read(2, of: call.events(reconnect: .always))
        #expect(site.transport.requests.map(\.method) == [.post, .get, .post, .post])
        #expect(site.transport.lastRequest?.text == #"{"a":1}"#)
        #expect(lastEventIDs(site).last == "3")
        _ = try await site.read(2, of: call.events(reconnect: .byGet))
        #expect(site.transport.lastRequest?.method == .get && site.transport.lastRequest?.body.isEmpty == true)
        #expect(lastEventIDs(site).last == "5")
    }

    @Test func getForAPostNeedsAnID() async throws {
        let site = EventSite { _ in .events("data: x\n\n") }
        #expect(try await site.read(9, of: site.site.call(.post).events(reconnect: .byGet)).count == 1)
        #expect(site.log.last == "closed finished")
    }

    @Test func pauseOfACircuitBreakerIsWaitedFor() async throws {
        let site = EventSite { request in
            request.number == 2 ? .status(.serviceUnavailable) : .events("id: \(request.number)\ndata: x\n\n")
        }
        let breaker = CircuitBreaker(failures: 1, pause: .seconds(50), clock: site.clock)
        site.site.setRules { $0.interceptors.append(breaker.intercept) }
        #expect(try await site.read(2, of: site.site.events()).count == 2)
        #expect(site.transport.requests.count == 3)
        #expect(site.log.contains { $0 == "waiting 48.0 seconds interception" }, "\(site.log)")
    }

    @Test func firstConnectionIsRetriedByThePolicy() async throws {
        let site = EventSite { request in
            request.number == 1
                ? .status(.tooManyRequests, headers: ["Retry-After": "7"]) : .events("data: x\n\n")
        }
        let start = site.clock.now
        #expect(try await site.read(1, of: site.site.events()).count == 1)
        #expect(start.duration(to: site.clock.now) == .seconds(7))
        let failing = EventSite { _ in .failure(Self.broken) }
        let error = await #expect(throws: CumulusError.self) {
            _ = try await failing.read(1, of: failing.site.events())
        }
        #expect(error?.code == .connectionClosed && failing.transport.requests.count == 3)
    }

    @Test func waitsGrowUntilAnEventArrives() async throws {
        let site = EventSite { request in
            switch request.number {
            case 1, 7: .events("data: x\n\n")
            case 2: .failure(Self.broken)
            case 3: .status(.serviceUnavailable)
            case 4: .status(.serviceUnavailable, headers: ["Retry-After": "30"])
            case 5: .events("id: only\n\n: comment\n\n")
            case 6: .events()
            default: .events("data: y\n\n")
            }
        }
        #expect(try await site.read(3, of: site.site.events()).map(\.data) == ["x", "x", "y"])
        let waits = site.log.filter { $0.hasPrefix("waiting") }
        #expect(
            waits == [
                "waiting 1.0 seconds", "waiting 2.0 seconds connectionClosed", "waiting 4.0 seconds status",
                "waiting 30.0 seconds status", "waiting 16.0 seconds", "waiting 20.0 seconds", "waiting 1.0 seconds",
            ]
        )
    }

    @Test func serverThatAcceptsAndClosesIsMetWithBackoff() async throws {
        let site = EventSite { $0.number <= 100 ? .events("") : .events("data: x\n\n") }
        let start = site.clock.now
        #expect(try await site.read(1, of: site.site.events()).count == 1)
        // 1, 2, 4, 8 and 16 seconds, then 20.
        #expect(start.duration(to: site.clock.now) == .seconds(31 + 95 * 20))
    }

    @Test func exhaustedBudgetDelaysConnections() async throws {
        let budget = RetryBudget(burst: 1, share: 0, perSecond: 0.1)
        let site = EventSite(budget: budget) { .events("data: \($0.number)\n\n") }
        let start = site.clock.now
        #expect(try await site.read(4, of: site.site.events()).count == 4)
        #expect(site.transport.requests.count == 4)
        #expect(start.duration(to: site.clock.now) >= .seconds(20))
    }

    @Test(arguments: [
        ("0", "waiting 1.1 seconds"), ("99", "waiting 1.1 seconds"), ("3000", "waiting 6.0 seconds"),
        ("99999999999999999999", "waiting 600.0 seconds"), ("x", "waiting 1.0 seconds"),
    ])
    func retryFieldIsLimited(value: String, wait: String) async throws {
        let site = EventSite { _ in .events("retry: \(value)\n\ndata: x\n\n") }
        _ = try await site.read(2, of: site.site.events())
        #expect(site.log[2] == wait)
    }

    @Test func clientsSpreadOverTheBackoff() {
        var number = 0.0
        let delays = (0..<1_000).map { _ in
            number += 0.001
            let part = number
            return ReconnectionDelay(backoff: RetryBackoff(jitter: { part }), requested: nil).wait(before: 4)
        }
        for second in 0..<8 {
            #expect(delays.filter { $0 >= .seconds(second) && $0 < .seconds(second + 1) }.count >= 124)
        }
    }

    // MARK: Ends

    @Test func noContentEndsTheStream() async throws {
        let site = EventSite { $0.number == 1 ? .events("data: x\n\n") : .status(.noContent) }
        #expect(try await site.read(9, of: site.site.events()).count == 1)
        #expect(site.log.last == "closed noContent")
    }

    @Test func refusedStatusAndWrongTypeEndTheStream() async throws {
        let answers: [(StubResponse, CumulusError.Code)] = [
            (.status(.unauthorized), .status), (.status(.notFound), .status), (.json("{}"), .decoding),
            (.status(.tooManyRequests, headers: ["Retry-After": "61"]), .status),
        ]
        for (answer, code) in answers {
            let site = EventSite { $0.number == 1 ? .events("data: x\n\n") : answer }
            let error = await #expect(throws: CumulusError.self) {
                _ = try await site.read(9, of: site.site.events())
            }
            #expect(error?.code == code && site.transport.requests.count == 2)
            #expect(site.log.last == "failed \(code)")
        }
    }

    @Test func silentConnectionIsReplaced() async throws {
        let site = EventSite { .openEvents("id: \($0.number)\ndata: x\n\n", then: .gate(Gate())) }
        let start = site.clock.now
        let events = try await site.read(3, of: site.site.call(.get).events(heartbeat: .seconds(30)))
        #expect(events.map(\.id) == ["1", "2", "3"])
        // The clock may move on while no read waits, so a connection lasts 30 seconds or a multiple of it.
        let seconds = start.duration(to: site.clock.now).components.seconds
        #expect(seconds >= 62 && (seconds - 2) % 30 == 0)
        #expect(site.log.filter { $0 == "waiting 1.0 seconds timeout" }.count == 2)
        #expect(site.transport.cancelledBodies == 3)
    }

    @Test func commentsAreSignsOfLife() async throws {
        let site = EventSite { _ in
            let comments = (0..<20).flatMap { _ in [StubResponse.Step.chunk([0x3A, 0x0A]), .pause(.seconds(6))] }
            return .script(
                comments + [.chunk(Array("data: x\n\n".utf8))],
                headers: [.contentType: "text/event-stream"]
            )
        }
        let stream = site.site.call(.get).events(heartbeat: .seconds(10))
        #expect(try await site.read(1, of: stream, sleepers: 2).map(\.data) == ["x"])
        #expect(site.transport.requests.count == 1)
    }

    @Test func deadlineIncludesAllConnections() async throws {
        let site = EventSite { _ in .events("data: x\n\n") }
        let stream = site.site.call(.get).with { $0.deadline = .milliseconds(2_500) }.events()
        let error = await #expect(throws: CumulusError.self) {
            _ = try await site.read(9, of: stream, whileWaiting: true)
        }
        #expect(error?.code == .timeout && error?.phase == .total)
        #expect(site.transport.requests.count == 3)
    }

    @Test func redirectToAnotherOriginGetsNoIDAndNoCredentials() async throws {
        let site = EventSite { request in
            if request.url.hasPrefix("http://b.example") { return .events("id: b\ndata: x\n\n") }
            return request.number == 1
                ? .events("id: secret\ndata: x\n\n") : .status(.found, headers: ["Location": "http://b.example/"])
        }
        site.site.setRules { $0.authorizers = [.bearer("token")] }
        _ = try await site.read(3, of: site.site.events())
        let abroad = site.transport.requests.filter { $0.url.hasPrefix("http://b.example") }
        #expect(abroad.count == 2)
        for request in abroad {
            #expect(!request.headers.contains { $0.name.canonicalName == "last-event-id" })
            #expect(request.headers[.authorization] == nil)
            #expect(request.headers[.accept] == "text/event-stream")
        }
    }

    @Test func eachConnectionIsAuthorizedAgain() async throws {
        let site = EventSite { .events("data: \($0.number)\n\n") }
        let token = Mutex("a")
        site.site.setRules { $0.authorizers = [.bearer("a")] }
        let stream = site.site.events().onStateChange { state in
            guard case .waiting = state else { return }
            token.withLock { $0 += "a" }
            site.site.setRules { $0.authorizers = [.bearer(token.withLock { $0 })] }
        }
        _ = try await site.read(3, of: stream)
        #expect(site.transport.requests.map { $0.headers[.authorization] } == ["Bearer a", "Bearer aa", "Bearer aaa"])
    }

    @Test func cancellationEndsTheWait() async throws {
        let site = EventSite { _ in .events("data: x\n\n") }
        let reader = Task { for try await _ in site.site.events().onStateChange({ site.note($0) }) {} }
        try await site.clock.waitForSleepers()
        reader.cancel()
        await #expect(throws: CancellationError.self) { try await reader.value }
        #expect(site.transport.requests.count == 1 && site.log.last == "closed cancelled")
        #expect(site.clock.sleeperCount == 0)
    }

    @Test func cancellationEndsConnecting() async throws {
        let site = EventSite { request in
            let answer = StubResponse.events("data: x\n\n")
            return request.number == 1 ? answer : answer.delayed(by: .seconds(50))
        }
        let reader = Task { for try await _ in site.site.events().onStateChange({ site.note($0) }) {} }
        try await site.clock.waitForSleepers()
        site.clock.advanceToNextSleeper()
        try await site.clock.waitForSleepers()
        reader.cancel()
        await #expect(throws: CancellationError.self) { try await reader.value }
        #expect(site.transport.requests.count == 2 && site.log.last == "closed cancelled")
    }

    @Test func cancelledCallEndsTheStream() async throws {
        let site = EventSite { _ in .openEvents("data: x\n\n") }
        let reader = Task { for try await _ in site.site.events().onStateChange({ site.note($0) }) {} }
        try await site.clock.waitForSleepers()
        for call in site.site.runningCalls { call.cancel() }
        await #expect(throws: CancellationError.self) { try await reader.value }
        #expect(site.transport.requests.count == 1 && site.log.last == "closed cancelled")
    }

    // MARK: Between two connections

    /// A stream that waits before its second connection, and its reader.
    private func waitingStream(_ site: EventSite, on resource: Resource) async throws -> Task<Void, any Error> {
        let reader = Task { for try await _ in resource.events().onStateChange({ site.note($0) }) {} }
        try await site.clock.waitForSleepers()
        return reader
    }

    @Test func waitingStreamIsARunningCallThatCanBeCancelled() async throws {
        for cancel in [
            { (site: Resource) in site.cancelAll() },
            { site in site.runningCalls.count { $0.cancel() } },
        ] as [@Sendable (Resource) -> Int] {
            let site = EventSite { _ in .events("data: x\n\n") }
            let reader = try await waitingStream(site, on: site.site["feed"])
            #expect(site.site["other"].cancelAll() == 0)
            #expect(site.site["feed"].runningCalls.map(\.redactedURL) == ["http://a.example/feed"])
            #expect(cancel(site.site) == 1)
            await #expect(throws: CancellationError.self) { try await reader.value }
            #expect(site.log.last == "closed cancelled" && site.transport.requests.count == 1)
            #expect(site.clock.sleeperCount == 0 && site.site.runningCalls.isEmpty)
        }
    }

    @Test func waitingStreamBelongsToItsScope() async throws {
        let site = EventSite { _ in .events("data: x\n\n") }
        let scope = RequestScope()
        let reader = try await waitingStream(site, on: site.site.with { $0.scope = scope.membership })
        #expect(scope.cancel() == 1)
        await #expect(throws: CancellationError.self) { try await reader.value }
    }

    @Test(arguments: [Resource.ShutdownMode.graceful, .immediate])
    func shutdownEndsAWaitingStream(mode: Resource.ShutdownMode) async throws {
        let site = EventSite { _ in .events("data: x\n\n") }
        let reader = try await waitingStream(site, on: site.site)
        await site.site.shutdown(mode)
        let error = await #expect(throws: CumulusError.self) { try await reader.value }
        #expect(error?.code == .shutdown && site.log.last == "failed shutdown")
        #expect(site.clock.sleeperCount == 0)
    }

    @Test func gracefulShutdownLetsAConnectionFinish() async throws {
        let gate = Gate()
        let site = EventSite { _ in .openEvents("data: x\n\n", then: .gate(gate)) }
        let reader = Task { for try await _ in site.site.events().onStateChange({ site.note($0) }) {} }
        try await gate.waitForWaiters()
        let shutdown = Task { await site.site.shutdown() }
        gate.open()
        let error = await #expect(throws: CumulusError.self) { try await reader.value }
        await shutdown.value
        #expect(error?.code == .shutdown && site.transport.requests.count == 1)
    }

    @Test(arguments: [false, true])
    func bodyThatCanBeSentOnceFailsBeforeTheWait(isBroken: Bool) async throws {
        let site = EventSite { _ in
            isBroken ? .openEvents("data: x\n\n", then: .fail(Self.broken)) : .events("data: x\n\n")
        }
        let chunks = AsyncStream<[UInt8]> { continuation in
            continuation.yield([0x61])
            continuation.finish()
        }
        let stream = site.site.call(.post, .stream(chunks)).events(reconnect: .always)
        let error = await #expect(throws: CumulusError.self) { _ = try await site.read(2, of: stream) }
        #expect(error?.code == (isBroken ? .connectionClosed : .requestBody))
        #expect(isBroken || error?.cause is BodyAlreadySent)
        #expect(!site.log.contains { $0.hasPrefix("waiting") } && site.transport.requests.count == 1)
    }
}

// SPDX-License-Identifier: Apache-2.0

import CumulusTesting
import HTTPTypes
import Synchronization
import Testing

@testable import CumulusCore

/// Late responses that are requested once more, on a manual clock.
@Suite(.timeLimit(.minutes(1))) struct HedgingTests {
    private final class Notes: CallObserver {
        private let told = Mutex<[String]>([])

        func observe(_ event: CallEvent) { told.withLock { $0.append("\(event.kind)") } }

        var lines: [String] { told.withLock(\.self) }

        /// Waits until a response is late, regardless of the outcome.
        func waitForLate(_ count: Int = 1) async throws {
            try await eventually { lines.count { $0.hasPrefix("no answer after") } >= count }
        }
    }

    private let clock = ManualClock()
    private let notes = Notes()

    private func site(
        hedging: Hedging? = .after(.milliseconds(200)),
        _ answer: @escaping @Sendable (StubRequest) -> StubAnswer
    ) -> (Resource, StubTransport) {
        let transport = StubTransport { answer($0) }
        let site = Resource("http://a.example", transport: transport)
        site.clock = clock
        site.timeout = nil
        site.retry = .never
        site.hedging = hedging
        site.observers = [notes]
        return (site, transport)
    }

    /// Responds by the request's number, after the given delays in milliseconds.
    private func answers(_ delays: Int...) -> @Sendable (StubRequest) -> StubAnswer {
        { request in
            .text("\(request.number)").delayed(by: .milliseconds(delays[min(request.number, delays.count) - 1]))
        }
    }

    /// Advances the clock once there are enough sleepers.
    private func advance(_ milliseconds: Int, sleepers: Int) async throws {
        try await clock.waitForSleepers(sleepers)
        clock.advance(by: .milliseconds(milliseconds))
    }

    @Test func aFastAnswerIsNotHedged() async throws {
        let (site, transport) = site(answers(100))
        async let response = site.get()
        // The response and the time to hedge.
        try await advance(100, sleepers: 2)
        let attempts = try await response.attempts
        #expect(transport.requests.count == 1 && clock.sleeperCount == 0)
        #expect(attempts.count == 1 && attempts[0].hedge == nil)
    }

    @Test func theSecondAnswerIsTakenAndTheFirstRequestCancelled() async throws {
        let (site, transport) = site(answers(10_000, 50))
        async let answer = site.get()
        try await advance(200, sleepers: 2)
        try await advance(50, sleepers: 2)
        let response = try await answer
        #expect(response.text == "2" && transport.requests.count == 2)
        // The first one's wait has ended: it was cancelled.
        #expect(clock.sleeperCount == 0)
        #expect(transport.requests.map(\.request.target) == ["/", "/"])
        #expect(response.attempts.count == 1)
        let hedge = try #require(response.attempts[0].hedge)
        #expect(hedge.delay == .milliseconds(200) && hedge.sent == 1 && hedge.winner == 1 && hedge.obstacle == nil)
        #expect("\(hedge)" == "hedged after 200 ms, the second request's answer was taken")
        #expect(
            "\(response.attempts[0])"
                == "call: GET http://a.example/: 200 after 250 ms, hedged after 200 ms, "
                + "the second request's answer was taken"
        )
    }

    @Test func theFirstAnswerIsTakenWhereItComesFirst() async throws {
        let (site, transport) = site(answers(300, 500))
        async let answer = site.get()
        try await advance(200, sleepers: 2)
        try await advance(100, sleepers: 2)
        let response = try await answer
        #expect(response.text == "1" && response.attempts[0].hedge?.winner == 0)
        #expect(transport.requests.count == 2 && clock.sleeperCount == 0)
    }

    @Test(
        "only GET and HEAD without a body are hedged",
        arguments: [
            (HTTPRequest.Method.get, true), (.head, true), (.options, false), (.put, false), (.post, false),
            (.delete, false),
        ]
    )
    func safeMethods(_ method: HTTPRequest.Method, _ isHedged: Bool) async throws {
        let (site, transport) = site(answers(1_000))
        async let answer = site.request(method.rawValue)
        try await advance(200, sleepers: isHedged ? 2 : 1)
        try await clock.waitForSleepers(isHedged ? 2 : 1)
        #expect(transport.requests.count == (isHedged ? 2 : 1))
        clock.advance(by: .seconds(1))
        _ = try await answer
    }

    @Test func aGETWithABodyIsNotHedged() async throws {
        let (site, transport) = site(answers(1_000))
        async let answer = site.request("GET", "query")
        try await advance(1_000, sleepers: 1)
        _ = try await answer
        #expect(transport.requests.count == 1)
    }

    @Test func atMostSoManyAreSent() async throws {
        let (site, transport) = site(hedging: .after(.milliseconds(100), upTo: 2), answers(10_000))
        async let answer = site.get()
        try await advance(100, sleepers: 2)
        try await advance(100, sleepers: 3)
        // Three responses, and no time to hedge.
        try await clock.waitForSleepers(3)
        #expect(transport.requests.count == 3 && clock.sleeperCount == 3)
        clock.advance(by: .seconds(10))
        #expect(try await answer.attempts[0].hedge?.sent == 2)
        #expect(Hedging.after(.seconds(1), upTo: 99).extra == 4 && Hedging.after(.seconds(1), upTo: -1).extra == 0)
    }

    @Test("with one slot, the hedge is omitted instead of waiting for its own call's slot")
    func oneSlot() async throws {
        let (site, transport) = site(answers(1_000))
        site.maxConcurrentRequests = 1
        async let answer = site.get()
        try await advance(200, sleepers: 2)
        try await notes.waitForLate()
        clock.advance(by: .milliseconds(800))
        let response = try await answer
        #expect(transport.requests.count == 1)
        #expect(notes.lines.contains("no answer after 200 ms, not sent once more: no slot was free"))
        #expect(response.attempts[0].hedge?.obstacle == .slots && response.attempts[0].hedge?.sent == 0)
        #expect("\(response.attempts[0])".hasSuffix("no answer after 200 ms, not hedged: no slot was free"))
    }

    @Test("the loser's slot is free before the response is delivered, and the winner's when its body ends")
    func slots() async throws {
        let (site, _) = site { request in
            request.number == 1
                ? .text("1").delayed(by: .seconds(60))
                : .script([.chunk(Array("22".utf8))]).delayed(by: .milliseconds(50))
        }
        site.maxConcurrentRequests = 2
        let gate = try #require(site.snapshot.gates.limit)
        async let answer = site.bytes(.get)
        try await advance(200, sleepers: 2)
        try await clock.waitForSleepers(2)
        #expect(gate.counts.running == 2)
        clock.advance(by: .milliseconds(50))
        let stream = try await answer
        #expect(gate.counts.running == 1)
        var text = ""
        for try await chunk in stream { chunk.withUnsafeBytes { text += String(decoding: $0, as: UTF8.self) } }
        #expect(text == "22" && gate.counts.running == 0)
    }

    @Test func aPaceIsNotOverrun() async throws {
        let (site, transport) = site(answers(1_000))
        site.pace = .requests(1, per: .seconds(60))
        async let answer = site.get()
        try await advance(200, sleepers: 2)
        try await notes.waitForLate()
        clock.advance(by: .milliseconds(800))
        #expect(try await answer.attempts[0].hedge?.obstacle == .pace)
        #expect(transport.requests.count == 1)
    }

    @Test("hedges count against the retry budget, even if nothing is retried")
    func budgets() async throws {
        let (site, transport) = site(answers(1_000))
        var policy = RetryPolicy(budget: RetryBudget(burst: 1, share: 0, perSecond: 0))
        site.retry = policy
        for (round, hasBudget) in [true, false].enumerated() {
            async let answer = site.get()
            try await advance(200, sleepers: 2)
            try await notes.waitForLate(round + 1)
            if hasBudget { try await clock.waitForSleepers(2) }
            clock.advance(by: .seconds(1))
            let hedge = try #require(try await answer.attempts[0].hedge)
            #expect(hedge.obstacle == (hasBudget ? nil : .budget(Origin(scheme: .http, host: "a.example"))))
        }
        #expect(transport.requests.count == 3)
        policy.budget = nil
        site.retry = policy
        async let answer = site.get()
        try await advance(200, sleepers: 2)
        try await clock.waitForSleepers(2)
        clock.advance(by: .seconds(1))
        #expect(try await answer.attempts[0].hedge?.sent == 1)
        let never = HedgePlan(site.with { $0.retry = .never }.snapshot.values, site.snapshot.context)
        let origin = Origin(scheme: .http, host: "never.example")
        let spent = (0..<200).count { _ in never?.spend(at: origin, now: clock.moment) == true }
        #expect(spent >= 100 && spent < 200)
    }

    @Test(
        "a temporary failure waits for the other response, and so does a 401",
        arguments: [503, 429, 500, 401]
    )
    func lesserAnswers(_ status: Int) async throws {
        let (site, _) = site { request in
            request.number == 1
                ? .text("1").delayed(by: .milliseconds(500))
                : .status(.init(code: status)).delayed(by: .milliseconds(50))
        }
        async let answer = site.get()
        try await advance(200, sleepers: 2)
        try await advance(50, sleepers: 2)
        try await advance(250, sleepers: 1)
        let response = try await answer
        #expect(response.text == "1" && response.attempts[0].hedge?.winner == 0)
    }

    @Test func aFailureAfterTheHedgeWaitsForTheOther() async throws {
        let (site, _) = site { request in
            request.number == 1
                ? .failure(TransportFailure(.connectionClosed, "it broke", sent: .something)).delayed(
                    by: .milliseconds(300)
                )
                : .text("2").delayed(by: .milliseconds(400))
        }
        async let answer = site.get()
        try await advance(200, sleepers: 2)
        try await advance(100, sleepers: 2)
        try await advance(300, sleepers: 1)
        #expect(try await answer.text == "2")
    }

    @Test func whereAllFailTheFirstOnesErrorIsTold() async throws {
        let (site, transport) = site { request in
            .failure(TransportFailure(.connectionClosed, "it broke \(request.number)", sent: .something))
                .delayed(by: .milliseconds(request.number == 1 ? 300 : 50))
        }
        let answer = Task { try await site.get() }
        try await advance(200, sleepers: 2)
        try await advance(50, sleepers: 2)
        try await advance(50, sleepers: 1)
        let error = await #expect(throws: CumulusError.self) { try await answer.value }
        #expect(error?.message.contains("it broke 1") == true && transport.requests.count == 2)
        #expect(error?.attempts.first?.hedge?.winner == nil && error?.attempts.first?.hedge?.sent == 1)
        #expect(error?.attempts.first.map { "\($0)" }?.contains("no request was answered") == true)
    }

    @Test func aFailureBeforeTheHedgeIsTheAttempts() async throws {
        let (site, transport) = site { request in
            request.number == 1
                ? .failure(TransportFailure(.connectionClosed, "it broke", sent: .something)).delayed(
                    by: .milliseconds(100)
                )
                : .text("2")
        }
        site.retry = RetryPolicy(limit: 1, backoff: RetryBackoff(base: .zero))
        async let answer = site.get()
        try await advance(100, sleepers: 2)
        let response = try await answer
        #expect(response.text == "2" && transport.requests.count == 2)
        #expect(response.attempts.map(\.reason) == [.call, .retry] && response.attempts.allSatisfy { $0.hedge == nil })
    }

    @Test("each attempt of a retried call is hedged separately, and records its own hedge")
    func retries() async throws {
        let (site, transport) = site { request in
            request.number <= 2
                ? .status(.serviceUnavailable).delayed(by: .milliseconds(request.number == 1 ? 300 : 200))
                : .text("3").delayed(by: .milliseconds(100))
        }
        site.retry = RetryPolicy(limit: 1, backoff: RetryBackoff(base: .zero))
        async let answer = site.get()
        try await advance(200, sleepers: 2)
        try await advance(100, sleepers: 2)
        try await advance(100, sleepers: 1)
        try await advance(100, sleepers: 2)
        let response = try await answer
        #expect(response.text == "3" && transport.requests.count == 3)
        #expect(response.attempts.map { $0.hedge != nil } == [true, false])
    }

    @Test("cancelling the caller, or the request from outside, cancels both requests", arguments: [true, false])
    func cancellation(_ isByTask: Bool) async throws {
        let (site, transport) = site(answers(60_000))
        site.maxConcurrentRequests = 5
        let gate = try #require(site.snapshot.gates.limit)
        let task = Task { try await site.get() }
        try await advance(200, sleepers: 2)
        try await clock.waitForSleepers(2)
        #expect(transport.requests.count == 2)
        if isByTask { task.cancel() } else { site.cancelAll() }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(clock.sleeperCount == 0 && gate.counts.running == 0)
    }

    @Test func aDeadlineEndsBoth() async throws {
        let (site, transport) = site(answers(60_000))
        site.deadline = .milliseconds(500)
        let answer = Task { try await site.get() }
        // Responses, the time to hedge, and the deadline of a call with its own task.
        try await clock.waitForSleepers(3)
        clock.advance(by: .milliseconds(200))
        try await clock.waitForSleepers(3)
        #expect(transport.requests.count == 2)
        clock.advance(by: .milliseconds(300))
        let error = await #expect(throws: CumulusError.self) { try await answer.value }
        #expect(error?.code == .timeout && error?.phase == .total)
    }

    @Test("interceptors and authorizers run once, and both requests are the same")
    func hooks() async throws {
        let (site, transport) = site(answers(10_000, 50))
        let runs = Mutex(0)
        let name = try #require(HTTPField.Name("X-Run"))
        site.interceptors.append { request, next in
            let number = runs.withLock { runs in
                runs += 1
                return runs
            }
            var request = request
            request.headers[name] = "\(number)"
            return try await next(request)
        }
        site.authorizers = [.bearer("secret")]
        async let answer = site.get()
        try await advance(200, sleepers: 2)
        try await advance(50, sleepers: 2)
        #expect(try await answer.attempts[0].hedge?.winner == 1)
        #expect(runs.withLock(\.self) == 1)
        #expect(transport.requests.map { $0.headers[.authorization] } == ["Bearer secret", "Bearer secret"])
        #expect(Set(transport.requests.map { $0.headers[name] }) == ["1"])
    }

    @Test func onlyTheAnswerThatIsTakenLeavesCookies() async throws {
        let (site, _) = site { request in
            .response(.ok, headers: [.setCookie: "n=\(request.number)"])
                .delayed(by: .milliseconds(request.number == 1 ? 250 : 50))
        }
        site.cookies = CookieJar()
        async let answer = site.get()
        try await advance(200, sleepers: 2)
        // Both responses arrive at the same time; one is used.
        try await advance(50, sleepers: 2)
        let winner = try #require(try await answer.attempts[0].hedge?.winner)
        #expect(site.cookies?.cookies.map(\.value.revealed) == ["\(winner + 1)"])
    }

    @Test("the delay is learned by place, from received responses")
    func learning() async throws {
        let delay = Mutex(10)
        let (site, transport) = site(hedging: .after(percentile: 0.95)) { request in
            .text("\(request.number)").delayed(by: .milliseconds(delay.withLock(\.self)))
        }
        for _ in 0..<20 {
            async let answer = site.get()
            // Nothing is known yet, so there is no time to hedge.
            try await advance(10, sleepers: 1)
            #expect(try await answer.attempts[0].hedge == nil)
        }
        #expect(transport.requests.count == 20)
        delay.withLock { $0 = 5_000 }
        async let answer = site["other"].get()
        try await clock.waitForSleepers(2)
        let learned = try #require(clock.timeToNextSleeper)
        #expect(learned >= .milliseconds(10) && learned < .milliseconds(12))
        delay.withLock { $0 = 20 }
        clock.advance(by: learned)
        try await advance(20, sleepers: 2)
        let hedge = try #require(try await answer.attempts[0].hedge)
        #expect(hedge.delay == learned && hedge.winner == 1)
    }

    @Test func downloadsAreNotHedged() async throws {
        let folder = try TemporaryFile([])
        let (site, transport) = site { _ in .text("file").delayed(by: .seconds(1)) }
        async let file = site.download(to: .file("\(folder.path).copy"))
        try await advance(1_000, sleepers: 1)
        _ = try await file
        #expect(transport.requests.count == 1)
    }

    @Test func observersAreToldAndCallsThatJoinShareTheHedge() async throws {
        let (site, transport) = site(answers(10_000, 50))
        site.identity = .joining("one")
        async let one = site.get()
        try await clock.waitForSleepers(2)
        async let two = site.get()
        try await eventually { site.snapshot.context.joins.waiterCount == 2 }
        clock.advance(by: .milliseconds(200))
        try await advance(50, sleepers: 2)
        let texts = [try await one.text, try await two.text]
        #expect(texts == ["2", "2"] && transport.requests.count == 2)
        let lines = notes.lines
        #expect(lines.filter { $0 == "no answer after 200 ms, sent once more" }.count == 1, "\(lines)")
        #expect(lines.filter { $0.contains("hedged after 200 ms, the second") }.count == 1, "\(lines)")
    }

    @Test func withoutTheSettingACallHasNoTaskOfItsOwn() {
        var capabilities = TransportCapabilities()
        capabilities.attachesExchanges = true
        let site = Resource(
            "http://a.example",
            transport: StubTransport(capabilities: capabilities, answering: { _ in .text("") })
        )
        #expect(!site.snapshot.pipeline.tracking.needsTask && site.snapshot.pipeline.exchange.hedging == nil)
        let hedged = site.with { $0.hedging = .after(.seconds(1)) }
        #expect(hedged.snapshot.pipeline.tracking.needsTask && hedged.snapshot.pipeline.exchange.hedging != nil)
        #expect(site.with { $0.hedging = .after(.seconds(1), upTo: 0) }.snapshot.pipeline.exchange.hedging == nil)
    }

    @Test func theSettingIsSaidInWords() {
        #expect("\(Hedging.after(.milliseconds(200)))" == "once, after 200 ms")
        #expect(
            "\(Hedging.after(percentile: 0.95, upTo: 2))"
                == "up to 2 times, after the time in which 95.0 % of responses arrive"
        )
        #expect(Hedging.after(percentile: 7) == .after(percentile: 0.999))
        #expect(Hedging.after(percentile: .nan) == .after(percentile: 0.95))
        #expect(Hedging.after(.seconds(-1)) == .after(.zero))
    }
}

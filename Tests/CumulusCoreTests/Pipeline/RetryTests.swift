// SPDX-License-Identifier: Apache-2.0

import CumulusTesting
import HTTPTypes
import Synchronization
import TestSupport
import Testing

@testable import CumulusCore

/// Retries as a caller sees them, on a manual clock.
@Suite(.timeLimit(.minutes(10))) struct RetryTests {
    private let clock = ManualClock()

    /// Two retries, after one and two seconds.
    private static let steady = RetryPolicy(backoff: RetryBackoff(base: .seconds(1), jitter: { 1 }))
    /// Two retries without delay.
    private static let hasty = RetryPolicy(backoff: RetryBackoff(base: .zero))

    private func site(
        _ policy: RetryPolicy? = steady,
        _ answer: @escaping @Sendable (StubRequest) -> StubResponse
    ) -> (Resource, StubTransport) {
        let transport = StubTransport { answer($0) }
        let site = Resource("http://a.example", transport: transport.watched) {
            $0.clock = clock
            $0.timeout = nil
            $0.retry = policy
        }
        return (site, transport)
    }

    private func failing(_ kind: TransportFailure.Kind = .connectionClosed) -> StubResponse {
        .failure(TransportFailure(kind, "it broke", fate: .unknown))
    }

    /// Runs a call, advances the clock whenever it sleeps, and returns the length of each wait.
    private func waits<Output: Sendable>(
        _ count: Int,
        of call: @escaping @Sendable () async throws -> Output
    ) async throws -> ([Duration], Result<Output, any Error>) {
        let task = Task { try await call() }
        var waits: [Duration] = []
        for _ in 0..<count {
            try await clock.waitForSleepers()
            waits.append(try #require(clock.timeToNextSleeper))
            clock.advanceToNextSleeper()
        }
        return (waits, await task.result)
    }

    @Test("by default a failure is retried twice, after random waits of at most 0.3 and 0.6 s")
    func byDefault() async throws {
        let (site, transport) = site(.default) { _ in .status(.serviceUnavailable) }
        let (waits, result) = try await waits(2) { try await site.get() }
        let response = try result.get()
        #expect(response.status == .serviceUnavailable)
        #expect(transport.requests.count == 3)
        #expect(waits[0] <= .milliseconds(300) && waits[1] <= .milliseconds(600))
        #expect(response.attempts.map(\.reason) == [.call, .retry, .retry])
        #expect(response.attempts.last?.retry?.obstacle == .limit(2))
    }

    @Test("the back-off doubles, and the final error describes each attempt")
    func words() async throws {
        let (site, _) = site { _ in .failure(TransportFailure(.connect, "nobody there")) }
        let (waits, result) = try await waits(2) { try await site.get() }
        #expect(waits == [.seconds(1), .seconds(2)])
        let error = try #require(throws: CumulusError.self) { try result.get() }
        #expect("\(error)" == "connect GET http://a.example/: nobody there (given up after 2 retries)")
        #expect(
            error.attempts.map { $0.retry.map { "\($0)" } } == [
                "nobody there, retrying in 1 s", "nobody there, retrying in 2 s",
                "nobody there, given up after 2 retries",
            ]
        )
        #expect("\(error.attempts[1])".hasPrefix("retry: GET http://a.example/: connect after 0 s, retried after 2 s"))
        #expect(error.isTransient)
    }

    @Test("nil and never retry nothing, and a child may differ from its parent")
    func off() async throws {
        for policy in [nil, RetryPolicy.never] {
            let (site, transport) = site(policy) { _ in .status(.serviceUnavailable) }
            #expect(try await site.get().attempts.count == 1)
            #expect(transport.requests.count == 1)
            let child = site["x"]
            child.setRules { $0.retry = Self.hasty }
            #expect(try await child.get().attempts.count == 3)
            #expect(try await child["y"].with { $0.retry = nil }.get().attempts.count == 1)
        }
    }

    @Test("the server's delay is used, and recorded")
    func retryAfter() async throws {
        let (site, _) = site { $0.number == 1 ? .status(.tooManyRequests, headers: [.retryAfter: "7"]) : .text("ok") }
        let (waits, result) = try await waits(1) { try await site.get() }
        #expect(waits == [.seconds(7)])
        let attempts = try result.get().attempts
        #expect(attempts.first?.retry?.source == "Retry-After")
        #expect(attempts.first.map { "\($0)" }?.hasSuffix("429 after 0 s, retried after 7 s (Retry-After)") == true)
    }

    @Test("a 403 that says that a limit is used up is retried after its reset; another 403 isn't")
    func forbiddenByLimit() async throws {
        let (site, transport) = site { request in
            let isLimited = request.path == "/limited"
            let headers: Headers = ["X-RateLimit-Remaining": isLimited ? "0" : "9", "X-RateLimit-Reset": "7"]
            return isLimited && request.method == .get && request.number > 1
                ? .text("ok") : .status(.forbidden, headers: headers)
        }
        let (waits, result) = try await waits(1) { try await site["limited"].get() }
        #expect(waits == [.seconds(7)])
        #expect(try result.get().attempts.first?.retry?.source == "X-RateLimit-Reset")
        #expect(try await site["other"].get().status == .forbidden)
        site.setRules { $0.retry?.statuses = [.serviceUnavailable] }
        #expect(try await site["limited"].post(.text("x")).status == .forbidden)
        #expect(transport.requests.count == 4)
    }

    @Test("a wait that is too long, or exceeds the deadline or maxTime, ends the call immediately")
    func tooLong() async throws {
        let (site, transport) = site { _ in .status(.serviceUnavailable, headers: [.retryAfter: "61"]) }
        var response = try await site.get()
        #expect(response.attempts.first?.retry?.obstacle == .wait(.seconds(61), allowed: .seconds(60)))
        site.setRules { $0.retry?.maxWait = nil }
        response = try await site.with { $0.deadline = .seconds(61) }.get()
        #expect(response.attempts.first?.retry?.obstacle == .deadline(.seconds(61)))
        site.setRules { $0.retry?.maxTime = .seconds(60) }
        response = try await site.get()
        #expect(response.attempts.first?.retry?.obstacle == .time(.seconds(61), allowed: .seconds(60)))
        #expect(transport.requests.count == 3)
        let error = try await failure { try await site.get(as: String.self) }
        #expect(error.code == .status && error.response?.headers[.retryAfter] == "61")
        #expect("\(error)".contains("(not retried: a wait of 1 min 1 s would exceed the 1 min allowed for retries)"))
    }

    @Test("a POST is not sent twice once any of it was sent", arguments: [true, false])
    func post(hasKey: Bool) async throws {
        let (site, transport) = site(Self.hasty) { request in
            request.number == 1
                ? .failure(TransportFailure(.timeout(.response), "silence", fate: .unknown)) : .status(.badGateway)
        }
        if hasKey { site.setRules { $0.idempotencyKey = .auto } }
        let call: @Sendable () async throws -> Response = { try await site.post(.text("1")) }
        if hasKey {
            #expect(try await call().attempts.count == 3)
            let keys = Set(transport.requests.map { $0.headers["Idempotency-Key"] })
            #expect(keys.count == 1 && keys.first??.utf8.count == 38)
            _ = try await site.post(.text("2"))
            #expect(Set(transport.requests.map { $0.headers["Idempotency-Key"] }).count == 2)
        } else {
            let error = try await failure { try await call() }
            #expect(error.attempts.first?.retry?.obstacle == .method(.post))
            #expect(transport.requests.count == 1)
        }
    }

    @Test("a POST is sent again if no connection was made")
    func unsentPost() async throws {
        let (site, transport) = site(Self.hasty) {
            $0.number == 1 ? .failure(TransportFailure(.connect, "nobody there")) : .text("ok")
        }
        #expect(try await site.post(.text("1")).text == "ok")
        #expect(transport.requests.map { String(decoding: $0.body, as: UTF8.self) } == ["1", "1"])
    }

    @Test("a POST that an interceptor responded to is not sent twice, whatever fails later")
    func interceptedPost() async throws {
        let refused = TransportFailure(.connect, "refused", fate: .unsent)
        let audit = Resource("http://audit.example", transport: StubTransport { _ in .failure(refused) }.watched) {
            $0.retry = .never
        }
        let (site, transport) = site(Self.hasty) { _ in .text("done", status: .created) }
        site.setRules {
            $0.interceptors.append { request, next in
                let answer = try await next(request)
                _ = try await audit.post(.text("done"))
                return answer
            }
        }
        await #expect(throws: CumulusError.self) { try await site.post(.text("1")) }
        #expect(transport.requests.count == 1)
    }

    @Test("a POST that an interceptor sends a second time is not sent a third time")
    func repeatingInterceptor() async throws {
        let count = Mutex(0)
        let (site, transport) = site(Self.hasty) { _ in
            let number = count.withLock { count in
                count += 1
                return count
            }
            return number == 1
                ? .text("busy", status: .serviceUnavailable)
                : .failure(TransportFailure(.connect, "refused", fate: .unsent))
        }
        site.setRules {
            $0.interceptors.append { request, next in
                let answer = try await next(request)
                return answer.head.status == .serviceUnavailable ? try await next(request) : answer
            }
        }
        await #expect(throws: CumulusError.self) { try await site.post(.text("1")) }
        #expect(transport.requests.count == 2)
    }

    @Test("a caller's key is kept, a GET gets none, and a masked one is not added")
    func keys() async throws {
        let (site, transport) = site(Self.hasty) { _ in .text("ok") }
        site.setRules { $0.idempotencyKey = .auto }
        _ = try await site.get()
        _ = try await site.post(.text("1"), headers: ["Idempotency-Key": "mine"])
        _ = try await site.patch(.text("1"), headers: ["Idempotency-Key": nil])
        #expect(transport.requests.map { $0.headers["Idempotency-Key"] } == [nil, "mine", nil])
    }

    @Test("409 to a repeated key means that the first request is still running; to the first one it is final")
    func conflict() async throws {
        let (site, transport) = site(Self.hasty) { request in
            switch request.number {
            case 1: .failure(TransportFailure(.connectionClosed, "reset", fate: .unknown))
            case 2: .status(.conflict)
            default: .text("done")
            }
        }
        site.setRules { $0.idempotencyKey = .auto }
        #expect(try await site.post(.text("1")).text == "done")
        #expect(transport.requests.count == 3)
        let (other, log) = self.site(Self.hasty) { _ in .status(.conflict) }
        other.setRules { $0.idempotencyKey = .auto }
        #expect(try await other.post(.text("1")).status == .conflict)
        #expect(log.requests.count == 1)
    }

    @Test("with a limit of one, other requests run during the wait, and a cancellation ends it")
    func limitAndCancel() async throws {
        let (site, _) = site { $0.path == "/busy" ? .status(.serviceUnavailable) : .text("ok") }
        site.setRules { $0.maxConcurrentRequests = 1 }
        let waiting = Task { try await site["busy"].get() }
        try await clock.waitForSleepers()
        #expect(try await site["other"].get().text == "ok")
        waiting.cancel()
        let result = await waiting.result
        #expect(throws: CancellationError.self) { try result.get() }
        #expect(site.runningCalls.isEmpty)
        #expect(try await site["other"].get().text == "ok")
    }

    @Test("a body that is interrupted on its way into memory is requested again completely")
    func brokenBody() async throws {
        let (site, transport) = site(Self.hasty) { request in
            request.number < 3
                ? .script([.chunk([1]), .fail(TransportFailure(.truncated, "cut", fate: .unknown))]) : .text("whole")
        }
        site.setRules { $0.tracksRevisions = true }
        let response = try await site.get()
        #expect(response.text == "whole")
        #expect(response.attempts.map(\.reason) == [.call, .retry, .retry])
        #expect(transport.requests.count == 3)
        let (post, log) = self.site(Self.hasty) { _ in
            .script([.chunk([1]), .fail(TransportFailure(.truncated, "cut"))])
        }
        let error = try await failure { try await post.post(.text("1")) }
        #expect(error.attempts.first?.retry?.obstacle == .method(.post))
        #expect(log.requests.count == 1)
    }

    @Test("validators of an interrupted response are not used for the next request")
    func brokenAndTracked() async throws {
        let (site, transport) = site(Self.hasty) { request in
            request.headers[.ifNoneMatch] != nil
                ? .status(.notModified)
                : request.number == 1
                    ? .script([.fail(TransportFailure(.truncated, "cut"))], headers: [.eTag: "\"1\""]) : .text("whole")
        }
        site.setRules { $0.tracksRevisions = true }
        #expect(try await site.get().text == "whole")
        #expect(transport.requests.count == 2)
    }

    @Test("an origin's budget runs out, each failure names it, and other origins have their own")
    func budget() async throws {
        var policy = Self.hasty
        policy.budget = RetryBudget(burst: 3, share: 0, perSecond: 0)
        let (site, transport) = site(policy) { _ in .status(.badGateway) }
        var obstacles: [RetryDecision.Obstacle?] = []
        for _ in 0..<4 { obstacles.append(try await site.get().attempts.last?.retry?.obstacle) }
        let exhausted = RetryDecision.Obstacle.budget(Origin(scheme: .http, host: "a.example"))
        #expect(obstacles == [.limit(2), exhausted, exhausted, exhausted])
        #expect(transport.requests.count == 4 + 3)
        let error = try await failure { try await site.get(as: String.self) }
        #expect("\(error)".hasSuffix("(not retried: the retry budget of http://a.example is exhausted)"))
        #expect(try await site.follow("http://b.example/").get().attempts.count == 3)
        // A child of the same tree shares it, and calls replenish it.
        site.setRules { $0.retry?.budget = RetryBudget(burst: 3, share: 2, perSecond: 0) }
        #expect(try await site["x"].get().attempts.count == 3)
    }

    @Test("the policy's own rule decides: it may stop, extend, and poll successes")
    func decide() async throws {
        let seen = Mutex<[String]>([])
        var policy = Self.hasty
        policy.decide = { question in
            seen.withLock { $0.append("\(question.retries): \(question.proposal.map { "\($0)" } ?? "none")") }
            if question.status == .accepted { return .again(after: .seconds(5)) }
            return question.request.target == "/final" ? .stop : .proposed
        }
        let (site, transport) = site(policy) { request in
            request.path == "/job" ? (request.number < 3 ? .status(.accepted) : .text("ready")) : .status(.badGateway)
        }
        let (waits, result) = try await waits(2) { try await site["job"].get() }
        #expect(waits == [.seconds(5), .seconds(5)])
        #expect(try result.get().text == "ready")
        #expect(try "\(result.get().attempts[0])".hasSuffix("retried after 5 s (the policy's `decide`)"))
        #expect(try await site["final"].get().attempts.map { $0.retry?.obstacle } == [.declined])
        #expect(try await site["x"].get().attempts.count == 3)
        #expect(transport.requests.count == 3 + 1 + 3)
        #expect(seen.withLock(\.self).first == "0: none")
        #expect(seen.withLock(\.self).last == "2: 502 Bad Gateway, given up after 2 retries")
    }

    @Test("the budget limits failures that only the policy's own rule repeats, and not successes")
    func budgetOfDecide() async throws {
        var policy = Self.hasty
        policy.budget = RetryBudget(burst: 2, share: 0, perSecond: 0)
        policy.decide = { _ in .again(after: .zero) }
        let (site, transport) = site(policy) { $0.number < 10 ? .status(.accepted) : .status(.notFound) }
        #expect(site.retriesLeft == 2)
        let response = try await site.get()
        #expect(response.status == .notFound)
        #expect(response.attempts.last?.retry?.obstacle == .budget(Origin(scheme: .http, host: "a.example")))
        #expect(transport.requests.count == 9 + 1 + 2)
        #expect(site.retriesLeft == 0)
        #expect(site["child"].retriesLeft == 0)
        #expect(site["other"].with { $0.retry = .never }.retriesLeft == nil)
    }

    @Test("an empty key doesn't make a POST safe to repeat", arguments: ["", "\"\""])
    func emptyKey(key: String) async throws {
        let (site, transport) = site(Self.hasty) { _ in .status(.badGateway) }
        let response = try await site.post(.text("1"), headers: ["Idempotency-Key": key])
        #expect(response.attempts.first?.retry?.obstacle == .method(.post))
        #expect(transport.requests.count == 1)
    }

    @Test("a polled request continues until it succeeds, backing off, and a cancellation ends it")
    func solicited() async throws {
        let (site, transport) = site(.solicited) { request in
            request.number < 40
                ? (request.number.isMultiple(of: 2)
                    ? .status(.internalServerError) : .failure(TransportFailure(.lookup, "offline"))) : .text("here")
        }
        site.setRules { $0.retry?.backoff.jitter = { 1 } }
        let (waits, result) = try await waits(39) { try await site.get() }
        #expect(try result.get().text == "here")
        #expect(transport.requests.count == 40)
        #expect(waits.first == .milliseconds(500) && waits.max() == .seconds(60))
        let (other, _) = self.site(.solicited) { _ in .status(.serviceUnavailable, headers: [.retryAfter: "86400"]) }
        let task = Task { try await other.get() }
        try await clock.waitForSleepers()
        #expect(clock.timeToNextSleeper == .seconds(86_400))
        other.cancelAll()
        let cancelled = await task.result
        #expect(throws: CancellationError.self) { try cancelled.get() }
    }

    @Test("a refused certificate, a 404 and a decoding problem are final", arguments: [nil, RetryPolicy.solicited])
    func final(policy: RetryPolicy?) async throws {
        let (site, transport) = site(policy ?? Self.hasty) { request in
            request.path == "/tls"
                ? .failure(TransportFailure(.tls, "not trusted"))
                : request.path == "/json" ? .text("{") : .status(.notFound)
        }
        #expect(try await failure { try await site["tls"].get() }.attempts.isEmpty)
        #expect(try await site["gone"].get().attempts.map { $0.retry } == [nil])
        #expect(try await failure { try await site["json"].get(as: Int.self) }.code == .decoding)
        #expect(transport.requests.count == 3)
    }

    @Test("a retried response's body is read to its end if short, else dropped", arguments: [10_000, 200_000])
    func losers(count: Int) async throws {
        let (site, transport) = site(Self.hasty) { request in
            let pieces = Array(
                repeating: StubResponse.Step.chunk(Array(repeating: 1, count: 5_000)),
                count: count / 5_000
            )
            return request.number == 1 ? .script(pieces, status: .badGateway) : .text("ok")
        }
        #expect(try await site.get().text == "ok")
        #expect(transport.cancelledBodies == (count > 65_536 ? 1 : 0))
    }

    @Test("observers get each decision")
    func observed() async throws {
        final class Noting: Sendable {
            let seen = Mutex<[String]>([])
            func observe(_ event: CallEvent) {
                if case .retry(let decision) = event.kind { seen.withLock { $0.append("\(decision)") } }
            }
        }
        let noting = Noting()
        let (site, _) = site(Self.hasty) { _ in .status(.badGateway) }
        site.setRules { $0.observers = [CallObserver(noting.observe)] }
        _ = try await site.get()
        #expect(
            noting.seen.withLock(\.self) == [
                "502 Bad Gateway, retrying in 0 s", "502 Bad Gateway, retrying in 0 s",
                "502 Bad Gateway, given up after 2 retries",
            ]
        )
    }

    @Test("fixtures may fail and be retried, too")
    func fixtures() async throws {
        let (site, transport) = site(Self.hasty) { _ in .text("network") }
        let place = site["x"]
        let broken = Fixture.failure(TransportFailure(.connectionClosed, "it broke"))
        place.setRules { $0.fixtures[.get] = .sequence([broken, .status(.serviceUnavailable), .text("ok")]) }
        let response = try await place.get()
        #expect(response.text == "ok")
        #expect(response.attempts.count == 3)
        #expect(transport.requests.isEmpty)
    }
}

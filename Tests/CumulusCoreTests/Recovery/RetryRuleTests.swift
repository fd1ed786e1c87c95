// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import Testing

@testable import CumulusCore

/// Whether an attempt may be repeated: method x status x failure x what was sent x body.
@Suite struct RetryRuleTests {
    private static let methods = ["GET", "HEAD", "OPTIONS", "TRACE", "PUT", "DELETE", "QUERY", "POST", "PATCH", "LOCK"]
    private static let idempotent: Set<String> = ["GET", "HEAD", "OPTIONS", "TRACE", "PUT", "DELETE", "QUERY"]
    private static let rule = RetryRule(policy: .default)

    private static func finding(
        _ outcome: AttemptRecord.Outcome,
        of request: EncodedRequest,
        isRepeated: Bool
    ) -> RetryRule.Finding {
        rule.finding(after: EndedAttempt(request, outcome), isRepeated: isRepeated)
    }
    private static let once = RequestBody.stream(StreamBody { _, _ in })

    private static let origin = Origin(scheme: .https, host: "a.example")

    private static func request(_ method: String, key: Bool = false, body: RequestBody = .none) throws -> EncodedRequest
    {
        var request = EncodedRequest(
            method: try #require(HTTPRequest.Method(rawValue: method)),
            url: RequestURL(origin: origin, path: "/", query: nil),
            body: body
        )
        if key { request.headers["Idempotency-Key"] = "\"1\"" }
        return request
    }

    private static func failure(_ kind: TransportFailure.Kind, _ fate: TransportFailure.Fate) -> AttemptRecord.Outcome {
        .failed(CumulusError(TransportFailure(kind, "x", fate: fate), stage: .transmission, request: nil))
    }

    @Test("each method and status", arguments: methods)
    func statuses(method: String) throws { for code in 200...599 { try expect(method, code) } }

    private func expect(_ method: String, _ code: Int) throws {
        let mayPass = [408, 425, 429, 500, 502, 503, 504].contains(code)
        let outcome = AttemptRecord.Outcome.responded(.init(code: code))
        let request = try Self.request(method)
        let expected: RetryRule.Finding =
            !mayPass ? .none : Self.idempotent.contains(method) || code == 429 ? .again : .stop(.method(request.method))
        #expect(Self.finding(outcome, of: request, isRepeated: false) == expected)
        #expect(Self.finding(outcome, of: request, isRepeated: true) == expected)
        let withKey = try Self.request(method, key: true)
        #expect(Self.finding(outcome, of: withKey, isRepeated: false) == (mayPass ? .again : .none))
        // The server is still processing the previous one.
        #expect(
            Self.finding(outcome, of: withKey, isRepeated: true) == (mayPass || code == 409 ? .again : .none)
        )
    }

    @Test("a refused request is repeated whatever its method", arguments: ["POST", "PATCH", "LOCK"])
    func refusals(method: String) throws {
        let request = try Self.request(method)
        func finding(_ code: Int, _ headers: HTTPFields, arrived: Bool = false) -> RetryRule.Finding {
            var attempt = EndedAttempt(request, .responded(.init(code: code)))
            attempt.headers = headers
            attempt.mayHaveArrived = arrived
            return Self.rule.finding(after: attempt, isRepeated: false)
        }
        let later: HTTPFields = [.retryAfter: "1"]
        for code in [403, 429, 503] { #expect(finding(code, later) == .again) }
        // Other statuses with a time, and a 503 without one, don't refuse the request.
        for code in [500, 502, 504] { #expect(finding(code, later) == .stop(.method(request.method))) }
        #expect(finding(503, [:]) == .stop(.method(request.method)))
        #expect(finding(429, later, arrived: true) == .stop(.method(request.method)))
        let body = StreamBody { _, _ in }
        try body.reserve()
        let once = EndedAttempt(try Self.request(method, body: .stream(body)), .responded(.tooManyRequests))
        #expect(Self.rule.finding(after: once, isRepeated: false) == .stop(.body))
    }

    private static let kinds: [(TransportFailure.Kind, passes: Bool)] = [
        (.lookup, true), (.connect, true), (.timeout(.connect), true), (.timeout(.poolWait), true),
        (.connectionClosed, true), (.truncated, true), (.timeout(.response), true), (.timeout(.idle), true),
        (.timeout(.rate), true), (.timeout(.rateLimit), false), (.timeout(.total), false), (.tls, false),
        (.invalidRequest, false), (.unsupported, false), (.malformedResponse, false), (.headerTooLarge, false),
        (.requestBody, false), (.shutdown, false), (.invalidUse, false), (.other, false),
    ]

    @Test("a failure that says nothing of the request's fate is known to be before it only where that is certain")
    func usualFates() {
        let unsent = Self.kinds.map(\.0).filter { TransportFailure($0, "x").fate == .unsent }
        #expect(
            unsent == [
                .lookup, .connect, .timeout(.connect), .timeout(.poolWait), .timeout(.rateLimit), .tls, .invalidRequest,
                .unsupported,
            ]
        )
    }

    @Test("each method and failure", arguments: methods, kinds.indices)
    func failures(method: String, index: Int) throws {
        let (kind, passes) = Self.kinds[index]
        let request = try Self.request(method)
        for fate in [TransportFailure.Fate.unsent, .unprocessed, .unknown] {
            let outcome = Self.failure(kind, fate)
            let isSafe = Self.idempotent.contains(method) || fate != .unknown
            let expected: RetryRule.Finding = !passes ? .none : isSafe ? .again : .stop(.method(request.method))
            #expect(Self.finding(outcome, of: request, isRepeated: false) == expected, "\(kind), \(fate)")
            let withKey = try Self.request(method, key: true)
            #expect(Self.finding(outcome, of: withKey, isRepeated: false) == (passes ? .again : .none))
            let error = try #require({ if case .failed(let error) = outcome { error as? CumulusError } else { nil } }())
            #expect(error.isTransient == passes)
        }
    }

    @Test("an earlier exchange that may have arrived prevents the retry of a POST", arguments: methods)
    func exchanges(method: String) throws {
        let request = try Self.request(method)
        for earlier in [[], [TransportFailure.Fate.unprocessed], [.unsent, .unprocessed], [.unprocessed, .unknown]] {
            let record = CallRecord(started: .now)
            for fate in earlier + [.unprocessed] {
                let failure = TransportFailure(.connectionClosed, "closed", fate: fate)
                let exchange = record.begin(.staleConnection, request, from: nil)
                record.end(exchange, .failed(CumulusError(failure, stage: .transmission)), at: .now)
            }
            let mayHaveArrived = record.mayHaveTakenEffect(in: 1..<record.count)
            let last = TransportFailure(.connectionClosed, "refused", fate: .unprocessed)
            var attempt = EndedAttempt(request, .failed(CumulusError(last, stage: .transmission)))
            attempt.mayHaveArrived = mayHaveArrived
            let finding = Self.rule.finding(after: attempt, isRepeated: false)
            let isSafe = Self.idempotent.contains(method) || !earlier.contains(.unknown)
            #expect(finding == (isSafe ? .again : .stop(.method(request.method))))
        }
    }

    @Test("a once-only body prevents it if it was begun, not otherwise")
    func bodies() async throws {
        let request = try Self.request("PUT", body: Self.once)
        let outcome = AttemptRecord.Outcome.responded(.serviceUnavailable)
        #expect(Self.finding(outcome, of: request, isRepeated: false) == .again)
        guard case .stream(let stream) = request.body else { return }
        try await stream.contents(0, BodyWriter { _ in })
        #expect(Self.finding(outcome, of: request, isRepeated: false) == .stop(.body))
        let replayable = StreamBody(replay: .restartable) { _, _ in }
        try await replayable.contents(0, BodyWriter { _ in })
        let again = try Self.request("PUT", body: .stream(replayable))
        #expect(Self.finding(outcome, of: again, isRepeated: false) == .again)
    }

    @Test("the rest of a body has the same limits as a retry, and the server's wait")
    func resumptions() throws {
        let backoff = RetryBackoff(base: .seconds(1), jitter: { 1 })
        var policy = RetryPolicy(backoff: backoff, maxWait: .seconds(20))
        let started = Moment.now
        func decide(
            _ number: Int = 1,
            method: String = "GET",
            told: String? = nil,
            until end: Moment? = nil
        ) throws -> RetryDecision {
            let headers: HTTPFields = told.map { [.retryAfter: $0] } ?? [:]
            let timing = ServerTiming(headers, status: .serviceUnavailable, now: .now)
            var broken = BrokenBody(number: number, request: try Self.request(method), timing: timing)
            broken.cause = "x"
            let time = DecisionTime(now: started + .seconds(5), started: started, end: end)
            return RetryRule(policy: policy).resumption(broken, jitter: 1, at: time)
        }
        #expect(try (1...3).map { try decide($0).delay } == [.seconds(1), .seconds(2), nil])
        #expect(try decide(3).obstacle == .limit(2))
        #expect(try decide(told: "7") == .again(after: .seconds(7), because: "x", by: "Retry-After"))
        #expect(try decide(told: "30").obstacle == .wait(.seconds(30), allowed: .seconds(20)))
        #expect(try decide(method: "POST").obstacle == .method(.post))
        #expect(try decide(until: started + .seconds(6)).obstacle == .deadline(.seconds(1)))
        #expect(try decide(until: started + .seconds(7)).delay == .seconds(1))
        policy.maxTime = .seconds(5)
        #expect(try decide().obstacle == .time(.seconds(1), allowed: .seconds(5)))
        policy = RetryPolicy(limit: nil, backoff: backoff)
        #expect(try decide(100).delay == .seconds(20))
    }

    @Test("an error outside the exchange is final")
    func final() throws {
        let request = try Self.request("GET")
        for error: any Error in [
            CancellationError(), CumulusError(.decoding, stage: .decoding, "x"), LimitReached(),
            CumulusError(.authorization, stage: .authorization, "x"), CumulusError(.shutdown, stage: .preflight, "x"),
        ] {
            #expect(Self.finding(.failed(error), of: request, isRepeated: false) == .none)
        }
    }
}

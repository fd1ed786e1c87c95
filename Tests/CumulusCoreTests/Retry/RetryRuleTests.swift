// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Testing

@testable import CumulusCore

/// Whether an attempt may be repeated: method x status x failure x what was sent x body.
@Suite struct RetryRuleTests {
    private static let methods = ["GET", "HEAD", "OPTIONS", "TRACE", "PUT", "DELETE", "QUERY", "POST", "PATCH", "LOCK"]
    private static let idempotent: Set<String> = ["GET", "HEAD", "OPTIONS", "TRACE", "PUT", "DELETE", "QUERY"]
    private static let rule = RetryRule(methods: RetryPolicy.idempotentMethods, statuses: .transient)
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

    private static func failure(_ kind: TransportFailure.Kind, sent: TransportFailure.Sent) -> AttemptRecord.Outcome {
        .failed(CumulusError(TransportFailure(kind, "x", sent: sent), stage: .transmission, request: nil))
    }

    @Test("each method and status", arguments: methods)
    func statuses(method: String) throws { for code in 200...599 { try expect(method, code) } }

    private func expect(_ method: String, _ code: Int) throws {
        let mayPass = [408, 425, 429, 500, 502, 503, 504].contains(code)
        let outcome = AttemptRecord.Outcome.answered(.init(code: code))
        let request = try Self.request(method)
        let expected: RetryRule.Finding =
            !mayPass ? .none : Self.idempotent.contains(method) ? .again : .stop(.method(request.method))
        #expect(Self.rule.finding(outcome, of: request, isRepeated: false) == expected)
        #expect(Self.rule.finding(outcome, of: request, isRepeated: true) == expected)
        let withKey = try Self.request(method, key: true)
        #expect(Self.rule.finding(outcome, of: withKey, isRepeated: false) == (mayPass ? .again : .none))
        // The server is still processing the previous one.
        #expect(
            Self.rule.finding(outcome, of: withKey, isRepeated: true) == (mayPass || code == 409 ? .again : .none)
        )
    }

    private static let kinds: [(TransportFailure.Kind, passes: Bool, isBeforeSending: Bool)] = [
        (.lookup, true, true), (.connect, true, true), (.timeout(.connect), true, true),
        (.timeout(.poolWait), true, true), (.connectionClosed, true, false), (.truncated, true, false),
        (.timeout(.response), true, false), (.timeout(.idle), true, false), (.timeout(.rate), true, false),
        (.timeout(.rateLimit), false, false), (.timeout(.total), false, false), (.tls, false, false),
        (.invalidRequest, false, false),
        (.unsupported, false, false), (.malformedResponse, false, false), (.headerTooLarge, false, false),
        (.requestBody, false, false), (.shutdown, false, false), (.invalidUse, false, false), (.other, false, false),
    ]

    @Test("each method and failure", arguments: methods, kinds.indices)
    func failures(method: String, index: Int) throws {
        let (kind, passes, isBeforeSending) = Self.kinds[index]
        let request = try Self.request(method)
        for sent in [TransportFailure.Sent.nothing, .something] {
            let outcome = Self.failure(kind, sent: sent)
            let isSafe = Self.idempotent.contains(method) || isBeforeSending && sent == .nothing
            let expected: RetryRule.Finding = !passes ? .none : isSafe ? .again : .stop(.method(request.method))
            #expect(Self.rule.finding(outcome, of: request, isRepeated: false) == expected, "\(kind), \(sent)")
            let withKey = try Self.request(method, key: true)
            #expect(Self.rule.finding(outcome, of: withKey, isRepeated: false) == (passes ? .again : .none))
            let error = try #require({ if case .failed(let error) = outcome { error as? CumulusError } else { nil } }())
            #expect(error.isTransient == passes)
        }
    }

    @Test("what a server has refused unread may be sent again, whatever the method", arguments: methods)
    func refusals(method: String) throws {
        let request = try Self.request(method)
        let isIdempotent = Self.idempotent.contains(method)
        for (refusals, closures, sent) in [
            (3, 0, TransportFailure.Sent.nothing), (3, 1, .something), (3, 0, .something),
        ] {
            let failure = TransportFailure(
                .connectionClosed,
                "refused",
                sent: sent,
                repetitions: TransportRepetitions(closures: closures, refusals: refusals)
            )
            let outcome = AttemptRecord.Outcome.failed(CumulusError(failure, stage: .transmission, request: nil))
            let isSafe = isIdempotent || sent == .nothing
            let expected: RetryRule.Finding = isSafe ? .again : .stop(.method(request.method))
            #expect(Self.rule.finding(outcome, of: request, isRepeated: false) == expected)
        }
    }

    @Test("a once-only body prevents it if it was begun, not otherwise")
    func bodies() async throws {
        let request = try Self.request("PUT", body: Self.once)
        let outcome = AttemptRecord.Outcome.answered(.serviceUnavailable)
        #expect(Self.rule.finding(outcome, of: request, isRepeated: false) == .again)
        guard case .stream(let stream) = request.body else { return }
        try await stream.contents(0, BodyWriter { _ in })
        #expect(Self.rule.finding(outcome, of: request, isRepeated: false) == .stop(.body))
        let replayable = StreamBody(replay: .restartable) { _, _ in }
        try await replayable.contents(0, BodyWriter { _ in })
        let again = try Self.request("PUT", body: .stream(replayable))
        #expect(Self.rule.finding(outcome, of: again, isRepeated: false) == .again)
    }

    @Test("an error outside the exchange is final")
    func final() throws {
        let request = try Self.request("GET")
        for error: any Error in [
            CancellationError(), CumulusError(.decoding, stage: .decoding, "x"), Limit.Full(),
            CumulusError(.authorization, stage: .authorization, "x"), CumulusError(.shutdown, stage: .preflight, "x"),
        ] {
            #expect(Self.rule.finding(.failed(error), of: request, isRepeated: false) == .none)
        }
    }
}

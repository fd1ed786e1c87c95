// SPDX-License-Identifier: Apache-2.0

import CumulusTesting
import HTTPTypes
import Synchronization
import TestSupport
import Testing

@testable import CumulusCore

/// The loop of attempts: what sends a request again, and the record of each attempt.
@Suite(.timeLimit(.minutes(10))) struct AttemptTests {
    /// Answers a 401 once, with a token from its body.
    private final class Answering: Authorizer {
        private let token = Mutex<String?>(nil)

        func authorize(_ request: inout EncodedRequest) async throws {
            request.headers[.authorization] = token.withLock(\.self)
        }

        func respond(to challenge: AuthorizationChallenge) async throws -> ChallengeDisposition {
            guard challenge.attempt == 1 else { return .giveUp }
            token.withLock { $0 = String(decoding: challenge.body.bytes, as: UTF8.self) }
            return .again
        }
    }

    /// Two retries, each after the given delay.
    private static func repeating(after delay: Duration = .zero) -> RetryPolicy {
        RetryPolicy(backoff: RetryBackoff(base: delay, cap: delay, jitter: { 1 }))
    }

    private func site(_ answer: @escaping @Sendable (StubRequest) -> StubResponse) -> (Resource, StubTransport) {
        let transport = StubTransport { answer($0) }
        return (Resource("http://a.example", transport: transport.watched), transport)
    }

    @Test("a follow-up answers a 401 once, with a value from the body, and each attempt is recorded")
    func challenged() async throws {
        let (site, transport) = site { request in
            request.headers[.authorization] == "key" ? .text("in") : .text("key", status: .unauthorized)
        }
        site.setRules {
            $0.authorizers = [.custom(Answering())]
            $0.maxConcurrentRequests = 1
        }
        let response = try await site.get()
        #expect(response.text == "in")
        #expect(response.attempts.map(\.reason) == [.call, .challenge])
        #expect(response.attempts.map(\.code) == [401, 200])
        #expect(response.history.isEmpty)
        #expect(transport.requests.count == 2)
    }

    @Test("a follow-up that gives up leaves the response and its body unchanged", arguments: [3, 70_000, 200_000])
    func givenUp(count: Int) async throws {
        let body = String(repeating: "x", count: count)
        let (site, _) = site { _ in .text(body, status: .unauthorized) }
        site.setRules {
            $0.authorizers = [.custom(Answering())]
            $0.maxConcurrentRequests = 1
        }
        let response = try await site.get()
        #expect(response.status == .unauthorized)
        #expect(response.text == String(body.prefix(65_536)))
        #expect(response.isBodyComplete == (count <= 65_536))
        #expect(response.attempts.map(\.code) == [401, 401])
        #expect(try await site.get().status == .unauthorized)
    }

    @Test("a failure is repeated, and the final error lists all attempts")
    func failures() async throws {
        let (site, transport) = site { request in
            request.number < 3 ? .failure(TransportFailure(.connect, "nobody there")) : .text("ok")
        }
        site.setRules { $0.retry = AttemptTests.repeating() }
        let response = try await site.get()
        #expect(response.attempts.map(\.reason) == [.call, .retry, .retry])
        #expect(response.attempts.map(\.code) == [nil, nil, 200])
        #expect(transport.requests.count == 3)

        let (dead, _) = self.site { _ in .failure(TransportFailure(.connect, "nobody there")) }
        dead.setRules { $0.retry = AttemptTests.repeating() }
        let error = try await failure { try await dead.get() }
        #expect(error.code == .connect)
        #expect(error.attempts.map(\.reason) == [.call, .retry, .retry])
    }

    @Test("a redirect's attempt is recorded, and the order is challenge, redirect, retry")
    func mixed() async throws {
        let (site, _) = site { request in
            switch (request.path, request.number) {
            case ("/a", _): .response(.found, headers: [.location: "/b"])
            case ("/b", 2): .response(.serviceUnavailable)
            case ("/b", 3): .text("key", status: .unauthorized)
            default: .text("ok")
            }
        }
        site.setRules {
            $0.authorizers = [.custom(Answering())]
            $0.retry = AttemptTests.repeating()
        }
        let response = try await site["a"].get()
        #expect(response.attempts.map(\.reason) == [.call, .redirect, .retry, .challenge])
        #expect(response.history.count == 1)
    }

    @Test("a once-only body is never repeated: the caller gets the response or the failure")
    func onceOnly() async throws {
        let (site, transport) = site { _ in .response(.serviceUnavailable) }
        site.setRules { $0.retry = AttemptTests.repeating() }
        let chunks = AsyncStream<[UInt8]> { continuation in
            continuation.yield([1])
            continuation.finish()
        }
        #expect(try await site.put(.stream(chunks)).status == .serviceUnavailable)
        #expect(transport.requests.count == 1)
    }

    @Test("a pause waits on the resource's clock, and a cancellation from outside ends it")
    func pauses() async throws {
        let clock = ManualClock()
        let (site, transport) = site { $0.number == 1 ? .response(.serviceUnavailable) : .text("ok") }
        site.setRules {
            $0.retry = AttemptTests.repeating(after: .seconds(5))
            $0.clock = clock
            $0.timeout = nil
        }
        let one = Task { try await site.get() }
        try await clock.waitForSleepers()
        clock.advance(by: .seconds(5))
        #expect(try await one.value.text == "ok")
        #expect(transport.requests.count == 2)

        let (other, _) = self.site { _ in .response(.serviceUnavailable) }
        other.setRules {
            $0.retry = AttemptTests.repeating(after: .seconds(5))
            $0.clock = clock
            $0.timeout = nil
        }
        let two = Task { try await other.get() }
        try await clock.waitForSleepers()
        other.cancelAll()
        let result = await two.result
        #expect(throws: CancellationError.self) { try result.get() }
    }

    @Test("the answer to a challenge stays at its origin after a redirect or a link", arguments: [true, false])
    func secretsStay(isLink: Bool) async throws {
        let (site, transport) = site { request in
            request.request.origin.host == "a.example"
                ? .response(.found, headers: [.location: "http://b.example/"]) : .text("key", status: .unauthorized)
        }
        site.setRules { $0.authorizers = [.custom(Answering())] }
        #expect(try await (isLink ? site.follow("http://b.example/") : site).get().status == .unauthorized)
        #expect(transport.requests.allSatisfy { $0.headers[.authorization] == nil })
    }

    @Test("a response's description of its attempts contains no secret")
    func redacted() async throws {
        let (site, _) = site { _ in .text("ok") }
        site.setRules { $0.query["token"] = "hunter2" }
        let attempts = try await site.get().attempts
        #expect(attempts.count == 1)
        #expect(!"\(attempts)".contains("hunter2"))
    }

    private static let repetitions: [(AttemptRecord.Reason, StubResponse)] = [
        (.staleConnection, .failure(broken(.connectionClosed, .unknown))),
        (.unprocessed, .failure(broken(.connectionClosed, .unprocessed))),
        (.misdirected, .status(HTTPResponse.Status(code: 421))),
    ]

    private static func broken(_ kind: TransportFailure.Kind, _ fate: TransportFailure.Fate) -> TransportFailure {
        var failure = TransportFailure(kind, "it broke", fate: fate)
        failure.connectionHadServed = true
        return failure
    }

    @Test("`never` turns off repetitions within an attempt, a limit of 0 doesn't", arguments: repetitions)
    func never(reason: AttemptRecord.Reason, first: StubResponse) async throws {
        for policy in [RetryPolicy.never, nil] {
            let (site, transport) = site { $0.number == 1 ? first : .text("x") }
            _ = try? await site.with { $0.retry = policy }.get()
            #expect(transport.requests.count == 1)
        }
        let (site, _) = site { $0.number == 1 ? first : .text("x") }
        let response = try await site.with { $0.retry = RetryPolicy(limit: 0) }.get()
        #expect(response.text == "x" && response.attempts.map(\.reason) == [.call, reason])
    }

    @Test("a request that may have arrived before its last exchange is not retried if the policy excludes its method")
    func arrivedBefore() async throws {
        let (site, transport) = self.site { request in
            let isFirst = request.number == 1
            var failure = TransportFailure(.connectionClosed, "it broke", fate: isFirst ? .unknown : .unsent)
            failure.connectionHadServed = isFirst
            return .failure(failure)
        }
        site.setRules { $0.retry = RetryPolicy(methods: [], backoff: RetryBackoff(base: .zero)) }
        let error = try await failure { try await site.get() }
        #expect(error.attempts.map(\.reason) == [.call, .staleConnection])
        #expect(error.attempts.last?.retry?.obstacle == .method(.get))
        #expect(transport.requests.count == 2)
    }
}

extension AttemptRecord {
    fileprivate var code: Int? { if case .responded(let status) = outcome { status.code } else { nil } }
}

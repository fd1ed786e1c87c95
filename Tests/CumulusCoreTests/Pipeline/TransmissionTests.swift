// SPDX-License-Identifier: Apache-2.0

import CumulusTesting
import HTTPTypes
import Synchronization
import TestSupport
import Testing

@testable import CumulusCore

/// Transmission: the transport's input, and its failures.
@Suite(.timeLimit(.minutes(10))) struct TransmissionTests {
    /// Records its requests, and responds with the statuses in order, then with 200.
    private final class Keeping: Transport {
        private let state: Mutex<(requests: [TransportRequest], statuses: [HTTPResponse.Status])>

        init(_ statuses: [HTTPResponse.Status] = []) { state = Mutex(([], statuses)) }

        var capabilities: TransportCapabilities { TransportCapabilities() }
        var requests: [TransportRequest] { state.withLock(\.requests) }

        func identity(at origin: Origin) -> TransportIdentity { .anonymous }

        func send(_ request: TransportRequest) async throws -> TransportResponse {
            let status = state.withLock { state -> HTTPResponse.Status in
                state.requests.append(request)
                return state.statuses.isEmpty ? .ok : state.statuses.removeFirst()
            }
            return TransportResponse(head: ResponseHead(status: status), body: ResponseBody(complete: .empty))
        }
    }

    @Test func theTransportGetsTheLimitsOfTheSettings() async throws {
        let (transport, clock) = (Keeping(), ManualClock())
        let site = Resource("https://a.example", transport: transport.watched) {
            $0.clock = clock
            $0.timeout = .seconds(7)
            $0.deadline = .seconds(9)
            $0.connectTimeout = .seconds(1)
            $0.poolTimeout = .seconds(2)
            $0.responseTimeout = .seconds(3)
        }
        try await site.get().requireSuccess()
        let deadlines = try #require(transport.requests.first?.deadlines)
        #expect((deadlines.connect, deadlines.poolWait) == (.seconds(1), .seconds(2)))
        #expect((deadlines.response, deadlines.idle) == (.seconds(3), .seconds(7)))
        #expect(deadlines.minimumRate == nil)
        #expect(deadlines.end?.instant == clock.now + .seconds(9))
    }

    @Test("a server that processes nothing gets a request four times")
    func mostRepetitions() async throws {
        let refusal = TransportFailure(.connectionClosed, "refused", fate: .unprocessed)
        let transport = StubTransport { _ in .failure(refusal) }
        let site = Resource("https://a.example", transport: transport.watched) {
            $0.retry = RetryPolicy(limit: 0)
        }
        let error = try await failure { try await site.get() }
        #expect(error.attempts.count == 4 && transport.requests.count == 4)
    }

    @Test("what went out again before a redirect that is refused is in the record of the error")
    func refusedRedirects() async throws {
        let transport = StubTransport { request in
            request.number == 2 ? .response(.misdirectedRequest) : .response(.found, headers: [.location: "/"])
        }
        let site = Resource("https://a.example", transport: transport.watched) { $0.redirects.limit = 1 }
        let error = try await failure { try await site.get() }
        #expect(error.code == .tooManyRedirects && transport.requests.count == 3)
        #expect(error.attempts.map(\.reason) == [.call, .redirect, .misdirected])
    }

    @Test func onlyDownloadsHaveALeastRateOfTheirOwn() async throws {
        let transport = Keeping()
        let site = Resource("https://a.example", transport: transport.watched)
        _ = try await site.download(to: .temporary)
        #expect(transport.requests.last?.deadlines.minimumRate == MinimumRate(bytesPerSecond: 1))
        site.setRules { $0.minimumRate = MinimumRate.none }
        _ = try await site.download(to: .temporary)
        #expect(transport.requests.last?.deadlines.minimumRate == MinimumRate.none)
    }

    @Test func aQuestionThatIsNotTakenIsLeftOutOnceWithTheBodySentAgain() async throws {
        let transport = Keeping([.expectationFailed])
        let site = Resource("https://a.example", transport: transport.watched) { $0.expectsContinue = .seconds(1) }
        #expect(try await site.post(.text("x")).status == .ok)
        #expect(transport.requests.map(\.expectsContinue) == [.seconds(1), nil])
        let stubborn = Keeping([.expectationFailed, .expectationFailed, .expectationFailed])
        let other = Resource("https://a.example", transport: stubborn.watched) { $0.expectsContinue = .seconds(1) }
        #expect(try await other.post(.text("x")).status == .expectationFailed)
        #expect(stubborn.requests.count == 2)
        #expect(try await other.get().status == .expectationFailed)
        #expect(stubborn.requests.count == 3, "without a body there was no question")
    }

    @Test("a server that isn't the one to ask is asked once more, over another connection")
    func misdirected() async throws {
        let transport = Keeping([.misdirectedRequest])
        let site = Resource("https://a.example", transport: transport.watched) { $0.maxConcurrentRequests = 1 }
        let response = try await site.post(.text("x"))
        #expect(response.status == .ok)
        #expect(response.attempts.map(\.reason) == [.call, .misdirected])
        #expect(response.attempts.map(\.number) == [1, 2])
        #expect(transport.requests.map(\.connection) == [.any, .new])
        let stubborn = Keeping([.misdirectedRequest, .misdirectedRequest, .misdirectedRequest])
        let other = Resource("https://a.example", transport: stubborn.watched) { $0.maxConcurrentRequests = 1 }
        #expect(try await other.post(.text("x")).status == .misdirectedRequest)
        #expect(stubborn.requests.count == 2)
    }

    @Test("an attempt that was refused hundreds of times keeps the first and the last records")
    func manyRefusals() async throws {
        let count = Mutex(0)
        let transport = StubTransport { _ in
            let number = count.withLock { count in
                count += 1
                return count
            }
            if number == 500 { return .text("ok") }
            var failure = TransportFailure(.connectionClosed, "refused \(number)", fate: .unprocessed)
            failure.connectionHadServed = true
            return .failure(failure)
        }
        let response = try await Resource("https://a.example", transport: transport.watched).post(.text("x"))
        #expect(response.attempts.count == 33)
        #expect(response.attempts.map(\.number).prefix(9) == [1, 2, 3, 4, 5, 6, 7, 8, 476])
        #expect(response.attempts.last?.reason == .unprocessed && response.attempts.last?.number == 500)
    }

    @Test func errorsShowTheRequestAsItWasBeforeItsProof() async throws {
        let transport = StubTransport { _ in .failure(TransportFailure(.connect, "no way")) }
        let site = Resource("https://a.example", transport: transport.watched) { $0.authorizers = [.bearer("secret")] }
        let error = try #require(await #expect(throws: CumulusError.self) { try await site.get() })
        #expect(transport.lastRequest?.headers[.authorization] == "Bearer secret")
        #expect(error.request?.headers[.authorization] == nil)
        #expect(error.stage == .transmission)
    }

    @Test func anAsteriskIsATargetForOptionsOnly() async throws {
        struct Targeting: Sendable {
            func intercept(_ request: EncodedRequest, next: InterceptorChain) async throws -> TransportResponse {
                var changed = request
                changed.target = "*"
                return try await next(changed)
            }
        }
        let transport = Keeping()
        let site = Resource("https://a.example", transport: transport.watched) {
            $0.interceptors = [Targeting().intercept]
        }
        try await site.options().requireSuccess()
        await #expect(throws: CumulusError.self) { try await site.get() }
        #expect(transport.requests.map(\.target) == ["*"])
    }
}

// SPDX-License-Identifier: Apache-2.0

import CumulusTesting
import HTTPTypes
import Synchronization
import TestSupport
import Testing

@testable import CumulusCore

/// Where a request enters again: at the wire, at its proof, or as another attempt.
///
/// At a limit of one request, with hooks that send requests of their own through the same tree, each of them goes on.
@Suite(.timeLimit(.minutes(10))) struct EntryTests {
    /// Numbers its proofs, each after a request of its own.
    private final class Counting: Authorizer {
        let hasSingleUseCredentials: Bool
        private let count = Mutex(0)
        private let ask: @Sendable (Int) async throws -> Void

        init(hasSingleUseCredentials: Bool, ask: @escaping @Sendable (Int) async throws -> Void = { _ in }) {
            self.hasSingleUseCredentials = hasSingleUseCredentials
            self.ask = ask
        }

        func authorize(_ request: inout EncodedRequest) async throws {
            let number = count.withLock { count in
                count += 1
                return count
            }
            try await ask(number)
            request.headers[.authorization] = "proof \(number)"
        }
    }

    /// How the first exchange ends.
    enum End: CaseIterable {
        case misdirected, expectation, requestTimeout, closedUnread, closedUnknown, unprocessed

        /// Whether the server may have seen the proof.
        var isSeen: Bool { self != .closedUnread }

        var answer: StubResponse {
            switch self {
            case .misdirected: .response(.misdirectedRequest)
            case .expectation: .response(.expectationFailed)
            case .requestTimeout: .failure(failure(.connectionClosed, .unknown))
            case .closedUnread: .failure(failure(.connectionClosed, .unsent))
            case .closedUnknown: .failure(failure(.connectionClosed, .unknown))
            case .unprocessed: .failure(failure(.connectionClosed, .unprocessed))
            }
        }

        private func failure(_ kind: TransportFailure.Kind, _ fate: TransportFailure.Fate) -> TransportFailure {
            var failure = TransportFailure(kind, "it ended", fate: fate)
            failure.connectionHadServed = true
            return failure
        }
    }

    private func transport(_ end: End) -> StubTransport {
        let hasEnded = Atomic(false)
        return StubTransport { request in
            if request.path == "/token" { return .text("T") }
            return hasEnded.exchange(true, ordering: .relaxed) ? .text("in") : end.answer
        }
    }

    /// A resource of the same tree that takes a slot, and no hook.
    private func token(of site: Resource) -> Resource {
        let token = site["token"]
        token.setRules { rules in
            rules.interceptors = .replacing([])
            rules.authorizers = .replacing([])
        }
        return token
    }

    @Test(
        "a proof that is good once is made again if the server may have seen it, with the slot given back; any other stays",
        arguments: End.allCases,
        [true, false]
    )
    func proofs(end: End, hasSingleUseCredentials: Bool) async throws {
        let transport = transport(end)
        let site = Resource("http://a.example", transport: transport.watched) { rules in
            rules.maxConcurrentRequests = 1
            rules.expectsContinue = .seconds(1)
            rules.rateLimit = .requests(1_000, per: .seconds(1), burst: 1_000)
        }
        let token = token(of: site)
        let attempts = Atomic(0)
        site.setRules { rules in
            let authorizer = Counting(hasSingleUseCredentials: hasSingleUseCredentials) { _ in _ = try await token.get()
            }
            rules.authorizers = [.custom(authorizer)]
            rules.interceptors.append { request, next in
                attempts.add(1, ordering: .relaxed)
                _ = try await token.get()
                return try await next(request)
            }
        }
        let response = try await site["me"].put(.text("x"))
        #expect(response.text == "in" && response.attempts.count == 2)
        #expect(attempts.load(ordering: .relaxed) == 1, "the interceptors see nothing of it")
        let sent = transport.requests.filter { $0.path == "/me" }.map { $0.headers[.authorization] }
        #expect(sent == ["proof 1", hasSingleUseCredentials && end.isSeen ? "proof 2" : "proof 1"])
        #expect(response.attempts.allSatisfy { $0.request.headers[.authorization] == nil })
        // The slot is free again.
        #expect(try await site["me"].get().text == "in")
    }

    @Test(
        "a request that enters at its proof takes a turn of the rate limit, one at the wire none",
        arguments: [true, false]
    )
    func turns(hasSingleUseCredentials: Bool) async throws {
        let (transport, clock) = (transport(.misdirected), ManualClock())
        let site = Resource("http://a.example", transport: transport.watched) { rules in
            rules.clock = clock
            rules.rateLimit = .requests(1, per: .seconds(10))
            rules.authorizers = [.custom(Counting(hasSingleUseCredentials: hasSingleUseCredentials))]
        }
        let task = Task { try await site.get() }
        if hasSingleUseCredentials {
            try await clock.waitForSleepers()
            #expect(clock.timeToNextSleeper == .seconds(10) && transport.requests.count == 1)
            clock.advance(by: .seconds(10))
        }
        #expect(try await task.value.text == "in" && transport.requests.count == 2)
    }

    @Test("the response is examined, and a challenge answered, by the proof that was sent last")
    func laterStages() async throws {
        final class Examining: Authorizer {
            let hasSingleUseCredentials = true
            let seen = Mutex<[String?]>([])
            private let count = Mutex(0)
            func authorize(_ request: inout EncodedRequest) async throws {
                let number = count.withLock { count in
                    count += 1
                    return count
                }
                request.headers[.authorization] = "proof \(number)"
            }
            func examine(_ head: ResponseHead, of request: EncodedRequest) throws -> BodyCheck? {
                seen.withLock { $0.append(request.headers[.authorization]) }
                return nil
            }
            func respond(to challenge: AuthorizationChallenge) async throws -> ChallengeDisposition {
                seen.withLock { $0.append(challenge.request.headers[.authorization]) }
                return .giveUp
            }
        }
        for hasInterceptor in [true, false] {
            let transport = StubTransport { request in
                .response(request.number == 1 ? .misdirectedRequest : .unauthorized)
            }
            let examining = Examining()
            let shown = Mutex<[String?]>([])
            let site = Resource("http://a.example", transport: transport.watched) { rules in
                rules.authorizers = [.custom(examining)]
                if hasInterceptor { rules.interceptors.append { request, next in try await next(request) } }
                rules.observers.append { event in
                    guard case .sending(let request) = event.kind else { return }
                    shown.withLock { $0.append(request.headers[.authorization]) }
                }
            }
            #expect(try await site.get().status == .unauthorized)
            #expect(examining.seen.withLock(\.self) == ["proof 2", "proof 2"])
            #expect(shown.withLock(\.self).count == 2)
        }
    }

    @Test("a proof that can't be made again ends the call, with a record of what was sent, and frees the slot")
    func failingProof() async throws {
        struct NoMore: Error {}
        let transport = transport(.misdirected)
        let site = Resource("http://a.example", transport: transport.watched) { rules in
            rules.maxConcurrentRequests = 1
            rules.authorizers = [
                .custom(Counting(hasSingleUseCredentials: true) { number in if number == 2 { throw NoMore() } })
            ]
        }
        let error = try await failure { try await site.get() }
        #expect(error.code == .authorization && error.cause is NoMore, "\(error)")
        #expect(error.attempts.first?.reason == .call)
        guard case .responded(.misdirectedRequest) = error.attempts.first?.outcome else {
            Issue.record("\(error.attempts)")
            return
        }
        #expect(try await site.get().text == "in")
    }

    @Test("a call that is cancelled while its proof is made again leaves the slot free")
    func cancelled() async throws {
        let (transport, gate) = (transport(.misdirected), Gate())
        let site = Resource("http://a.example", transport: transport.watched) { rules in
            rules.maxConcurrentRequests = 1
            rules.authorizers = [
                .custom(Counting(hasSingleUseCredentials: true) { number in if number == 2 { try await gate.wait() } })
            ]
        }
        let task = Task { try await site.get() }
        try await eventually { gate.waiterCount == 1 }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        gate.open()
        #expect(try await site.get().text == "in")
        #expect(site.runningCalls.isEmpty)
    }

    @Test("a deadline that passes while the proof is made again leaves the record of what was sent before")
    func overdue() async throws {
        let (transport, clock, gate) = (transport(.misdirected), ManualClock(), Gate())
        let site = Resource("http://a.example", transport: transport.watched) { rules in
            rules.clock = clock
            rules.authorizers = [
                .custom(Counting(hasSingleUseCredentials: true) { number in if number == 2 { try await gate.wait() } })
            ]
        }
        let call = site.call(.get).with { $0.deadline = .seconds(10) }
        let task = Task { try await call.send() }
        try await eventually { gate.waiterCount == 1 }
        clock.advance(by: .seconds(10))
        let error = try await failure { try await task.value }
        #expect(error.code == .timeout && error.phase == .total)
        #expect(error.attempts.map(\.reason) == [.call, .misdirected], "\(error.attempts)")
        gate.open()
    }

    @Test("what an interceptor has left behind sends nothing after it has returned", arguments: [true, false])
    func late(isRenewed: Bool) async throws {
        let gate = Gate()
        let transport = StubTransport { request in
            request.number == 1 && isRenewed ? .response(.misdirectedRequest) : .text("in")
        }
        let late = Mutex<Task<String, Never>?>(nil)
        let site = Resource("http://a.example", transport: transport.watched) { rules in
            rules.authorizers = [
                .custom(
                    Counting(hasSingleUseCredentials: true) { if $0 == (isRenewed ? 2 : 1) { try await gate.wait() } }
                )
            ]
            rules.interceptors.append { request, next in
                let task = Task {
                    do { return "\(try await next(request).head.status)" } catch { return "\(error)" }
                }
                late.withLock { $0 = task }
                try await eventually { gate.waiterCount == 1 }
                let body = ResponseBody(complete: ByteChunk("own"))
                return TransportResponse(head: ResponseHead(status: .ok), body: body)
            }
        }
        #expect(try await site.get().text == "own")
        gate.open()
        let outcome = await late.withLock(\.self)?.value
        #expect(transport.requests.count == (isRenewed ? 1 : 0))
        #expect(outcome?.contains("after the interceptor itself had returned") == true, "\(outcome ?? "")")
    }

    @Test("a body that can be sent once is not sent for a second `next`, which is told so")
    func onceOnly() async throws {
        let transport = StubTransport { _ in .text("in") }
        let told = Mutex<(any Error)?>(nil)
        let site = Resource("http://a.example", transport: transport.watched) { rules in
            rules.interceptors.append { request, next in
                let answer = try await next(request)
                do { _ = try await next(request) } catch { told.withLock { $0 = error } }
                return answer
            }
        }
        let body = AsyncStream<[UInt8]> { continuation in
            continuation.yield([7])
            continuation.finish()
        }
        let response = try await site.put(.stream(body))
        #expect(response.text == "in" && response.attempts.count == 1, "\(response.attempts)")
        #expect(transport.requests.count == 1)
        #expect((told.withLock(\.self) as? CumulusError)?.code == .requestBody)
    }

    @Test("the body of a refused request ends before the request is authorized again") func refusedBody() async throws {
        let transport = StubTransport { request in
            request.number == 1 ? .script([.chunk([7])], status: .misdirectedRequest) : .text("in")
        }
        let site = Resource("http://a.example", transport: transport.watched) { rules in
            rules.authorizers = [
                .custom(Counting(hasSingleUseCredentials: true) { #expect(transport.cancelledBodies == $0 - 1) })
            ]
        }
        #expect(try await site.get().text == "in")
    }

    @Test("no authorizer is called for a `next` that is called after its interceptor has returned")
    func lateNext() async throws {
        let kept = Mutex<(request: EncodedRequest, next: InterceptorChain)?>(nil)
        let count = Atomic(0)
        let transport = StubTransport { _ in .text("in") }
        let site = Resource("http://a.example", transport: transport.watched) { rules in
            rules.authorizers = [
                .custom(Counting(hasSingleUseCredentials: false) { _ in count.add(1, ordering: .relaxed) })
            ]
            rules.interceptors.append { request, next in
                kept.withLock { $0 = (request, next) }
                return try await next(request)
            }
        }
        try await site.get().requireSuccess()
        let sent = kept.withLock(\.self)
        let late = try #require(sent)
        await #expect(throws: AttemptIsOver.self) { try await late.next(late.request) }
        #expect(count.load(ordering: .relaxed) == 1 && transport.requests.count == 1)
    }

    @Test("an exchange that is refused no longer counts in a server's quota once the request is authorized again")
    func quota() async throws {
        let clock = ManualClock()
        let transport = StubTransport { request in
            if request.number == 1 { return .response(.misdirectedRequest) }
            let quota: Headers = ["X-RateLimit-Limit": "2", "X-RateLimit-Remaining": "1", "X-RateLimit-Reset": "30"]
            return .response(headers: quota)
        }
        let site = Resource("http://a.example", transport: transport.watched) { rules in
            (rules.clock, rules.timeout, rules.rateLimit) = (clock, nil, .quota)
            rules.authorizers = [.custom(Counting(hasSingleUseCredentials: true))]
        }
        try await site.get().requireSuccess()
        let second = Task { try await site.get() }
        try await eventually { transport.requests.count == 3 || clock.sleeperCount > 0 }
        #expect(transport.requests.count == 3)
        clock.advance(by: .seconds(30))
        try await second.value.requireSuccess()
    }
}

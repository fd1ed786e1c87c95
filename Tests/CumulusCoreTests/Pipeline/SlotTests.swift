// SPDX-License-Identifier: Apache-2.0

import CumulusTesting
import HTTPTypes
import Synchronization
import TestSupport
import Testing

@testable import CumulusCore

/// A slot is held from just before transmission to the body's end: hooks may send requests through the same tree.
@Suite(.timeLimit(.minutes(10))) struct SlotTests {
    private let transport = StubTransport { request in
        switch request.path {
        case "/token": .text("T")
        case "/big": .script(Array(repeating: .chunk([UInt8](repeating: 7, count: 50_000)), count: 10))
        default: request.headers[.authorization] == nil ? .text("who?", status: .unauthorized) : .text("in")
        }
    }

    private func site() -> Resource {
        let site = Resource("http://a.example", transport: transport.watched) { $0.maxConcurrentRequests = 1 }
        return site
    }

    private struct TokenAuthorizer: Authorizer {
        let fetch: @Sendable (EncodedRequest) async throws -> String
        func authorize(_ request: inout EncodedRequest) async throws {
            request.headers[.authorization] = try await fetch(request)
        }
    }

    private struct Hook: Sendable {
        let run: @Sendable (EncodedRequest, InterceptorChain) async throws -> TransportResponse
        func intercept(_ request: EncodedRequest, next: InterceptorChain) async throws -> TransportResponse {
            try await run(request, next)
        }
    }

    private func fetched(_ site: Resource) -> @Sendable (EncodedRequest) async throws -> String {
        let bare = site["token"]
        bare.setRules {
            $0.interceptors = .replacing([])
            $0.authorizers = .replacing([])
            $0.preflights = .replacing([])
            $0.responseProcessors = .replacing([])
            $0.validators = .replacing([])
            $0.postProcessors = .replacing([])
            $0.retry = nil
        }
        return { _ in try await bare.get(as: String.self) }
    }

    @Test("an authorizer fetches its token through the same tree at limit 1")
    func authorizers() async throws {
        let site = site()
        site.setRules { $0.authorizers = [.custom(TokenAuthorizer(fetch: fetched(site)))] }
        #expect(try await site["me"].get(as: String.self) == "in")
    }

    @Test("an interceptor sends requests at limit 1: before the attempt, and after it while holding the response")
    func interceptors() async throws {
        let site = site()
        let fetch = fetched(site)
        site.setRules {
            $0.interceptors = [
                Hook { request, next in
                    _ = try await fetch(request)
                    let answer = try await next(request)
                    guard answer.head.status == .unauthorized else { return answer }
                    var again = request
                    again.headers[.authorization] = try await fetch(request)
                    return try await next(again)
                }.intercept
            ]
        }
        #expect(try await site["me"].get(as: String.self) == "in")
        #expect(try await site["me"].get(as: String.self) == "in")
    }

    @Test("a response that an interceptor held waits in line behind requests that took the slot in the meantime")
    func readLater() async throws {
        let site = site()
        let fetch = fetched(site)
        site.setRules {
            $0.interceptors = [
                Hook { request, next in
                    let answer = try await next(request)
                    _ = try await fetch(request)
                    return answer
                }.intercept
            ]
        }
        #expect(try await site["big"].get().bytes.count == 500_000)
        #expect(try await site["big"].get().bytes.count == 500_000)
    }

    @Test("preflights, response processors, validators and post-processors send requests at limit 1")
    func otherHooks() async throws {
        let site = site()
        let fetch = fetched(site)
        let empty = EncodedRequest(method: .get, url: try RequestURL("http://a.example/"))
        site.setRules {
            $0.headers[.authorization] = "T"
            $0.preflights = [{ _ in _ = try await fetch(empty) }]
            $0.responseProcessors = [
                { response in
                    _ = try await fetch(empty)
                    return response
                }
            ]
            $0.validators = [{ _ in _ = try await fetch(empty) }]
            $0.postProcessors = [
                { value, _ in
                    _ = try await fetch(empty)
                    return value
                }
            ]
        }
        #expect(try await site["me"].get(as: String.self) == "in")
    }

    @Test("a retry rule sends requests at limit 1, whether the response is then delivered or requested again")
    func retryRules() async throws {
        let site = site()
        let fetch = fetched(site)
        let empty = EncodedRequest(method: .get, url: try RequestURL("http://a.example/"))
        let fetches = Mutex(0)
        site.setRules {
            $0.retry = RetryPolicy { question in
                guard (try? await fetch(empty)) == "T" else { return .stop }
                fetches.withLock { $0 += 1 }
                return question.retries == 0 && question.status == .unauthorized ? .again(after: .zero) : .proposed
            }
        }
        #expect(try await site["me"].get().attempts.map(\.reason) == [.call, .retry])
        #expect(try await site["big"].get().bytes.count == 500_000)
        #expect(fetches.withLock(\.self) == 3)
        #expect(site.snapshot.pipeline.attemptLoop.stages.limits?.limit.limiter?.counts.running == 0)
    }

    @Test("a streamed body holds its slot until it ends or is dropped")
    func streams() async throws {
        let site = site()
        var stream: ResponseStream? = try await site["big"].call(.get).stream()
        #expect(stream?.status == .ok)
        let second = Task { try await site["token"].get(as: String.self) }
        try await eventually { site.snapshot.pipeline.attemptLoop.stages.limits?.limit.limiter?.counts.waiting == 1 }
        stream = nil
        #expect(try await second.value == "T")
    }

    @Test("an interceptor repeats a request with a half-read first response at limit 1")
    func halfRead() async throws {
        let site = site()
        site.setRules {
            $0.interceptors = [
                Hook { request, next in
                    let answer = try await next(request)
                    _ = try await answer.body.next()
                    let second = try await next(request)
                    withExtendedLifetime(answer) {}
                    return second
                }.intercept
            ]
        }
        for _ in 0..<2 { #expect(try await site["big"].get().bytes.count == 500_000) }
        #expect(site.snapshot.pipeline.attemptLoop.stages.limits?.limit.limiter?.counts.running == 0)
        #expect(transport.cancelledBodies == 2)
    }

    /// Answers a 401 with the result of a request through the same tree.
    private final class Asking: Authorizer {
        let fetch: @Sendable () async throws -> String
        private let token = Mutex<String?>(nil)

        init(_ fetch: @escaping @Sendable () async throws -> String) { self.fetch = fetch }

        func authorize(_ request: inout EncodedRequest) async throws {
            request.headers[.authorization] = token.withLock(\.self)
        }

        func respond(to challenge: AuthorizationChallenge) async throws -> ChallengeDisposition {
            let fetched = try await fetch()
            token.withLock { $0 = fetched }
            return .again
        }
    }

    @Test("an authorizer sends requests at limit 1 to answer a challenge", arguments: [3, 200_000])
    func challenges(count: Int) async throws {
        let transport = StubTransport { request in
            if request.path == "/token" { return .text("T") }
            let isIn = request.headers[.authorization] == "T"
            return isIn ? .text("in") : .text(String(repeating: "x", count: count), status: .unauthorized)
        }
        let site = Resource("http://a.example", transport: transport.watched) { $0.maxConcurrentRequests = 1 }
        let token = site["token"]
        let me = site["me"].with { $0.authorizers.append(Asking { try await token.get(as: String.self) }) }
        #expect(try await me.get(as: String.self) == "in")
        #expect(site.snapshot.pipeline.attemptLoop.stages.limits?.limit.limiter?.counts.running == 0)
    }

    @Test("cancelling a stream reaches its reader in the line and after it", arguments: [true, false])
    func cancelledStreams(isInLine: Bool) async throws {
        let never = Gate()
        let transport = StubTransport { _ in .script([.chunk([1]), .gate(never)]) }
        let site = Resource("http://a.example", transport: transport.watched) {
            $0.maxConcurrentRequests = 1
            $0.interceptors = [Hook { try await $1($0) }.intercept]
        }
        let (one, two) = (try await site["1"].call(.get).stream(), try await site["2"].call(.get).stream())
        let first = one.makeAsyncIterator()
        #expect(try await first.next() != nil)
        let reader = Task { for try await _ in two {} }
        let gate = site.snapshot.pipeline.attemptLoop.stages.limits?.limit.limiter
        try await eventually { gate?.counts.waiting == 1 }
        if isInLine {
            two.cancel()
        } else {
            one.cancel()
            try await never.waitForWaiters()
            #expect(site.cancelAll() == 1)
        }
        await #expect(throws: CancellationError.self) { try await reader.value }
        one.cancel()
        #expect(try #require(gate?.counts) == (0, 0))
        #expect(site.runningCalls.isEmpty)
        #expect(transport.cancelledBodies == 2)
    }

    @Test("before a retry that user code has decided on, a refused body is cancelled instead of waiting for a slot")
    func refusedBodyDoesNotWait() async throws {
        let mayEnd = Gate()
        let transport = StubTransport { request in
            if request.path == "/other" {
                try await mayEnd.wait()
                return .text("other")
            }
            return request.number == 1
                ? .script([.chunk([UInt8](repeating: 1, count: 100_000)), .chunk([2])], status: .serviceUnavailable)
                : .text("again")
        }
        let site = Resource("http://a.example", transport: transport.watched)
        site.setRules { $0.maxConcurrentRequests = 1 }
        let other = Mutex<Task<String, any Error>?>(nil)
        var policy = RetryPolicy()
        policy.decide = { question in
            guard case .responded(.serviceUnavailable) = question.outcome else { return .proposed }
            // The slot is free while this runs, and another request takes it.
            other.withLock { $0 = Task { try await site["other"].get(as: String.self) } }
            try? await eventually { transport.requests.contains { $0.path == "/other" } }
            return .again(after: .zero)
        }
        let decided = policy
        let call = Task { try await site["x"].with { $0.retry = decided }.get(as: String.self) }
        // The other request still has the slot.
        try await eventually { transport.cancelledBodies == 1 }
        mayEnd.open()
        #expect(try await call.value == "again")
        let task = other.withLock(\.self)
        #expect(try await task?.value == "other")
    }
}

// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTestServer
import CumulusTesting
import HTTPTypes
import TestSupport
import Testing

@testable import CumulusOAuth

/// Waits for a token in calls without their own task: cancelling, from inside and outside, and deadlines.
@Suite(.timeLimit(.minutes(10))) struct UnguardedWaitTests {
    /// The bench over a transport that reports that it can be cancelled by itself, so that calls need no task.
    private func make() -> (OAuth2Bench, Resource, OAuth2Authorizer, Gate, StubTransport) {
        let bench = OAuth2Bench()
        let gate = Gate()
        var capabilities = TransportCapabilities()
        capabilities.attachesExchanges = true
        let transport = StubTransport(capabilities: capabilities) { routes in
            routes.on(.post, "/oauth/token") { request in
                let answer = bench.service.respond(to: request)
                try await gate.wait()
                return answer
            }
            routes.on(nil, "*") { request in
                bench.service.accepts(request.headers[.authorization]) ? .text("in") : .response(.unauthorized)
            }
        }
        let site = Resource("https://api.example.com", transport: transport.watched) { $0.clock = bench.clock }
        let authorizer = bench.authorizer(OAuth2Bench.password)
        site.setRules { $0.authorizers.append(authorizer) }
        return (bench, site, authorizer, gate, transport)
    }

    /// A token that exists, but is no longer valid.
    private func withRefusedToken() async throws -> (OAuth2Bench, Resource, OAuth2Authorizer, StubTransport) {
        let (bench, site, authorizer, gate, transport) = make()
        gate.open()
        try await site.get().requireSuccess()
        bench.service.expireAccessTokens()
        return (bench, site, authorizer, transport)
    }

    @Test func cancellingTheTaskEndsTheWait() async throws {
        let (_, site, authorizer, gate, _) = make()
        let call = Task { try await site.get() }
        try await eventually { authorizer.waiterCount == 1 }
        call.cancel()
        await #expect(throws: CancellationError.self) { _ = try await call.value }
        gate.open()
        try await site.get().requireSuccess()
    }

    @Test func cancellingFromOutsideEndsTheWait() async throws {
        let (_, site, authorizer, gate, transport) = make()
        let call = Task { try await site.get() }
        try await eventually { authorizer.waiterCount == 1 }
        site.cancelAll()
        await #expect(throws: CancellationError.self) { _ = try await call.value }
        gate.open()
        try await site.get().requireSuccess()
        #expect(transport.requests.filter { $0.path == "/oauth/token" }.count == 1)
    }

    @Test func theDeadlineEndsTheWait() async throws {
        let (bench, site, authorizer, gate, _) = make()
        let hurried = site.with { $0.deadline = .seconds(3) }
        let call = Task { try await hurried.get() }
        try await eventually { authorizer.waiterCount == 1 && bench.clock.timeToNextSleeper == .seconds(3) }
        bench.clock.advance(by: .seconds(3))
        let error = try await failure { try await call.value }
        #expect(error.code == .timeout && error.phase == .total)
        gate.open()
        try await site.get().requireSuccess()
    }

    @Test func aRefusedTokenIsReplacedWithoutATask() async throws {
        let (bench, site, _, transport) = try await withRefusedToken()
        #expect(try await site.get().text == "in")
        #expect(bench.service.count(of: "refresh_token") == 1)
        #expect(transport.requests.count == 5)
    }

    @Test func theDeadlineEndsTheWaitForAReplacement() async throws {
        let (bench, gate) = (OAuth2Bench(), Gate())
        var capabilities = TransportCapabilities()
        capabilities.attachesExchanges = true
        let transport = StubTransport(capabilities: capabilities) { routes in
            routes.on(.post, "/oauth/token") { request in
                if request.text.contains("refresh_token") { try await gate.wait() }
                return bench.service.respond(to: request)
            }
            routes.on(nil, "*") { request in
                bench.service.accepts(request.headers[.authorization]) ? .text("in") : .response(.unauthorized)
            }
        }
        let site = Resource("https://api.example.com", transport: transport.watched) { $0.clock = bench.clock }
        let authorizer = bench.authorizer(OAuth2Bench.password)
        site.setRules { $0.authorizers.append(authorizer) }
        try await site.get().requireSuccess()
        bench.service.expireAccessTokens()
        let hurried = site.with { $0.deadline = .seconds(3) }
        let call = Task { try await hurried.get() }
        try await eventually { authorizer.waiterCount == 1 && bench.clock.timeToNextSleeper == .seconds(3) }
        bench.clock.advance(by: .seconds(3))
        #expect(try await failure { try await call.value }.code == .timeout)
        let second = Task { try await site.get() }
        try await eventually { authorizer.waiterCount == 1 }
        site.cancelAll()
        await #expect(throws: CancellationError.self) { _ = try await second.value }
        gate.open()
        try await site.get().requireSuccess()
        #expect(bench.service.count(of: "refresh_token") == 1)
    }
}

// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTestServer
import CumulusTesting
import HTTPTypes
import Synchronization
import TestSupport
import Testing

@testable import CumulusOAuth

/// Refresh tokens that the server has replaced: none is lost, and none is sent again.
@Suite struct TokenRotationTests {
    /// A store that may be full.
    private final class FullStore: TokenStore {
        private struct Full: Error {}
        private let state = Mutex<(token: OAuth2Token?, isFull: Bool)>((nil, false))

        var isFull: Bool {
            get { state.withLock(\.isFull) }
            set { state.withLock { $0.isFull = newValue } }
        }

        func token() async throws -> OAuth2Token? { state.withLock(\.token) }

        func keep(_ token: OAuth2Token?) async throws {
            if isFull { throw Full() }
            put(token)
        }

        /// Writes as another process does.
        func put(_ token: OAuth2Token?) { state.withLock { $0.token = token } }
    }

    /// A server that answers token requests in this order, and a service that accepts only some tokens.
    private func site(
        _ answers: [String],
        accepting accepted: Set<String>
    ) -> (Resource, MemoryTokenStore, StubTransport, ManualClock) {
        let rest = Mutex(answers)
        let (clock, store) = (ManualClock(), MemoryTokenStore())
        let transport = StubTransport { routes in
            routes.on(.post, "/token") { _ in .json(rest.withLock { $0.isEmpty ? "{}" : $0.removeFirst() }) }
            routes.on(nil, "*") { request in
                accepted.contains(request.headers[.authorization] ?? "") ? .text("in") : .response(.unauthorized)
            }
        }
        let site = Resource("https://api.example.com", transport: transport.watched) {
            $0.clock = clock
            $0.authorizers.append(
                .oauth2(OAuth2Bench.password, tokens: "https://id.example.com/token", store: store)
            )
        }
        return (site, store, transport, clock)
    }

    private static let first = #"{"access_token":"a1","token_type":"Bearer","refresh_token":"r1"}"#

    @Test(
        "An odd lifetime or scope costs no token",
        arguments: [
            #""expires_in":3599.5"#, #""expires_in":"3599""#, #""expires_in":-1"#, #""expires_in":1e300"#,
            #""expires_in":true"#, #""scope":["a","b"]"#, #""scope":7"#,
        ]
    )
    func oddAnswers(member: String) async throws {
        let second = #"{"access_token":"a2","token_type":"Bearer","refresh_token":"r2",\#(member)}"#
        let (site, store, transport, _) = site([Self.first, second], accepting: ["Bearer a2"])
        #expect(try await site.get().text == "in")
        #expect(store.token()?.refresh == "r2" && store.token()?.access == "a2")
        if member.contains("[") { #expect(store.token()?.scope == "a b") }
        #expect(transport.requests.filter { $0.path == "/token" }.count == 2)
    }

    @Test(
        "The next refresh token of an answer whose access token is useless is kept",
        arguments: [#""access_token":"a b","token_type":"Bearer""#, #""access_token":"a2","token_type":7"#, #""x":1"#]
    )
    func uselessAnswers(members: String) async throws {
        let third = #"{"access_token":"a3","token_type":"Bearer","refresh_token":"r3"}"#
        let answers = [Self.first, #"{"refresh_token":"r2",\#(members)}"#, third]
        let (site, store, transport, clock) = site(answers, accepting: ["Bearer a3"])
        let error = try await failure { try await site.get() }
        #expect((error.cause as? OAuth2Error)?.code == .malformedResponse)
        #expect(store.token()?.refresh == "r2")
        clock.advance(by: .seconds(2))
        #expect(try await site.get().text == "in")
        let sent = transport.requests.filter { $0.path == "/token" }.map(\.text)
        #expect(sent.count == 3 && sent.last?.contains("refresh_token=r2") == true)
    }

    @Test("A token that the store failed to keep is used, and not the older one in the store")
    func unkeptTokens() async throws {
        let (bench, store) = (OAuth2Bench(), FullStore())
        bench.site.setRules { $0.authorizers.append(bench.authorizer(OAuth2Bench.password, store: store)) }
        try await bench.site.get().requireSuccess()
        store.isFull = true
        for _ in 0..<3 {
            bench.service.expireAccessTokens()
            bench.clock.advance(by: .seconds(10))
            try await bench.site.get().requireSuccess()
        }
        #expect(bench.service.count(of: "refresh_token") == 3 && bench.service.reuses == 0)
        #expect(bench.service.count(of: "password") == 1)
        #expect(bench.events.names == ["renewed", "notStored", "notStored", "notStored"])
        store.isFull = false
        bench.service.expireAccessTokens()
        bench.clock.advance(by: .seconds(10))
        try await bench.site.get().requireSuccess()
        #expect(try await store.token()?.refresh == "refresh-5" && bench.service.reuses == 0)
    }

    @Test("What another process stores later is used instead of a token that the store failed to keep")
    func laterTokens() async throws {
        let (bench, store, others) = (OAuth2Bench(), FullStore(), MemoryTokenStore())
        bench.site.setRules { $0.authorizers.append(bench.authorizer(OAuth2Bench.password, store: store)) }
        try await bench.site.get().requireSuccess()
        store.isFull = true
        bench.service.expireAccessTokens()
        #expect(try await bench.site.get().text == "Bearer access-2")
        bench.service.expireAccessTokens()
        bench.clock.advance(by: .seconds(10))
        let other = Resource("https://api.example.com", transport: bench.transport.watched) {
            $0.authorizers.append(bench.authorizer(OAuth2Bench.password, store: others))
        }
        #expect(try await other.get().text == "Bearer access-3")
        store.put(others.token())
        #expect(try await bench.site.get().text == "Bearer access-3")
        #expect(bench.service.count(of: "refresh_token") == 1)
    }
}

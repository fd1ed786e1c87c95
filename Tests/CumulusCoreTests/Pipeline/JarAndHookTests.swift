// SPDX-License-Identifier: Apache-2.0

import CumulusTesting
import HTTPTypes
import TestSupport
import Testing

@testable import CumulusCore

/// The jar and interceptors add to each attempt.
@Suite(.timeLimit(.minutes(10))) struct JarAndHookTests {
    private struct Adding: Sendable {
        static let key = HTTPField.Name("X-Key") ?? .eTag

        func intercept(_ request: EncodedRequest, next: InterceptorChain) async throws -> TransportResponse {
            var changed = request
            changed.headers[Adding.key] = "k"
            changed.headers[.cookie] = "hook=1"
            return try await next(changed)
        }
    }

    @Test("additions by a hook or a jar before a hop are not sent; the jar's cookies for the new origin are")
    func jarsAndHops() async throws {
        let transport = StubTransport { request in
            switch request.url {
            case "https://a.example/login": .response(headers: [.setCookie: "a=1"])
            case "https://b.example/login": .response(headers: [.setCookie: "b=1"])
            case "https://a.example/hop": .response(.found, headers: [.location: "https://b.example/there"])
            default: .text("there")
            }
        }
        let jar = CookieJar()
        let (one, two) = (
            Resource("https://a.example", transport: transport.watched),
            Resource("https://b.example", transport: transport.watched)
        )
        for site in [one, two] {
            site.setRules { $0.cookies = jar }
            try await site["login"].get().requireSuccess()
        }
        one.setRules { $0.interceptors = [Adding().intercept] }
        #expect(try await one["hop"].get().text == "there")
        let sent = transport.requests.suffix(2)
        #expect(sent.first?.headers[.cookie] == "hook=1; a=1")
        #expect(sent.first?.headers[Adding.key] == "k")
        #expect(sent.last?.url == "https://b.example/there")
        #expect(sent.last?.headers[.cookie] == "b=1")
        #expect(sent.last?.headers[Adding.key] == nil)
    }

    @Test func aRehearsalShowsWhatTheJarAddsAndDisturbsNobody() async throws {
        let gate = Gate()
        let transport = StubTransport { request in
            if request.path == "/slow" { try await gate.wait() }
            return .response(headers: [.setCookie: "a=1"])
        }
        let site = Resource("https://a.example", transport: transport.watched) { $0.cookies = CookieJar() }
        try await site.get().requireSuccess()
        let slow = site["slow"].keyed(.replacing("one"))
        let running = Task { try await slow.get() }
        try await gate.waitForWaiters()
        #expect(try await slow.call(.get).curl(includingSecrets: true).contains("a=1"))
        gate.open()
        #expect(try await running.value.status == .ok)
        #expect(transport.requests.count == 2)
        #expect(site.runningCalls.isEmpty)
    }
}

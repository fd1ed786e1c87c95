// SPDX-License-Identifier: Apache-2.0

import CumulusTesting
import HTTPTypes
import Synchronization
import Testing

@testable import CumulusCore

/// Substitutes for a cache, around the attempts, and for a cookie jar, inside each.
@Suite(.timeLimit(.minutes(1))) struct StandInTests {
    /// Responds with stored responses, and stores received ones.
    private final class Shelf: AnswerStore {
        private let kept = Mutex<[String: String]>([:])
        let isFailing: Bool

        init(isFailing: Bool = false) { self.isFailing = isFailing }

        struct Broken: Error {}

        func open(_ request: EncodedRequest) async throws -> StoreOpening {
            guard let text = kept.withLock({ $0[request.target] }) else { return .ask(request) }
            let head = ResponseHead(status: .ok, headers: [.eTag: "\"kept\""])
            return .answer(TransportResponse(head: head, body: ResponseBody(complete: ByteChunk(Array(text.utf8)))))
        }

        func close(
            _ answer: TransportResponse,
            to request: EncodedRequest,
            redirected: Bool
        ) async throws -> TransportResponse {
            if isFailing { throw Broken() }
            kept.withLock { $0[request.target] = "kept \(answer.head.status.code)\(redirected ? " redirected" : "")" }
            return answer
        }
    }

    private struct Adding: Interceptor {
        static let key = HTTPField.Name("X-Key") ?? .eTag

        func intercept(_ request: EncodedRequest, next: Attempt) async throws -> TransportResponse {
            var changed = request
            changed.headers[Adding.key] = "k"
            changed.headers[.cookie] = "hook=1"
            return try await next(changed)
        }
    }

    @Test func aStoreAnswersInTheServersPlaceAndSeesTheEndOfRedirects() async throws {
        let transport = StubTransport { request in
            request.path == "/old" ? .response(.found, headers: [.location: "/new"]) : .text("from the server")
        }
        let site = Resource("https://a.example", transport: transport)
        site.cache = Shelf()
        site.interceptors = [Adding()]
        #expect(try await site["old"].get().text == "from the server")
        #expect(try await site["old"].get().text == "kept 200 redirected")
        #expect(try await site["new"].get().text == "from the server")
        #expect(try await site["new"].get(as: String.self) == "kept 200")
        #expect(transport.requests.count == 3)
        var text = ""
        for try await chunk in try await site["new"].bytes() { text += String(decoding: chunk.bytes, as: UTF8.self) }
        #expect(text == "kept 200")
        #expect(transport.requests.count == 3)
    }

    @Test func conditionsStandAroundTheCacheAndSeeWhatItAnswers() async throws {
        let site = Resource("https://a.example", transport: StubTransport { _ in .text("new") })
        site.cache = Shelf()
        site.tracksRevisions = true
        try await site["x"].get().requireSuccess()
        try await site["x"].get().requireSuccess()
        #expect(try await site["x"].curl().contains("\"kept\""))
    }

    @Test func aStoreThatFailsLeavesNoExchangeOpen() async throws {
        let gate = Gate()
        let transport = StubTransport { _ in .script([.chunk([1]), .gate(gate)]) }
        let site = Resource("https://a.example", transport: transport)
        site.cache = Shelf(isFailing: true)
        site.maxConcurrentRequests = 1
        for _ in 0..<2 { await #expect(throws: (any Error).self) { try await site.get() } }
        #expect(transport.cancelledBodies == 2)
        #expect(site.runningRequests.isEmpty)
    }

    @Test("T-08: additions by a hook or a jar before a hop are not sent; the jar's cookies for the new origin are")
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
            Resource("https://a.example", transport: transport), Resource("https://b.example", transport: transport)
        )
        for site in [one, two] {
            site.cookies = jar
            try await site["login"].get().requireSuccess()
        }
        one.interceptors = [Adding()]
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
        let site = Resource("https://a.example", transport: transport)
        site.cookies = CookieJar()
        try await site.get().requireSuccess()
        let slow = site["slow"].with { $0.identity = .replacing("one") }
        let running = Task { try await slow.get() }
        try await gate.waitForWaiters()
        #expect(try await slow.curl(revealingSecrets: true).contains("a=1"))
        gate.open()
        #expect(try await running.value.status == .ok)
        #expect(transport.requests.count == 2)
        #expect(site.runningRequests.isEmpty)
    }
}

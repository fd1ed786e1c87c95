// SPDX-License-Identifier: Apache-2.0

import CumulusTesting
import HTTPTypes
import TestSupport
import Testing

@testable import CumulusCache
@testable import CumulusCore

/// QUERY (RFC 10008): safe, and stored by what it asks with.
@Suite(.timeLimit(.minutes(10))) struct QueryTests {
    /// Says what it was asked with, and how often it was asked.
    private func site(_ cache: ResponseCache? = nil) -> CachedSite {
        CachedSite(cache) { request in
            let headers: Headers = [.cacheControl: "max-age=60", .eTag: "\"1\""]
            if request.headers[.ifNoneMatch] != nil { return .response(.notModified, headers: headers) }
            return .response(headers: headers, body: request.body + Array(" \(request.number)".utf8))
        }
    }

    private func ask(_ site: CachedSite, _ payload: Payload, _ headers: Headers = [:]) async throws -> Response {
        let method = try #require(HTTPRequest.Method(rawValue: "QUERY"))
        return try await site.site["x"].call(method, payload, headers: headers).send()
    }

    @Test func eachContentHasAResponseOfItsOwn() async throws {
        let site = site()
        for _ in 0..<2 {
            #expect(try await ask(site, .text("a")).text == "a 1")
            #expect(try await ask(site, .text("b")).text == "b 2")
            #expect(try await ask(site, .text("a"), [.contentType: "text/csv"]).text == "a 3")
            #expect(try await ask(site, .none).text == " 4")
            #expect(try await site.get().text == " 5")
        }
        #expect(try await ask(site, .text("a")).storeNote == "hit; ttl=60")
        #expect(site.count == 5)
    }

    @Test func aStaleOneIsConfirmed() async throws {
        let site = site()
        _ = try await ask(site, .text("a"))
        _ = try await ask(site, .text("b"))
        site.clock.advance(by: .seconds(60))
        let response = try await ask(site, .text("a"))
        #expect((response.text, response.storeNote) == ("a 1", "fwd=stale; fwd-status=304; ttl=60"))
    }

    @Test func aChangeOfTheURLRemovesThemAll() async throws {
        let site = site()
        for text in ["a", "b"] { _ = try await ask(site, .text(text)) }
        _ = try await site.site["x"].delete()
        for text in ["a", "b"] { #expect(try await ask(site, .text(text)).storeNote == "fwd=uri-miss; stored") }
        try await site.cache.remove("https://a.example/x")
        #expect(site.cache.memoryUse == 0)
        await #expect(throws: RequestURL.Malformation.self) { try await site.cache.remove("x") }
    }

    @Test func aQueryChangesNothing() async throws {
        let site = site()
        _ = try await site.get()
        _ = try await ask(site, .text("a"))
        #expect(try await site.get().note == "hit; ttl=60")
    }

    @Test func whatCannotBeReadBeforehandAndPartsAreTheServers() async throws {
        let site = site()
        let folder = try TemporaryFolder()
        let file = try folder.write("a", to: "a.txt")
        for _ in 0..<2 {
            #expect(try await ask(site, .file(file)).storeNote == "fwd=bypass")
            #expect(try await ask(site, .text("a"), [.range: "bytes=0-1"]).storeNote == "fwd=bypass")
        }
        #expect(site.cache.memoryUse == 0)
        #expect(try await ask(site, .file(file), [.cacheControl: "only-if-cached"]).status == .gatewayTimeout)
        #expect(site.count == 4)
    }

    @Test func anotherProcessFindsIt() async throws {
        let folder = try TemporaryFolder()
        func cached() -> CachedSite { site(.disk(folder.path, date: Stored.arrival)) }
        _ = try await ask(cached(), .text("a"))
        let other = cached()
        #expect(try await ask(other, .text("a")).text == "a 1")
        #expect(try await ask(other, .text("b")).text == "b 1")
        #expect(try await other.get().text == " 2")
    }

    @Test("It is retried as what changes nothing, and a 303 is followed by a GET, each stored by its own URL")
    func redirects() async throws {
        let site = CachedSite(rules: { $0.retry = RetryPolicy(limit: 1, backoff: RetryBackoff(base: .zero)) }) {
            request in
            if request.number == 1 { return .failure(TransportFailure(.timeout(.response), "late", fate: .unknown)) }
            if request.path == "/x" { return .response(.seeOther, headers: [.location: "/found"]) }
            return .response(headers: [.cacheControl: "max-age=60"], body: Array(request.method.rawValue.utf8))
        }
        for _ in 0..<2 { #expect(try await ask(site, .text("a")).text == "GET") }
        #expect(site.transport.requests.map(\.path) == ["/x", "/x", "/found", "/x"])
        #expect(try await site.get([:], "found").note == "hit; ttl=60")
    }

    @Test func whoAsksWithTheSameWaits() async throws {
        let gate = Gate()
        let site = CachedSite { request in
            try await gate.wait()
            return .response(headers: [.cacheControl: "max-age=60", .contentLength: "1"], body: request.body)
        }
        let method = try #require(HTTPRequest.Method(rawValue: "QUERY"))
        let calls = ["a", "a", "b"].map { site.site["x"].call(method, .text($0)).start() }
        while site.cache.waiterCount < 1 || site.count < 2 { await Task.yield() }
        gate.open()
        var texts: [String?] = []
        for call in calls { texts.append(try await call.value.text) }
        #expect(texts == ["a", "a", "b"] && site.count == 2)
    }
}

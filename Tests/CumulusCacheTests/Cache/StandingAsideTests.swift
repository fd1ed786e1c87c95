// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTesting
import HTTPTypes
import Testing

@testable import CumulusCache

/// Requests and responses that a cache must have no part in.
@Suite(.timeLimit(.minutes(10))) struct StandingAsideTests {
    @Test("RFC 9110 section 9.3.1: a GET with a body is the server's") func bodies() async throws {
        let site = CachedSite { request in
            .response(headers: [.cacheControl: "max-age=60"], body: request.body)
        }
        for text in ["one", "two"] {
            let payload = Payload.bytes(Array(text.utf8), )
            #expect(try await site.site["x"].call(.get, payload).send().text == text)
        }
        #expect(site.count == 2 && site.cache.memoryUse == 0)
        let offline = site.site["x"].with { $0.cachePolicy = .offline }
        let payload = Payload.bytes([65], )
        #expect(try await offline.call(.get, payload).send().status == .gatewayTimeout)
        #expect(site.count == 2)
    }

    @Test("Section 5.2.1.7: only-if-cached sends nothing, whatever the method", arguments: ["POST", "OPTIONS", "FOO"])
    func onlyIfCached(_ name: String) async throws {
        let site = CachedSite([.cacheControl: "max-age=60"])
        let method = try #require(HTTPRequest.Method(rawValue: name))
        for policy in [CachePolicy.onlyIfCached, .offline] {
            let response = try await site.site["x"].with { $0.cachePolicy = policy }.call(method).send()
            #expect(response.status == .gatewayTimeout)
        }
        #expect(site.count == 0)
    }

    @Test("Only a 200 to a request for a part may be the whole", arguments: [203, 301, 404, 412, 416, 500])
    func partsThatFail(_ code: Int) async throws {
        let site = CachedSite([.cacheControl: "max-age=60"], status: .init(code: code), rules: { $0.redirects = .none })
        _ = try await site.get([.range: "bytes=900-"])
        #expect(site.cache.memoryUse == 0)
        #expect(try await site.get().note?.hasPrefix("fwd=uri-miss") == true && site.count == 2)
    }

    @Test(
        "RFC 6585, and what speaks of one request only",
        arguments: [401, 407, 408, 412, 416, 428, 429, 431, 511],
        ["max-age=60", "no-store, must-understand, max-age=60"]
    ) func ofOneRequest(_ code: Int, _ cacheControl: String) async throws {
        let site = CachedSite([.cacheControl: .init(cacheControl)], status: .init(code: code))
        for _ in 0..<2 { _ = try await site.site["x"].get() }
        #expect(site.count == 2 && site.cache.memoryUse == 0)
    }

    @Test(
        "Section 4.1: a 304 or a HEAD that brings Vary: *, or no-store, ends what is stored",
        arguments: [
            (.get, "*", "max-age=60"), (.head, "*", "max-age=60"), (.get, "a b", "max-age=60"),
            (.head, "Foo", "no-store"), (.get, "Foo", "no-store"),
        ] as [(HTTPRequest.Method, String, String)]
    )
    func freshening(_ method: HTTPRequest.Method, _ vary: String, _ cacheControl: String) async throws {
        let site = CachedSite { request in
            if request.number == 1 {
                return .response(headers: [.cacheControl: "max-age=60", .eTag: "\"1\""], body: [65])
            }
            let headers: Headers = [.cacheControl: .init(cacheControl), .vary: .init(vary), .eTag: "\"1\""]
            let isConfirmed = request.headers[.ifNoneMatch] != nil
            return .response(isConfirmed ? .notModified : .ok, headers: headers, body: isConfirmed ? [] : [66])
        }
        _ = try await site.get()
        site.clock.advance(by: .seconds(60))
        let response = try await site.site["x"].call(method).send()
        #expect(response.status == .ok && (method == .head || response.text == "A"))
        #expect(site.cache.memoryUse == 0)
        #expect(try await site.get(["X-Other": "1"]).text == "B")
    }

    @Test("What a Vary can't name varies by anything", arguments: ["a b", "Accept, \"x\"", "@"])
    func varyOfNoToken(_ vary: String) async throws {
        let site = CachedSite([.cacheControl: "max-age=60", .vary: .init(vary)])
        for _ in 0..<2 { _ = try await site.get() }
        #expect(site.count == 2)
    }

    @Test("What decides about reuse is kept, whatever the server says of it") func neededFields() {
        let names = ["Cache-Control", "Vary", "Date", "Expires", "ETag", "Content-Encoding", "Age"]
        for (name, value) in [
            ("Connection", names.joined(separator: ", ")),
            ("Cache-Control", "no-cache=\"\(names.joined(separator: ","))\""),
        ] {
            var pairs = names.map { ($0, $0 == "Date" ? Stored.date(-1) : "x") }
            pairs.append((name, value))
            let kept = Stored.response(pairs).fields
            for name in names { #expect(HTTPField.Name(name).map(kept.contains) == true, "\(name)") }
        }
    }

    @Test("A HEAD that is answered with 404 or 410 ends what is stored", arguments: [404, 410])
    func gone(_ code: Int) async throws {
        let site = CachedSite { request in
            request.method == .head
                ? .response(.init(code: code)) : .response(headers: [.cacheControl: "max-age=60"], body: [65])
        }
        _ = try await site.get()
        #expect(try await site.site["x"].call(.head, headers: [.cacheControl: "no-cache"]).send().status.code == code)
        #expect(site.cache.memoryUse == 0)
    }

    @Test("What has changed meanwhile isn't given for an error") func fallbackAfterChange() async throws {
        let gate = Gate()
        let site = CachedSite { request in
            switch request.number {
            case 1: return .response(headers: [.cacheControl: "max-age=60, stale-if-error=600"], body: [65])
            case 2:
                try await gate.wait()
                return .response(.serviceUnavailable)
            default: return .response()
            }
        }
        _ = try await site.get()
        site.clock.advance(by: .seconds(61))
        let call = site.site["x"].call(.get).start()
        while site.count < 2 { await Task.yield() }
        _ = try await site.site["x"].delete()
        gate.open()
        #expect(try await call.value.status == .serviceUnavailable)
    }

    @Test(
        "What nothing is said of isn't stored if it may never end",
        arguments: [
            [.contentType: "text/event-stream", .contentLength: "1"], [:],
        ] as [Headers]
    ) func silent(_ headers: Headers) async throws {
        let site = CachedSite(announces: false) { _ in .script([.chunk([65])], headers: headers) }
        _ = try await site.get()
        #expect(site.cache.memoryUse == 0)
    }
}

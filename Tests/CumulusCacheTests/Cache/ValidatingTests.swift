// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTesting
import HTTPTypes
import Testing

@testable import CumulusCache

/// RFC 9111 section 4.3, through the whole pipeline: what is stale is asked for, and confirmed.
@Suite(.timeLimit(.minutes(10))) struct ValidatingTests {
    @Test("Section 4.3.1: the question has tag and date; a 304 gives what is stored") func validation() async throws {
        let site = CachedSite { request in
            let headers: Headers = [.cacheControl: "max-age=60", .eTag: "\"1\"", .lastModified: Stored.date(-9)]
            return request.number == 1
                ? .response(headers: headers, body: [65]) : .response(.notModified, headers: headers)
        }
        _ = try await site.get()
        site.clock.advance(by: .seconds(60))
        let second = try await site.site["x"].get()
        #expect((second.status, second.text, second.storeNote) == (.ok, "A", "fwd=stale; fwd-status=304; ttl=60"))
        #expect(second.headers[.age] == "0" && second.headers[.date] == Stored.date(60))
        let asked = try #require(site.transport.lastRequest?.headers)
        #expect((asked[.ifNoneMatch], asked[.ifModifiedSince]) == ("\"1\"", Stored.date(-9)))
        site.clock.advance(by: .seconds(59))
        #expect(try await site.get().note == "hit; ttl=1" && site.count == 2)
    }

    @Test("Section 5.2.2.4: no-cache is validated each time") func noCache() async throws {
        let site = CachedSite.validating([.cacheControl: "no-cache"])
        _ = try await site.get()
        for _ in 0..<3 { #expect(try await site.get().text == "body 1") }
        #expect(site.count == 4)
    }

    @Test("Section 4.3.3: a full response replaces what is stored") func replacement() async throws {
        let site = CachedSite { request in
            .response(
                headers: [.cacheControl: "max-age=60", .eTag: "\"\(request.number)\""],
                body: [64 + UInt8(request.number)]
            )
        }
        _ = try await site.get()
        site.clock.advance(by: .seconds(60))
        #expect(try await site.get().text == "B")
        #expect(try await site.get().text == "B")
        #expect(site.count == 2)
    }

    @Test("Section 3.2: a 304's fields are given from then on") func freshening() async throws {
        let site = CachedSite.validating(
            [.cacheControl: "max-age=1", "X-A": "old", "X-B": "kept"],
            confirming: [
                .eTag: "\"1\"", .cacheControl: "max-age=60", "X-A": "new", .contentLength: "0", .connection: "X-H",
                "X-H": "1",
            ]
        )
        _ = try await site.get()
        site.clock.advance(by: .seconds(1))
        for note in ["fwd=stale; fwd-status=304; ttl=60", "hit; ttl=60"] {
            let response = try await site.site["x"].get()
            #expect((response.headers["X-A"], response.headers["X-B"], response.headers["X-H"]) == ("new", "kept", nil))
            #expect(response.headers[.contentLength] != "0" && response.storeNote == note)
        }
    }

    @Test(
        "Section 4.3.4: a 304 for another tag confirms that response; after one for an unknown tag, the server is asked again"
    )
    func selection() async throws {
        let site = CachedSite { request in
            let headers: Headers = [.cacheControl: "max-age=9", .vary: "Foo"]
            func with(_ tag: String) -> Headers {
                var headers = headers
                headers[.eTag] = .init(tag)
                return headers
            }
            switch request.number {
            case 1, 2: return .response(headers: with("\"\(request.number)\""), body: [64 + UInt8(request.number)])
            case 3: return .response(.notModified, headers: with("\"1\""))
            case 4: return .response(.notModified, headers: with("\"9\""))
            default: return .response(headers: with("\"9\""), body: [73])
            }
        }
        _ = try await site.get(["Foo": "1"])
        _ = try await site.get(["Foo": "2"])
        site.clock.advance(by: .seconds(9))
        #expect(try await site.get(["Foo": "2"]).text == "A")
        #expect(site.transport.lastRequest?.headers[.ifNoneMatch] == "\"2\"")
        site.clock.advance(by: .seconds(9))
        let newest = try await site.site["x"].get(headers: ["Foo": "2"])
        #expect(newest.text == "I" && newest.storeNote == "fwd=vary-miss; stored")
        #expect(site.transport.lastRequest?.headers[.ifNoneMatch] == nil && site.count == 5)
        #expect(newest.attempts.map(\.reason) == [.call, .unconfirmed])
        #expect(try await site.get(["Foo": "2"]).note == "hit; ttl=9")
    }

    @Test("a second 304 without conditions is the server's response") func unaskedConfirmations() async throws {
        let site = CachedSite { request in
            if request.number == 1 {
                return .response(headers: [.cacheControl: "max-age=0", .eTag: "\"1\""], body: [65])
            }
            return .response(.notModified, headers: [.eTag: "\"2\""])
        }
        _ = try await site.get()
        let response = try await site.site["x"].get()
        #expect(response.status == .notModified && site.count == 3)
    }

    @Test(
        "a tag with bytes that are not UTF-8 goes back to the server with its bytes",
        arguments: ["caf\u{e9}", "caf\u{e8}"]
    )
    func latinTags(confirmed: String) async throws {
        let own = HTTPField(name: .eTag, value: [0x22, 0x63, 0xE9, 0x22])
        let other = HTTPField(
            name: .eTag,
            value: [0x22, 0x63, confirmed.unicodeScalars.last.map { UInt8($0.value) } ?? 0, 0x22]
        )
        let site = CachedSite { request in
            let answer = StubResponse.response(
                request.number == 2 ? .notModified : .ok,
                headers: [.cacheControl: "max-age=0"],
                body: request.number == 2 ? [] : [64 + UInt8(request.number)]
            )
            return answer.adding(request.number == 1 ? own : other)
        }
        _ = try await site.get()
        let text = try await site.get().text
        let sent = site.transport.requests[1].headers[fields: .ifNoneMatch].map {
            $0.withUnsafeBytesOfValue(Array.init)
        }
        #expect(sent == [[0x22, 0x63, 0xE9, 0x22]])
        // Another byte is another tag.
        #expect(text == (confirmed.unicodeScalars.last == "\u{e9}" ? "A" : "C"))
    }

    @Test("Section 4.3.2: the caller's own conditions are the caller's") func ownConditions() async throws {
        let site = CachedSite.validating([.cacheControl: "max-age=60"])
        #expect(try await site.site["x"].get(headers: [.ifNoneMatch: "\"1\""]).status == .notModified)
        _ = try await site.get()
        site.clock.advance(by: .seconds(60))
        let same = try await site.site["x"].get(headers: [.ifNoneMatch: "\"1\""])
        #expect((same.status, site.count) == (.notModified, 3))
        // It has confirmed what is stored.
        #expect(try await site.get().note == "hit; ttl=60" && site.count == 3)
    }

    @Test("Section 4.3.5: a HEAD confirms, or removes, what is stored for a GET") func head() async throws {
        let site = CachedSite { request in
            let tag = request.number < 3 ? "\"1\"" : "\"2\""
            return .response(
                headers: [.cacheControl: "max-age=60", .eTag: .init(tag), "X-N": "\(request.number)"],
                body: [65]
            )
        }
        _ = try await site.get()
        site.clock.advance(by: .seconds(60))
        #expect(try await site.site["x"].head().storeNote == "fwd=stale")
        let response = try await site.site["x"].get()
        #expect(response.headers["X-N"] == "2" && response.storeNote == "hit; ttl=60")
        site.clock.advance(by: .seconds(60))
        _ = try await site.site["x"].head()
        #expect(try await site.get().note == "fwd=uri-miss; stored")
    }

    @Test("A response that isn't stored takes the place of what was, unless it is a refusal") func unstoredNews()
        async throws
    {
        let site = CachedSite { request in
            switch request.number {
            case 1: .response(headers: [.cacheControl: "max-age=1"], body: [65])
            case 2: .response(.forbidden)
            default: .response(headers: [.cacheControl: "no-store"], body: [66])
            }
        }
        _ = try await site.get()
        site.clock.advance(by: .seconds(1))
        #expect(try await site.site["x"].get().status == .forbidden)
        #expect(try await site.get([.cacheControl: "max-stale"]).text == "A")
        #expect(try await site.get().text == "B")
        #expect(try await site.get([.cacheControl: "max-stale"]).note == "fwd=uri-miss")
    }

    @Test func revisionsAndACacheGoTogether() async throws {
        let site = CachedSite.validating([.cacheControl: "max-age=60"])
        site.site.setRules { $0.tracksRevisions = true }
        #expect(try await site.site["x"].get().status == .ok)
        #expect(try await site.site["x"].get().storeNote == "hit; ttl=60")
        site.clock.advance(by: .seconds(60))
        #expect(try await site.site["x"].get().cacheStatus?.isRevalidated == true)
    }
}

// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTesting
import HTTPTypes
import TestSupport
import Testing

@testable import CumulusCache

/// RFC 9111 sections 4, 4.1 and 5.2.1, through the whole pipeline: what is given for which request.
@Suite(.timeLimit(.minutes(10))) struct ReusingTests {
    @Test("Section 4: another URL is another resource, also with another query") func urls() async throws {
        let site = CachedSite([.cacheControl: "max-age=60"])
        _ = try await site.get([:], "a")
        _ = try await site.get([:], "A")
        _ = try await site.site["a"].get(query: ["q": 1])
        #expect(site.count == 3)
        #expect(try await site.site["a"].get(query: ["q": 1]).cacheStatus?.isHit == true)
    }

    @Test("Section 4.1: the response is chosen by the fields that Vary names") func vary() async throws {
        let site = CachedSite { request in
            .response(
                headers: [.cacheControl: "max-age=60", .vary: "Foo"],
                body: Array("\(request.headers["Foo"] ?? "none")".utf8)
            )
        }
        for value in ["1", "2"] { #expect(try await site.get(["Foo": .init(value)]).text == value) }
        #expect(try await site.get().text == "none")
        #expect(site.count == 3)
        for value in ["1", "2"] { #expect(try await site.get(["Foo": .init(value)]).text == value) }
        #expect(try await site.get().note == "hit; ttl=60" && site.count == 3)
        #expect(try await site.get(["Foo": "3"]).note == "fwd=vary-miss; stored")
    }

    @Test("Section 4.1: of several that fit, the most recent by Date is given") func mostRecent() async throws {
        let site = CachedSite { request in
            .response(
                headers: [
                    .cacheControl: "max-age=600", .vary: request.number == 1 ? "Foo" : "Bar",
                    .date: Stored.date(request.number == 1 ? 0 : -60),
                ],
                body: Array("\(request.number)".utf8)
            )
        }
        _ = try await site.get(["Foo": "1"])
        _ = try await site.get(["Foo": "2"])
        // Both fit: without Bar, and with Foo as it was.
        #expect(try await site.get(["Foo": "1"]).text == "1" && site.count == 2)
    }

    @Test("Section 5.2.1: a request may want more than the server allows") func directives() async throws {
        let site = CachedSite([.cacheControl: "max-age=60"])
        _ = try await site.get()
        site.clock.advance(by: .seconds(10))
        #expect(try await site.get([.cacheControl: "max-age=10"]).note == "hit; ttl=50")
        #expect(try await site.get([.cacheControl: "min-fresh=50"]).note == "hit; ttl=50")
        #expect(try await site.get([.cacheControl: "max-age=9"]).note == "fwd=request; stored")
        site.clock.advance(by: .seconds(10))
        #expect(try await site.get([.cacheControl: "min-fresh=51"]).note == "fwd=request; stored")
        #expect(try await site.get([.cacheControl: "no-cache"]).note == "fwd=request; stored")
        #expect(try await site.get(["Pragma": "no-cache"]).note == "fwd=request; stored")
        #expect(site.count == 5)
    }

    @Test("Section 5.2.1.2: a request may accept what is stale") func maxStale() async throws {
        let site = CachedSite([.cacheControl: "max-age=60"])
        _ = try await site.get()
        site.clock.advance(by: .seconds(70))
        #expect(try await site.get([.cacheControl: "max-stale=10"]).note == "hit; ttl=-10")
        #expect(try await site.get([.cacheControl: "max-stale"]).note == "hit; ttl=-10")
        #expect(try await site.get([.cacheControl: "max-stale=9"]).note == "fwd=stale; stored")
    }

    @Test("Section 5.2.1.7: only-if-cached gets what is stored, or 504") func onlyIfCached() async throws {
        let site = CachedSite([.cacheControl: "max-age=60"])
        let cached = site.site["x"].with { $0.cachePolicy = .onlyIfCached }
        let none = try await cached.get()
        #expect((none.status, none.storeNote, site.count) == (.gatewayTimeout, "detail=only-if-cached", 0))
        let error = await #expect(throws: CumulusError.self) {
            _ = try await site.site["x"].with { $0.cachePolicy = .offline }.get(as: String.self)
        }
        #expect(
            error?.code == .status && error?.message.contains("only stored responses, and none could be used") == true
        )
        _ = try await site.get()
        #expect(try await cached.get().storeNote == "hit; ttl=60")
        site.clock.advance(by: .seconds(60))
        #expect(try await cached.get().status == .gatewayTimeout)
        #expect(site.count == 1)
    }

    @Test("The policies of calls") func policies() async throws {
        let site = CachedSite([.cacheControl: "max-age=60"])
        let place = site.site["x"]
        _ = try await place.get()
        let reload = try await place.with { $0.cachePolicy = .reload }.get()
        #expect(reload.storeNote == "fwd=request; stored")
        site.clock.advance(by: .seconds(20))
        #expect(
            try await place.with { $0.cachePolicy = .maxAge(.seconds(19)) }.get().storeNote == "fwd=request; stored"
        )
        #expect(try await place.with { $0.cachePolicy = .noStore }.get().storeNote == "fwd=bypass")
        #expect(site.count == 4)
        site.clock.advance(by: .seconds(100))
        for policy in [CachePolicy.cachedElseLoad, .offline] {
            #expect(try await place.with { $0.cachePolicy = policy }.get().storeNote == "hit; ttl=-40")
        }
        #expect(try await site.site["y"].with { $0.cachePolicy = .offline }.get().status == .gatewayTimeout)
        #expect(try await site.site["y"].with { $0.cachePolicy = .cachedElseLoad }.get().status == .ok)
    }

    @Test("Section 4.2.3: a response that was old when it came is stale earlier") func oldOnArrival() async throws {
        let site = CachedSite([.cacheControl: "max-age=60", .age: "50", .date: Stored.date(-20)])
        _ = try await site.get()
        #expect(try await site.get().note == "hit; ttl=10")
        site.clock.advance(by: .seconds(10))
        #expect(try await site.get().note == "fwd=stale; stored")
    }

    @Test("Section 4.2.3: the time that the server took counts") func slowServer() async throws {
        let site = CachedSite { _ in .response(headers: [.cacheControl: "max-age=60"]).delayed(by: .seconds(7)) }
        let call = site.site["x"].call(.get).start()
        try await site.clock.waitForSleepers()
        site.clock.advance(by: .seconds(7))
        _ = try await call.value
        #expect(try await site.get().note == "hit; ttl=53")
    }

    @Test("Section 4: a HEAD is answered by what is stored for a GET") func head() async throws {
        let site = CachedSite([.cacheControl: "max-age=60", "X-A": "1"])
        _ = try await site.get()
        let head = try await site.site["x"].head()
        #expect((head.status, head.headers["X-A"], head.storeNote, site.count) == (.ok, "1", "hit; ttl=60", 1))
    }

    @Test("Sections 13 and 14 of RFC 9110: conditions and parts are answered from what is stored")
    func partsAndConditions() async throws {
        let site = CachedSite { _ in
            .response(
                headers: [.cacheControl: "max-age=60", .eTag: "\"1\"", .lastModified: Stored.date(-9)],
                body: Array("0123456789".utf8)
            )
        }
        _ = try await site.get()
        let same = try await site.site["x"].get(headers: [.ifNoneMatch: "\"0\", W/\"1\""])
        #expect((same.status, same.headers[.eTag], same.storeNote) == (.notModified, "\"1\"", "hit; ttl=60"))
        #expect(try await site.site["x"].get(headers: [.ifNoneMatch: "\"2\""]).status == .ok)
        #expect(
            try await site.site["x"].get(headers: [.ifModifiedSince: .init(Stored.date(-9))]).status == .notModified
        )
        let part = try await site.site["x"].get(headers: [.range: "bytes=2-4"])
        #expect((part.status, part.text, part.headers[.contentRange]) == (.partialContent, "234", "bytes 2-4/10"))
        #expect(part.headers[.contentLength] == "3")
        let beyond = try await site.site["x"].get(headers: [.range: "bytes=10-"])
        #expect((beyond.status, beyond.headers[.contentRange]) == (.rangeNotSatisfiable, "bytes */10"))
        #expect(try await site.site["x"].get(headers: [.range: "bytes=2-4", .ifRange: "\"2\""]).status == .ok)
        #expect(site.count == 1)
        _ = try await site.site["x"].get(headers: [.range: "bytes=2-4,6-7"])
        _ = try await site.site["x"].get(headers: [.ifMatch: "\"1\""])
        #expect(site.count == 3)
    }

    @Test("A redirect is stored by its own URL, and so is where it leads") func redirects() async throws {
        let site = CachedSite { request in
            request.path == "/x"
                ? .response(.movedPermanently, headers: [.location: "/y", .cacheControl: "max-age=60"])
                : .response(headers: [.cacheControl: "max-age=5"], body: Array("there \(request.number)".utf8))
        }
        #expect(try await site.get().text == "there 2")
        #expect(try await site.get().text == "there 2" && site.count == 2)
        site.clock.advance(by: .seconds(5))
        #expect(try await site.get().text == "there 3" && site.count == 3)
    }

    @Test func aDownloadIsServedFromTheCache() async throws {
        let site = CachedSite([.cacheControl: "max-age=60"])
        _ = try await site.get()
        let folder = try TemporaryFolder()
        let file = try await site.site["x"].call(.get).download(to: .file("\(folder.path)/a")).send()
        #expect(file.byteCount == 6 && site.count == 1)
    }

    @Test("RFC 8246: what is immutable isn't asked for again") func immutable() async throws {
        let site = CachedSite([.cacheControl: "max-age=60, immutable"])
        _ = try await site.get()
        #expect(try await site.get([.cacheControl: "max-age=0"]).note == "hit; ttl=60")
    }

    @Test("Section 4.2.3: the time that the server took counts, rounded", arguments: [(400, "5"), (600, "6")])
    func delay(_ milliseconds: Int, _ age: String) async throws {
        let gate = Gate()
        let site = CachedSite { _ in
            try await gate.wait()
            return .response(headers: [.cacheControl: "max-age=60", .age: "5"], body: [65])
        }
        let call = site.site["x"].call(.get).start()
        while site.count < 1 { await Task.yield() }
        site.clock.advance(by: .milliseconds(milliseconds))
        gate.open()
        _ = try await call.value
        #expect(try await site.site["x"].get().headers[.age] == age)
    }
}

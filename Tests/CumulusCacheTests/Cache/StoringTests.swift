// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTesting
import HTTPTypes
import Testing

@testable import CumulusCache

/// RFC 9111 section 3, through the whole pipeline: what is stored, and what isn't.
@Suite(.timeLimit(.minutes(10))) struct StoringTests {
    @Test(
        "Section 4: a fresh response is given again, with its age",
        arguments: [200, 203, 204, 299, 301, 400, 404, 410, 500, 599]
    )
    func statuses(_ code: Int) async throws {
        let site = CachedSite([.cacheControl: "max-age=60"], status: .init(code: code), rules: { $0.redirects = .none })
        let first = try await site.site["x"].get()
        site.clock.advance(by: .seconds(5))
        let second = try await site.site["x"].get()
        #expect((first.status.code, second.status.code, site.count) == (code, code, 1))
        #expect((first.headers[.age], second.headers[.age], second.text) == (nil, "5", first.text))
        #expect((first.storeNote, second.storeNote) == ("fwd=uri-miss; stored", "hit; ttl=55"))
    }

    @Test(
        "Section 3: what must not be stored isn't",
        arguments: [
            ([.cacheControl: "no-store, max-age=60"], 200), ([.cacheControl: "max-age=60", .vary: "*"], 200),
            ([.cacheControl: "max-age=60, must-understand"], 499),
            ([.cacheControl: "max-age=60", .contentRange: "bytes 0-5/9"], 206),
            ([.lastModified: "Sun, 06 Nov 1904 08:49:37 GMT"], 302), ([:], 500),
        ] as [(Headers, Int)]
    ) func unstored(_ headers: Headers, _ code: Int) async throws {
        let site = CachedSite(headers, status: .init(code: code), rules: { $0.redirects = .none })
        _ = try await site.get()
        let second = try await site.get()
        #expect(site.count == 2 && second.note == "fwd=uri-miss")
        #expect(site.cache.memoryUse == 0)
    }

    @Test("Section 3: methods other than GET are not stored", arguments: ["POST", "PUT", "DELETE", "OPTIONS", "FOO"])
    func methods(_ name: String) async throws {
        let site = CachedSite([.cacheControl: "max-age=60"])
        let method = try #require(HTTPRequest.Method(rawValue: name))
        for _ in 0..<2 { _ = try await site.site["x"].call(method).send() }
        _ = try await site.get()
        #expect(site.count == 3)
    }

    @Test("Section 5.2.1.5: a request with no-store stores nothing, and takes nothing") func requestNoStore()
        async throws
    {
        let site = CachedSite([.cacheControl: "max-age=60"])
        _ = try await site.get([.cacheControl: "no-store"])
        #expect(site.cache.memoryUse == 0)
        _ = try await site.get()
        _ = try await site.get([.cacheControl: "no-store"])
        #expect(site.count == 3)
        #expect(try await site.get().note == "hit; ttl=60")
    }

    @Test("Section 3.3: what breaks off isn't stored") func incomplete() async throws {
        let site = CachedSite { request in
            let tail: StubResponse.Step =
                request.number == 1 ? .fail(TransportFailure(.truncated, "cut")) : .chunk([66])
            return .script([.chunk([65]), tail], headers: [.cacheControl: "max-age=60", .contentLength: "2"])
        }
        await #expect(throws: CumulusError.self) { _ = try await site.get() }
        #expect(site.cache.memoryUse == 0)
        #expect(try await site.get().text == "AB")
        #expect(try await site.get().note == "hit; ttl=60" && site.count == 2)
    }

    @Test("A body that its reader leaves isn't stored") func leftBody() async throws {
        let site = CachedSite { _ in
            .script([.chunk([65]), .chunk([66])], headers: [.cacheControl: "max-age=60"])
        }
        do {
            let stream = try await site.site["x"].call(.get).stream()
            for try await _ in stream { break }
        }
        #expect(try await site.get().text == "AB" && site.count == 2)
    }

    @Test("Sections 3.1 and 5.2.2.4: fields that must not be stored aren't given again") func fields() async throws {
        let site = CachedSite([
            .cacheControl: "max-age=60, no-cache=\"X-Secret\"", "X-Secret": "1", .connection: "X-Hop", "X-Hop": "2",
            "X-End": "3",
        ])
        let first = try await site.site["x"].get()
        #expect(first.headers["X-Secret"] == "1" && first.headers["X-Hop"] == "2")
        let second = try await site.site["x"].get()
        #expect(second.headers["X-Secret"] == nil && second.headers["X-Hop"] == nil && second.headers["X-End"] == "3")
        #expect(second.headers[.date] == Stored.date(0))
    }

    @Test("Section 4.2.2: a lifetime is guessed from Last-Modified") func guessed() async throws {
        let site = CachedSite([.lastModified: Stored.date(-1_000)])
        _ = try await site.get()
        #expect(try await site.get().note == "hit; ttl=100")
        site.clock.advance(by: .seconds(100))
        #expect(try await site.get().note == "fwd=stale; stored" && site.count == 2)
    }

    @Test("A default lifetime is for servers that say nothing") func defaultLifetime() async throws {
        let silent = CachedSite([:])
        silent.site.setRules { $0.cache?.defaultLifetime = .seconds(30) }
        _ = try await silent.get()
        #expect(try await silent.get().note == "hit; ttl=30")
        // It is another view of the same responses.
        #expect(silent.site.cache?.memoryUse == silent.cache.memoryUse)
        silent.clock.advance(by: .seconds(30))
        #expect(try await silent.get().note == "fwd=stale; stored")
        let telling = CachedSite([.cacheControl: "max-age=0"])
        telling.site.setRules { $0.cache?.defaultLifetime = .seconds(30) }
        _ = try await telling.get()
        #expect(try await telling.get().note == "fwd=stale; stored")
    }

    @Test("A response that is too large isn't stored, and the oldest make room") func bounds() async throws {
        let site = CachedSite { request in
            let size = Int(request.queryValue("size") ?? "") ?? 0
            let bytes = [UInt8](repeating: 65, count: size)
            return request.path == "/chunked"
                ? .script([.chunk(bytes), .chunk([66])], headers: [.cacheControl: "max-age=60"])
                : .script([.chunk(bytes)], headers: [.cacheControl: "max-age=60", .contentLength: "\(size)"])
        }
        let large: Query = ["size": 250_001]
        _ = try await site.site["whole"].get(query: large)
        #expect(site.cache.memoryUse == 0)
        _ = try await site.site["chunked"].get(query: large)
        #expect(site.cache.memoryUse == 0)
        for number in 0..<40 { _ = try await site.site["whole/\(number)"].get(query: ["size": 100_000]) }
        #expect(site.cache.memoryUse <= 1_000_000 && site.cache.memoryUse > 800_000)
        #expect(try await site.site["whole/39"].get(query: ["size": 100_000]).cacheStatus?.isHit == true)
    }

    @Test func removeAllForgets() async throws {
        let site = CachedSite([.cacheControl: "max-age=60"])
        _ = try await site.get()
        await site.cache.removeAll()
        #expect(site.cache.memoryUse == 0)
        _ = try await site.get()
        #expect(site.count == 2)
    }

    @Test func codedBodiesAreStoredAsTheyCame() async throws {
        // "hello" by gzip.
        let gzip: [UInt8] = [
            31, 139, 8, 0, 0, 0, 0, 0, 0, 3, 203, 72, 205, 201, 201, 7, 0, 134, 166, 16, 54, 5, 0, 0, 0,
        ]
        let site = CachedSite { _ in
            .response(headers: [.cacheControl: "max-age=60", .contentEncoding: "gzip"], body: gzip)
        }
        #expect(try await site.get().text == "hello")
        let second = try await site.get()
        #expect((second.text, second.note, site.count) == ("hello", "hit; ttl=60", 1))
    }
}

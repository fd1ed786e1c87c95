// SPDX-License-Identifier: Apache-2.0

import CumulusCache
import CumulusCore
import CumulusNIO
import HTTPTypes
import Testing

/// A cache in front of servers, and behind a proxy, that we did not write.
@Suite(.enabled(if: InteropServers.nginx != nil, "\(InteropServers.reason)"))
struct CacheTests {
    private static let packed = (1...20_000).map { "\($0)\n" }.joined()

    private func cached(_ url: String?, _ transport: InteropTransport = .nio) throws -> Resource {
        let site = try transport.resource(url)
        site.setRules { $0.cache = .memory(megabytes: 50) }
        return site
    }

    /// A call that takes whatever is stored.
    private func stored(_ place: Resource) -> Resource { place.with { $0.cachePolicy = .cachedElseLoad } }

    @Test(arguments: [InteropServers.nginx, InteropServers.apache])
    func aFileIsStoredConfirmedAndGivenAgain(server: String?) async throws {
        let file = try cached(server)["hello.txt"]
        let first = try await file.get()
        #expect(first.cacheStatus?.isStored == true && first.cacheStatus?.forward == .uriMiss)
        let confirmed = try await file.with { $0.cachePolicy = .maxAge(.zero) }.get()
        #expect(confirmed.status == .ok && confirmed.text == first.text)
        #expect(confirmed.cacheStatus?.isRevalidated == true)
        let again = try await stored(file).get()
        #expect(again.text == first.text && again.cacheStatus?.isHit == true)
        #expect(again.facts.bytesReceived == 0)
    }

    @Test(arguments: [InteropServers.nginx, InteropServers.apache])
    func aPartComesFromTheWhole(server: String?) async throws {
        let file = try cached(server)["hello.txt"]
        try await file.get().requireSuccess()
        let part = try await stored(file).get(headers: [.range: "bytes=6-9"])
        #expect(part.status == .partialContent && part.text == "from" && part.cacheStatus?.isHit == true)
        #expect(part.headers[.contentRange] == "bytes 6-9/17")
        // Parts that were not stored as a whole come from the server.
        let other = try cached(server)["hello.txt"]
        for _ in 1...2 {
            let part = try await stored(other).get(headers: [.range: "bytes=0-4"])
            #expect(part.text == "hello" && part.cacheStatus?.isHit == false)
        }
    }

    @Test func codingsAreVariants() async throws {
        let file = try cached(InteropServers.apache)["packed.txt"]
        let plain = file.with { $0.contentCodings = [] }
        for place in [file, plain] { #expect(try await place.get().text == Self.packed) }
        let packed = try await stored(file).get()
        #expect(packed.text == Self.packed && packed.cacheStatus?.isHit == true)
        #expect(packed.receivedHeaders[.contentEncoding] == "gzip")
        let other = try await stored(plain).get()
        #expect(other.text == Self.packed && other.cacheStatus?.isHit == true)
        #expect(other.receivedHeaders[.contentEncoding] == nil)
    }

    @Test func whatIsWrittenIsNoLongerStored() async throws {
        let place = try cached(InteropServers.apache)["dav/cached-\(UInt64.random(in: 0...UInt64.max)).txt"]
        for text in ["one", "two and more"] {
            try await place.put(.text(text)).requireSuccess()
            #expect(try await stored(place).get().text == text)
            #expect(try await stored(place).get().cacheStatus?.isHit == true)
        }
        try await place.delete().requireSuccess()
        #expect(try await stored(place).get().status == .notFound)
    }

    @Test func eachUserOfATreeGetsTheirOwn() async throws {
        let site = try cached(InteropServers.httpbin)
        site.setRules { $0.cache?.defaultLifetime = .seconds(3_600) }
        let users = ["ada", "grace"].map { name in
            site["bearer"].with { $0.authorizers = .replacing([.bearer(Secret(name))]) }
        }
        for isHit in [false, true] {
            for (user, name) in zip(users, ["ada", "grace"]) {
                let response = try await user.get()
                #expect(try response.json()["token"].string == name)
                #expect(response.cacheStatus?.isHit == isHit)
            }
        }
        // Without a token there is a refusal, and nothing stored is given instead.
        #expect(try await stored(site["bearer"]).get().status == .unauthorized)
    }

    @Test func redirectsAreStoredByTheirOwnURL() async throws {
        let site = try cached(InteropServers.httpbin)
        site.setRules { $0.cache?.defaultLifetime = .seconds(3_600) }
        for isHit in [false, true] {
            let response = try await site["redirect-to"].get(query: ["url": "/cache/3600", "status_code": "301"])
            #expect(response.status == .ok && response.history.count == 1)
            #expect(response.cacheStatus?.isHit == isHit)
        }
        #expect(try await site["cache/3600"].get().cacheStatus?.isHit == true)
    }

    @Test("one proxy serves several programs, each with a cache of its own, and nothing that was authorized")
    func fleet() async throws {
        let proxy = try Proxy(try #require(InteropServers.squidCache))
        let programs = try (1...2).map { _ in
            let site = try cached(InteropServers.httpbin)
            site.setRules { $0.proxy = .by(proxy) }
            return site["response-headers"]
        }
        let query: Query = ["Cache-Control": "max-age=3600", "fleet": "\(UInt64.random(in: 0...UInt64.max))"]
        let first = try await programs[0].get(query: query)
        #expect(first.cacheStatus?.isHit == false && first.headers["X-Cache"]?.hasPrefix("MISS") == true)
        let second = try await programs[1].get(query: query)
        #expect(second.cacheStatus?.isHit == false && second.headers["X-Cache"]?.hasPrefix("HIT") == true)
        #expect(second.bytes == first.bytes)
        #expect(try await programs[1].get(query: query).cacheStatus?.isHit == true)
        let own: Query = ["Cache-Control": "max-age=3600", "fleet": "\(UInt64.random(in: 0...UInt64.max))"]
        for program in programs {
            let user = program.with { $0.authorizers = [.bearer("secret")] }
            #expect(try await user.get(query: own).headers["X-Cache"]?.hasPrefix("MISS") == true)
        }
    }
}

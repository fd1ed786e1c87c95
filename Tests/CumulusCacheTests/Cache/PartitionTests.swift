// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTesting
import HTTPTypes
import Testing

@testable import CumulusCache

/// Two users never share a response, whatever a server forgets to say (RFC 9111 section 7).
@Suite(.timeLimit(.minutes(10))) struct PartitionTests {
    /// Says who asks, and forgets `Vary`.
    private func site() -> CachedSite {
        CachedSite { request in
            let user =
                request.headers[.authorization] ?? request.headers[.cookie] ?? request.headers["X-API-Key"] ?? "nobody"
            return .response(headers: [.cacheControl: "public, max-age=60"], body: Array(user.utf8))
        }
    }

    @Test func twoUsersBehindOneTreeNeverShare() async throws {
        let site = site()
        let users: [(String, Resource)] = [
            ("nobody", site.site), ("Bearer ann", site.site.with { $0.authorizers = [.bearer("ann")] }),
            ("Bearer bob", site.site.with { $0.authorizers = [.bearer("bob")] }),
            ("k1", site.site.with { $0.headers["X-API-Key"] = "k1" }),
            ("k2", site.site.with { $0.headers["X-API-Key"] = "k2" }),
        ]
        for round in 0..<3 {
            for (name, user) in users {
                let response = try await user["x"].get()
                #expect(response.text == name)
                #expect(response.cacheStatus?.isHit == (round > 0))
            }
        }
        #expect(site.count == users.count)
    }

    @Test(
        "a field that names somebody keeps users apart",
        arguments: [
            "X-WSSE", "X-PAT", "From", "Impersonate-User", "X-Scope-OrgID", "X-Tenant-Id", "X-MS-Client-Principal",
            "X-Client-Cert", "X-Remote-User", "X-Forwarded-User", "X-On-Behalf-Of", "OpenAI-Organization",
            "X-AccountId",
            "X-Forwarded-Email", "X-Roles", "X-Remote-Group", "X-Team-Id", "X-Workspace-Id",
        ]
    )
    func fieldsOfPersons(name: String) async throws {
        let site = site()
        for value in ["ann", "bob"] {
            let user = site.site.with { $0.headers[Headers.Name(name)] = value }
            #expect(try await user["x"].get().cacheStatus?.isHit == false, "\(value)")
        }
        // What says nothing of persons doesn't.
        for value in ["a", "b"] { _ = try await site.site["y"].get(headers: ["X-Request-ID": value]) }
        #expect(site.count == 3)
    }

    @Test func twoJarsNeverShare() async throws {
        let site = site()
        for value in ["a", "b"] {
            let jar = CookieJar()
            try jar.set("s=\(value)", from: "https://a.example/")
            let user = site.site.with { $0.cookies = jar }
            for _ in 0..<2 { #expect(try await user["x"].get().text == "s=\(value)") }
        }
        #expect(site.count == 2)
    }

    @Test("The same identity shares, and nobody else: 200 callers of 5 users") func randomUsers() async throws {
        let site = site()
        var random = SystemRandomNumberGenerator()
        let users = (0..<5).map { number in site.site.with { $0.authorizers = [.bearer("user-\(number)")] } }
        for _ in 0..<200 {
            let number = Int.random(in: 0..<5, using: &random)
            let path = ["a", "b", "c"].randomElement(using: &random) ?? "a"
            #expect(try await users[number][path: path].get().text == "Bearer user-\(number)")
        }
        #expect(site.count <= 15)
    }

    @Test func setCookieIsKeptFromTheNetworkOnly() async throws {
        let site = CachedSite { request in
            .response(headers: [.cacheControl: "max-age=60", .setCookie: "n=\(request.number); Path=/x"], body: [])
        }
        let jar = CookieJar()
        let user = site.site.with { $0.cookies = jar }
        // The first response adds the cookie, so another user may have logged in; the second one changes its value.
        for _ in 0..<2 { #expect(try await user["y"].get().cacheStatus?.isHit == false) }
        #expect(try await user["y"].get().cacheStatus?.isHit == true)
        #expect(jar.cookies.map(\.value) == ["2"])
    }

    @Test(
        "after a possible login or logout with a jar, nothing stored is used",
        arguments: ["removed by the server", "removed in code", "all removed", "set by a POST", "added"]
    )
    func loginsOfAJar(change: String) async throws {
        let site = CachedSite { request in
            switch request.path {
            case "/logout":
                .response(headers: [.setCookie: "sid=; Max-Age=0; Path=/", .cacheControl: "no-store"], body: [])
            case "/login": .response(headers: [.setCookie: "sid=bob; Path=/", .cacheControl: "no-store"], body: [])
            default:
                .response(headers: [.cacheControl: "max-age=60"], body: Array((request.headers[.cookie] ?? "-").utf8))
            }
        }
        let jar = CookieJar()
        try jar.set("sid=ann; Path=/", from: "http://a.example/")
        let user = site.site.with { $0.cookies = jar }
        for isHit in [false, true] {
            let response = try await user["me"].get()
            #expect(response.text == "sid=ann" && response.cacheStatus?.isHit == isHit)
        }
        switch change {
        case "removed by the server": _ = try await user["logout"].get()
        case "removed in code": jar.remove { $0.name == "sid" }
        case "all removed": jar.removeAll()
        case "set by a POST": _ = try await user["login"].post()
        default: try jar.set("other=1; Path=/", from: "http://a.example/")
        }
        let response = try await user["me"].get()
        #expect(response.cacheStatus?.isHit == false)
        #expect(response.text != "sid=ann")
    }

    @Test func aStoredResponseNeverCarriesCookies() async throws {
        let site = CachedSite { request in
            let headers: Headers = [
                .cacheControl: "max-age=60", .eTag: "\"1\"", .setCookie: "sid=\(request.number)", "Set-Cookie2": "a=1",
            ]
            return request.headers[.ifNoneMatch] == nil
                ? .response(headers: headers, body: Array("x".utf8)) : .response(.notModified, headers: headers)
        }
        #expect(try await site.site["x"].get().headers[.setCookie] == "sid=1")
        #expect(try await site.site["x"].get().headers[.setCookie] == nil)
        site.clock.advance(by: .seconds(60))
        // A cookie that comes with the confirmation is this caller's.
        let confirmed = try await site.site["x"].get()
        #expect((confirmed.status, confirmed.headers[.setCookie]) == (.ok, "sid=2"))
        let stored = try await site.site["x"].get()
        #expect(stored.cacheStatus?.isHit == true && stored.headers[.setCookie] == nil)
        #expect(stored.headers["Set-Cookie2"] == nil)
    }
}

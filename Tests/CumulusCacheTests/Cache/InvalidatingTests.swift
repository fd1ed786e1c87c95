// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTesting
import HTTPTypes
import Testing

@testable import CumulusCache

/// RFC 9111 section 4.4, through the whole pipeline: what changes something makes stored responses worthless.
@Suite(.timeLimit(.minutes(10))) struct InvalidatingTests {
    private func site(_ change: StubResponse) -> CachedSite {
        CachedSite { request in
            request.method == .get ? .response(headers: [.cacheControl: "max-age=60"], body: [65]) : change
        }
    }

    private func isLeft(_ path: String, at site: CachedSite) async throws -> Bool {
        try await site.site[path: path].with { $0.cachePolicy = .onlyIfCached }.get().status == .ok
    }

    @Test("The URL of a successful request", arguments: ["POST", "PUT", "DELETE", "PATCH", "FOO"])
    func methods(_ name: String) async throws {
        let site = site(.response())
        _ = try await site.get()
        _ = try await site.get([:], "y")
        _ = try await site.site["x"].call(try #require(HTTPRequest.Method(rawValue: name))).send()
        #expect(try await !isLeft("x", at: site))
        #expect(try await isLeft("y", at: site))
    }

    @Test("Not by one that failed, nor by a safe one", arguments: [400, 404, 500, 503])
    func failures(_ code: Int) async throws {
        let site = site(.response(.init(code: code)))
        _ = try await site.get()
        _ = try await site.site["x"].delete()
        _ = try await site.site["x"].call(.options).send()
        #expect(try await isLeft("x", at: site))
    }

    @Test("The URLs that it names, of the same origin only", arguments: [Headers.Name.location, .contentLocation])
    func named(_ name: Headers.Name) async throws {
        for (value, stays) in [
            ("/y", false), ("y", false), ("https://a.example/y", false), ("https://b.example/y", true),
        ] {
            let site = site(.response(.created, headers: [name: .init(value)]))
            _ = try await site.get([:], "y")
            _ = try await site.site["x"].post(["a": 1])
            #expect(try await isLeft("y", at: site) == stays, "\(value)")
        }
    }

    @Test("By a redirect, too") func redirects() async throws {
        let site = site(.response(.seeOther, headers: [.location: "/y"]))
        _ = try await site.get()
        _ = try await site.site["x"].with { $0.redirects = .none }.delete()
        #expect(try await !isLeft("x", at: site))
    }

    @Test("For everyone, and every variant") func everyone() async throws {
        let site = CachedSite { request in
            .response(headers: [.cacheControl: "max-age=60", .vary: "Foo"], body: [65])
        }
        let ann = site.site["x"].with { $0.authorizers = [.bearer("ann")] }
        _ = try await ann.get()
        _ = try await site.get(["Foo": "1"])
        _ = try await site.site["x"].delete()
        #expect(try await ann.get().cacheStatus?.isHit == false)
        #expect(try await site.get(["Foo": "1"]).note == "fwd=uri-miss; stored")
    }

    @Test("What was asked for before the change is not stored after it") func race() async throws {
        let gate = Gate()
        let site = CachedSite { request in
            guard request.method == .get else { return .response() }
            return .script([.gate(gate), .chunk([65])], headers: [.cacheControl: "max-age=60"])
        }
        let late = CachedSite(site.cache) { request in
            guard request.method == .get else { return .response() }
            try await gate.wait()
            return .response(headers: [.cacheControl: "max-age=60"], body: [65])
        }
        let (body, head) = (site.site["x"].call(.get).start(), late.site["y"].call(.get).start())
        while site.count < 1 || late.count < 1 { await Task.yield() }
        _ = try await site.site["x"].delete()
        _ = try await site.site["y"].delete()
        gate.open()
        _ = try await (body.value, head.value)
        #expect(try await !isLeft("x", at: site))
        #expect(try await !isLeft("y", at: site))
        #expect(site.cache.memoryUse == 0)
    }
}

// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTesting
import HTTPTypes
import TestSupport
import Testing

/// The directive of a cache policy: its own, a parent's, any ancestor's, only if set.
@Suite struct CachePolicyTests {
    private let echo = Echo()
    private var site: Resource { echo.site }

    private func directive(_ resource: Resource, headers: Headers = [:]) async throws -> String? {
        try await resource.get(headers: headers).requireSuccess()
        return echo.transport.lastRequest?.headers[.cacheControl]
    }

    @Test(
        arguments: [
            (.useProtocol, nil), (.reload, "no-cache"), (.noStore, "no-store"), (.onlyIfCached, "only-if-cached"),
            (.cachedElseLoad, "max-stale"), (.offline, "only-if-cached, max-stale"),
            (.maxAge(.seconds(90.5)), "max-age=90"), (.maxAge(.seconds(-1)), "max-age=0"),
        ] as [(CachePolicy, String?)]
    ) func eachPolicyHasItsDirective(policy: CachePolicy, directive: String?) async throws {
        site.setRules { $0.cachePolicy = policy }
        #expect(try await self.directive(site["a"]["b"]) == directive)
    }

    @Test func nothingIsSaidUnlessItIsSet() async throws { #expect(try await directive(site["a"]) == nil) }

    @Test func aChildMayGoBackToTheProtocol() async throws {
        site.setRules { $0.cachePolicy = .reload }
        let child = site["a"]
        child.setRules { $0.cachePolicy = .useProtocol }
        #expect(try await directive(child) == nil)
        child.setRules { $0.inherit(\.cachePolicy) }
        #expect(try await directive(child) == "no-cache")
    }

    @Test func aHeaderBeatsIt() async throws {
        site.setRules { $0.cachePolicy = .reload }
        #expect(try await directive(site, headers: [.cacheControl: "max-stale"]) == "max-stale")
        #expect(try await directive(site, headers: [.cacheControl: nil]) == nil)
        site.setRules { $0.headers[.cacheControl] = nil }
        #expect(try await directive(site) == nil)
    }

    @Test func aReloadAsksForTheWhole() async throws {
        let transport = StubTransport { _ in .response(headers: [.eTag: "\"1\""]) }
        let site = Resource("http://a.example", transport: transport.watched) {
            $0.tracksRevisions = true
            $0.cachePolicy = .noStore
        }
        try await site.get().requireSuccess()
        site.setRules { $0.cachePolicy = .useProtocol }
        try await site.get().requireSuccess()
        #expect(transport.lastRequest?.headers[.ifNoneMatch] == nil)
        try await site.get().requireSuccess()
        #expect(transport.lastRequest?.headers[.ifNoneMatch] == "\"1\"")
        site.setRules { $0.cachePolicy = .reload }
        try await site.get().requireSuccess()
        #expect(transport.lastRequest?.headers[.ifNoneMatch] == nil)
    }
}

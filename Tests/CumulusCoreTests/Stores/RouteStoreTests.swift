// SPDX-License-Identifier: Apache-2.0

import CumulusTesting
import HTTPTypes
import TestSupport
import Testing

@testable import CumulusCore

/// A stored response is used only for requests that would have been sent over the same route.
@Suite(.timeLimit(.minutes(10))) struct RouteStoreTests {
    /// A transport with any identity, whose inner transport counts its requests.
    private struct Routed: Transport {
        let inner: StubTransport
        let identity: @Sendable (Origin) -> TransportIdentity

        var capabilities: TransportCapabilities { inner.capabilities }
        func identity(at origin: Origin) -> TransportIdentity { identity(origin) }
        func send(_ request: TransportRequest) async throws -> TransportResponse { try await inner.send(request) }
    }

    private let store = SmallStore()
    private let stub = StubTransport { request in
        .response(headers: [.cacheControl: "max-age=60"], body: Array("body \(request.number)".utf8))
    }

    private func site(
        _ identity: TransportIdentity = .anonymous,
        at url: String = "https://a.example",
        rules: (inout Resource.Rules) -> Void = { _ in }
    ) -> Resource {
        let store = store
        return Resource(url, transport: Routed(inner: stub) { _ in identity }.watched) {
            $0.responseStore = store
            rules(&$0)
        }
    }

    private func expectApart(_ sites: [Resource]) async throws {
        let before = stub.requests.count
        var texts: [String?] = []
        for site in sites { texts.append(try await site["x"].get().text) }
        #expect(Set(texts).count == sites.count)
        for (site, text) in zip(sites, texts) {
            let again = try await site["x"].get()
            #expect((again.text, again.storeNote) == (text, "hit"))
        }
        #expect(stub.requests.count == before + sites.count)
    }

    @Test func clientsAndRoutesAreKeptApart() async throws {
        try await expectApart([
            site(), site(TransportIdentity(client: ["ann"])), site(TransportIdentity(client: ["bob"])),
            site(TransportIdentity(route: ["socket", "a"])), site(TransportIdentity(route: ["socket", "b"])),
            site(TransportIdentity(route: ["socketa", ""])), site(TransportIdentity(client: ["ann"], route: ["b"])),
            site(TransportIdentity.anonymous.over("b")), site(TransportIdentity(client: ["ann"]).over("b")),
            site(TransportIdentity.anonymous.over("b").over("c")), site(TransportIdentity.anonymous.over("b", "c")),
        ])
    }

    @Test func anUnknownIdentitySharesWithNothing() async throws {
        #expect(TransportIdentity.unknown.over("b") != .anonymous.over("b"))
        for identity in [TransportIdentity.unknown, .unknown.over("b")] {
            let site = site(identity)
            for _ in 0..<2 { #expect(try await site["x"].get().storeNote == nil) }
        }
        #expect(stub.requests.count == 4)
        #expect(Set(store.contexts.map(\.partition)).count == 4)
    }

    @Test func proxiesOfHTTPAreKeptApart() async throws {
        func over(_ proxy: String?, _ url: String) throws -> Resource {
            let policy = try proxy.map { try ProxyPolicy.url($0) } ?? .none
            return site(at: url) { $0.proxy = policy }
        }
        let proxies: [String?] = [
            nil, "http://one.example:80", "http://two.example:80", "http://one.example:81", "https://one.example:80",
            "socks5://one.example:80", "http://ann:p@one.example:80", "http://ann:q@one.example:80",
        ]
        try await expectApart(try proxies.map { try over($0, "http://a.example") })
        // A tunnel to a verified server is end to end.
        let count = stub.requests.count
        for proxy in proxies { _ = try await over(proxy, "https://b.example")["x"].get() }
        #expect(stub.requests.count == count + 1)
    }

    @Test func addressPoliciesAreKeptApart() async throws {
        let listed = try AddressPolicy.publicOnly(allowing: "10.0.0.0/8")
        try await expectApart([
            site(), site { $0.allowedAddresses = .publicOnly }, site { $0.allowedAddresses = listed },
        ])
    }

    @Test func aForbiddenAddressIsRefusedBeforeTheStores() async throws {
        let open = site(at: "http://10.0.0.5")
        #expect(try await open["meta"].get().text == "body 1")
        let guarded = site(at: "http://10.0.0.5") { $0.allowedAddresses = .publicOnly }
        let error = await #expect(throws: CumulusError.self) { try await guarded["meta"].get() }
        #expect(error?.code == .addressRefused && error?.stage == .transmission)
        #expect(store.contexts.count == 1)
        let listed = try AddressPolicy.publicOnly(allowing: "10.0.0.0/8")
        let allowed = site(at: "http://10.0.0.5") { $0.allowedAddresses = listed }
        #expect(try await allowed["meta"].get().status == .ok)
    }

    @Test func hostsOfYourOwnAreKeptApart() async throws {
        try await expectApart([
            site(), site { $0.headers["Host"] = "tenant-a" }, site { $0.headers["Host"] = "tenant-b" },
            site { $0.headers["Host"] = "tenant-a:81" },
        ])
        // The origin's own name is no other host.
        let same = site { $0.headers["Host"] = "A.example" }
        #expect(try await same["x"].get().storeNote == "hit")
    }

    @Test func aClientIsNotPartOfARequestThatShowsNoCertificate() async throws {
        let stub = StubTransport { request in
            request.url == "https://a.example/old"
                ? .response(.movedPermanently, headers: ["Location": "https://b.example/new"])
                : .response(headers: [.cacheControl: "max-age=60"], body: Array("body \(request.number)".utf8))
        }
        let store = store
        let transport = Routed(inner: stub) { _ in TransportIdentity(client: ["ann"], route: ["r"]) }
        let site = Resource("https://a.example", transport: transport.watched) { $0.responseStore = store }
        #expect(try await site["old"].get().text == "body 2")
        let other = Resource("https://b.example", transport: transport.watched) { $0.responseStore = store }
        #expect(try await other["new"].get().text == "body 3")
        #expect(store.contexts.map(\.partition.isAnonymous) == [false, true, false])
    }
}

// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTesting
import HTTPTypes
import TestSupport
import Testing

/// Requests on behalf of a tree: what they share with it, and what not.
@Suite struct SeparateTreeTests {
    private let transport = StubTransport { _ in .text("ok") }
    private let clock = ManualClock()

    private func site() throws -> Resource {
        let jar = CookieJar()
        try jar.set("sid=7; Path=/", from: RequestURL("https://api.example.com/"))
        let proxy = try ProxyPolicy.url("http://proxy.example:3128")
        return Resource("https://api.example.com?tenant=7", transport: transport.watched) {
            $0.clock = clock
            $0.timeout = .seconds(3)
            $0.proxy = proxy
            $0.allowedAddresses = .publicOnly
            $0.headers["X-Tenant"] = "7"
            $0.authorizers = [.bearer("secret")]
            $0.cookies = jar
            $0.interceptors.append { _, _ in throw CancellationError() }
            $0.maxConcurrentRequests = 1
        }
    }

    @Test("Transport, clock, time limits, proxy and addresses are shared")
    func shared() async throws {
        let keys = try site().separateTree(at: "https://keys.example.com/today")
        #expect(keys.timeout == .seconds(3) && keys.clock is ManualClock)
        let proxy = try site().proxy
        #expect(keys.proxy.description == proxy.description)
        #expect(keys.allowedAddresses.description == AddressPolicy.publicOnly.description)
        #expect(try await keys.get().text == "ok")
        #expect(transport.lastRequest?.url == "https://keys.example.com/today")
    }

    @Test("No field, credential, cookie or hook comes along, also to the same origin")
    func notShared() async throws {
        let site = try site()
        let keys = site.separateTree(at: "https://api.example.com/keys")
        try await keys.get().requireSuccess()
        let sent = try #require(transport.lastRequest)
        #expect(sent.headers[.authorization] == nil && sent.headers.allSatisfy { $0.name.rawName != "X-Tenant" })
        #expect(sent.query == nil && sent.headers[.cookie] == nil)
        #expect(site.runningCalls.isEmpty && keys.runningCalls.isEmpty)
    }

    @Test("A proxy isn't named to a transport that uses none")
    func ignoredProxy() throws {
        let policy = try ProxyPolicy.url("http://proxy.example:3128")
        let site = Resource("https://api.example.com", transport: Deaf().watched) { $0.proxy = policy }
        #expect(
            site.separateTree(at: "http://localhost:1").proxy.isConfidential(
                to: Origin(scheme: .http, host: "localhost", port: 1)
            )
        )
    }

    @Test("A URL that can't be used makes a resource whose requests throw")
    func wrongURL() async throws {
        let error = await #expect(throws: CumulusError.self) {
            try await site().separateTree(at: "keys.example.com").get()
        }
        #expect(error?.code == .invalidURL)
    }

    private struct Deaf: Transport {
        var capabilities: TransportCapabilities {
            var capabilities = TransportCapabilities()
            capabilities.ignoresProxies = true
            return capabilities
        }

        func identity(at origin: Origin) -> TransportIdentity { .unknown }

        func send(_ request: TransportRequest) async throws -> TransportResponse { throw CancellationError() }
    }
}

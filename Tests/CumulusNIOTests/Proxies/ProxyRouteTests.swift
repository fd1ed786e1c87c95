// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTestServer
import HTTPTypes
import Synchronization
import Testing

@testable import CumulusNIO

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The connections of each route, and what a forwarding proxy learns.
@Suite(.timeLimit(.minutes(10))) struct ProxyRouteTests {
    private let plain = Origin(scheme: .http, host: "site.invalid")
    private let secure = Origin(scheme: .https, host: "site.invalid")

    /// Responds to `times` requests on each connection with a text.
    private func proxy(_ text: String, times: Int = 3) async throws -> LoopbackServer {
        let answer = RawScript.Step.send("HTTP/1.1 200 OK\r\nContent-Length: \(text.utf8.count)\r\n\r\n\(text)")
        return try await LoopbackServer.start(
            raw: RawScript(Array(repeating: [.awaitHead, answer], count: times).flatMap(\.self) + [.hold])
        )
    }

    @Test func aRouteDecidesTheFormOfTheTarget() {
        let route = Route.proxy(port: 3_128)
        #expect(Route.direct.form(for: plain) == .origin && Route.direct.form(for: secure) == .origin)
        #expect(route.form(for: plain) == .absolute && route.form(for: secure) == .origin)
        #expect(!route.tunnels(to: plain) && route.tunnels(to: secure) && !Route.direct.tunnels(to: secure))
        #expect(Route.direct.peer(for: plain) == plain && route.peer(for: plain).port == 3_128)
    }

    @Test func routesKeepConnectionsApart() {
        let routes = [Route.direct, .proxy(port: 1), .proxy(port: 2), .proxy(port: 1, host: "localhost")]
        let keys = routes.flatMap { route in
            [plain, secure].map {
                OriginSlot.Key(origin: $0, version: .http1, offersIdentity: false, route: route)
            }
        }
        #expect(Set(keys).count == 8)
        #expect(Set(keys + keys).count == 8)
        let takers = keys.filter { OriginSlot(key: $0, maximum: 1, isShared: false).takesCallers }
        #expect(takers.map(\.origin) == [plain] && takers[0].route == .direct)
    }

    @Test func aProxyThatPassesRequestsOnIsToldTheWholeURL() async throws {
        let proxy = try await proxy("by proxy")
        try await withRoute(.proxy(port: proxy.port)) { transport in
            var request = TransportRequest(origin: plain, target: "/a?b=c", headers: [.authorization: "Basic eA=="])
            try await transport.check(request, answers: "by proxy")
            request.method = .options
            request.target = "*"
            request.headers = [:]
            let facts = try await transport.exchange(request).facts
            #expect(facts.isReused && facts.remoteAddress == "127.0.0.1:\(proxy.port)")
            let expected =
                "GET http://site.invalid/a?b=c HTTP/1.1\r\nHost: site.invalid\r\nAuthorization: Basic eA==\r\n\r\n"
                + "OPTIONS http://site.invalid HTTP/1.1\r\nHost: site.invalid\r\n\r\n"
            #expect(String(decoding: proxy.rawInput(), as: UTF8.self) == expected)
        }
        await proxy.shutdown()
    }

    @Test func aHostOfOnesOwnCannotGoByAProxyThatPassesRequestsOn() async throws {
        let host = try #require(HTTPField.Name("Host"))
        let proxy = try await proxy("by proxy")
        try await withRoute(.proxy(port: proxy.port)) { transport in
            try await transport.check(
                TransportRequest(origin: plain, headers: [host: "site.invalid"]),
                answers: "by proxy"
            )
            let other = TransportRequest(origin: plain, headers: [host: "other.invalid"])
            #expect(await transport.failure(other)?.kind == .invalidRequest)
            #expect(proxy.counts.requestsBegun == 1)
        }
        await proxy.shutdown()
    }

    @Test func plainConnectionsAreReusedByTheSameRouteOnly() async throws {
        let direct = try await LoopbackServer.start { routes in routes.get("/") { _ in .text("direct") } }
        let (first, second) = (try await proxy("first"), try await proxy("second"))
        let route = Mutex(Route.direct)
        try await withRoutes({ _ in route.withLock(\.self) }) { transport in
            for turn in 0..<3 {
                // From the second turn on, the direct connection is on the shelf.
                for (next, text) in [(Route.direct, "direct"), (.proxy(port: first.port), "first")]
                    + [(.direct, "direct"), (.proxy(port: second.port), "second")]
                {
                    route.withLock { $0 = next }
                    let answer = try await transport.exchange(direct.request())
                    #expect(answer.text == text)
                    #expect(answer.facts.isReused == (turn > 0) || next == .direct)
                }
            }
            #expect([direct, first, second].map(\.counts.connectionsAccepted) == [1, 1, 1])
            try await transport.waitForConnections(all: 3, idle: 3)
        }
        for server in [direct, first, second] { await server.shutdown() }
    }

    @Test(arguments: [["http/1.1"], ["h2"]])
    func tunnelsAreReusedByTheSameRouteOnly(_ protocols: [String]) async throws {
        let authority = try TestCertificateAuthority()
        var tls = try ServerTLS.issued(by: authority)
        tls.applicationProtocols = protocols
        var settings = LoopbackServer.Configuration()
        settings.http2 = .negotiated
        let server = try await LoopbackServer.start(tls: tls, configuration: settings) { routes in
            routes.get("/") { _ in .text("ok") }
        }
        let (first, second) = (try await TunnelProxy.start(), try await TunnelProxy.start())
        var configuration = NIOTransport.Configuration()
        configuration.tls.trustRoots = .pem(authority.rootPEM)
        let route = Mutex(Route.direct)
        try await withRoutes({ _ in route.withLock(\.self) }, configuration) { transport in
            for turn in 0..<2 {
                for next in [Route.direct, .proxy(port: first.port), .proxy(port: second.port)] {
                    route.withLock { $0 = next }
                    let facts = try await transport.exchange(server.request()).facts
                    #expect(facts.isReused == (turn > 0))
                    let peer = next.peer(for: server.request().origin)
                    #expect(facts.remoteAddress == "127.0.0.1:\(peer.port)")
                }
            }
            #expect(server.counts.connectionsAccepted == 3)
            #expect(first.record.heads.count == 1 && second.record.heads.count == 1)
        }
        await server.shutdown()
    }

    @Test func aChoiceIsAskedForEachOrigin() async throws {
        let direct = try await LoopbackServer.start { routes in routes.get("/") { _ in .text("direct") } }
        let proxy = try await proxy("by proxy")
        let port = proxy.port
        try await withRoutes({ $0.host == "site.invalid" ? .proxy(port: port) : .direct }) { transport in
            try await transport.check(direct.request(), answers: "direct")
            try await transport.check(TransportRequest(origin: plain), answers: "by proxy")
        }
        for server in [direct, proxy] { await server.shutdown() }
    }

    @Test func whatCannotGoByAProxyIsRefused() async throws {
        let proxy = try await proxy("by proxy")
        try await withRoute(.proxy(port: proxy.port)) { transport in
            var request = TransportRequest(origin: plain)
            request.httpVersion = .http2
            #expect(await transport.failure(request)?.kind == .unsupported)
        }
        let socks = Proxy(.socks4a, at: Origin(scheme: .http, host: "127.0.0.1", port: proxy.port))
        try await withProxy(socks) { transport in
            let address = TransportRequest(origin: Origin(scheme: .http, host: "::1"))
            #expect(await transport.failure(address)?.kind == .unsupported)
            for host in ["", "a b", "é.example", String(repeating: "a", count: 256), "a\u{0}b"] {
                let odd = TransportRequest(origin: Origin(scheme: .http, host: host))
                #expect(await transport.failure(odd)?.kind == .invalidRequest)
            }
        }
        #expect(proxy.counts.connectionsAccepted == 0)
        await proxy.shutdown()
    }

    @Test func aUnixDomainSocketLeavesNoChoice() async throws {
        var settings = LoopbackServer.Configuration()
        let path = "/tmp/cumulus-\(UUID().uuidString.prefix(8)).socket"
        settings.unixSocketPath = path
        let server = try await LoopbackServer.start(configuration: settings) { routes in
            routes.get("/") { _ in .text("by socket") }
        }
        var configuration = NIOTransport.Configuration()
        configuration.unixSocketPath = path
        try await withRoute(.proxy(port: 1), configuration) { transport in
            try await transport.check(TransportRequest(origin: plain), answers: "by socket")
        }
        await server.shutdown()
    }
}

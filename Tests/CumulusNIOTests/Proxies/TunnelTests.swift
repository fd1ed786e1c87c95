// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTestServer
import HTTPTypes
import Testing

@testable import CumulusNIO

/// What passes through a proxy's tunnel, and what the proxy sees of it.
@Suite(.timeLimit(.minutes(10))) struct TunnelTests {
    private let authority: TestCertificateAuthority

    init() throws { authority = try TestCertificateAuthority() }

    private var trusting: NIOTransport.Configuration {
        var configuration = NIOTransport.Configuration()
        configuration.tls.trustRoots = .pem(authority.rootPEM)
        return configuration
    }

    private func server(
        _ hosts: [String] = ["site.invalid"],
        protocols: [String] = ["http/1.1"],
        asksForIdentity: Bool = false
    ) async throws -> LoopbackServer {
        var tls = try ServerTLS.issued(by: authority, hosts: hosts)
        tls.applicationProtocols = protocols
        if asksForIdentity { tls.clientRootPEM = authority.rootPEM }
        var configuration = LoopbackServer.Configuration()
        configuration.http2 = .negotiated
        return try await LoopbackServer.start(tls: tls, configuration: configuration) { routes in
            routes.get("/") { request in .text("ok \(request.headers[.authorization] ?? "-")") }
        }
    }

    @Test func theProxySeesWhereItLeadsAndNothingElse() async throws {
        let (server, proxy) = (try await server(), try await TunnelProxy.start())
        try await withRoute(.proxy(port: proxy.port), trusting) { transport in
            let headers: HTTPFields = [.authorization: "Basic c2VjcmV0", .cookie: "a=secret"]
            try await transport.check(
                server.request(host: "site.invalid", headers: headers),
                answers: "ok Basic c2VjcmV0"
            )
            let place = "site.invalid:\(server.port)"
            #expect(proxy.record.heads == ["CONNECT \(place) HTTP/1.1\r\nHost: \(place)\r\n\r\n"])
            let sent = String(decoding: proxy.record.sent, as: Unicode.ASCII.self)
            // The name in the ClientHello (SNI); everything else is encrypted.
            #expect(sent.contains("site.invalid"))
            #expect(!sent.contains("secret") && !sent.contains("c2VjcmV0") && !sent.contains("GET /"))
        }
        await server.shutdown()
    }

    @Test func factsTellOfTheProxyAndOfItsTime() async throws {
        let (server, proxy) = (try await server(), try await TunnelProxy.start())
        try await withRoute(.proxy(port: proxy.port), trusting) { transport in
            let request = server.request(host: "site.invalid")
            let first = try await transport.exchange(request).facts
            #expect(!first.isReused && first.phases.lookup == nil)
            #expect(first.phases.connect ?? .zero > .zero && first.phases.tls ?? .zero > .zero)
            #expect(first.remoteAddress == "127.0.0.1:\(proxy.port)")
            #expect(first.protocolName == "HTTP/1.1")
            let head = "GET / HTTP/1.1\r\nHost: site.invalid:\(server.port)\r\n\r\n"
            #expect(first.bytesSent == Int64(head.utf8.count))
            let second = try await transport.exchange(request).facts
            #expect(second.isReused && second.phases.connect == nil && second.phases.tls == nil)
            #expect(proxy.record.heads.count == 1)
        }
        await server.shutdown()
    }

    @Test(
        "the certificate is compared with the target, regardless of the proxy's name or address",
        arguments: [
            ("site.invalid", ["site.invalid"], true), ("site.invalid", ["127.0.0.1", "localhost"], false),
            ("127.0.0.9", ["127.0.0.9"], true), ("127.0.0.9", ["127.0.0.1"], false),
            ("127.0.0.9", ["site.invalid"], false), ("127.0.0.1", ["127.0.0.1"], true),
        ]
    )
    func verifiesTheTarget(_ host: String, _ names: [String], _ isRight: Bool) async throws {
        let (server, proxy) = (try await server(names), try await TunnelProxy.start())
        try await withRoute(.proxy(port: proxy.port), trusting) { transport in
            let failure = await transport.failure(server.request(host: host))
            #expect((failure == nil) == isRight, "\(String(describing: failure))")
            if !isRight {
                #expect(failure?.kind == .tls && failure?.fate == .unsent)
                #expect(failure?.message.contains("not valid for this host") == true)
                #expect(server.counts.requestsBegun == 0)
            }
        }
        await server.shutdown()
    }

    @Test("a tunnel to an address doesn't accept another host's certificate")
    func refusesStrangers() async throws {
        let (server, proxy) = (try await server(["127.0.0.9"]), try await TunnelProxy.start())
        try await withRoute(.proxy(port: proxy.port)) { transport in
            #expect(await transport.failure(server.request(host: "127.0.0.9"))?.kind == .tls)
        }
        await server.shutdown()
    }

    @Test("pins are those of the target") func pinsTheTarget() async throws {
        let (server, proxy) = (try await server(), try await TunnelProxy.start())
        for (host, isRight) in [("site.invalid", false), ("127.0.0.1", true)] {
            var configuration = trusting
            configuration.tls.pins[host] = [
                try NIOTransport.Configuration.TLS.PublicKeyPin("sha256/" + String(repeating: "A", count: 43) + "=")
            ]
            try await withRoute(.proxy(port: proxy.port), configuration) { transport in
                let failure = await transport.failure(server.request(host: "site.invalid"))
                #expect((failure == nil) == isRight, "\(String(describing: failure))")
            }
        }
        await server.shutdown()
    }

    @Test("the target gets the client's certificate, if it may") func identifiesToTheTarget() async throws {
        let (server, proxy) = (try await server(asksForIdentity: true), try await TunnelProxy.start())
        let issued = try authority.issue(hosts: ["me"])
        var configuration = trusting
        configuration.tls.identities[server.request(host: "site.invalid").origin] = .init(
            certificateChain: Array(issued.certificatesPEM.joined(separator: "\n").utf8),
            privateKey: Array(issued.privateKeyPEM.utf8)
        )
        try await withRoute(.proxy(port: proxy.port), configuration) { transport in
            try await transport.check(server.request(host: "site.invalid"), answers: "ok -")
            var astray = server.request(host: "site.invalid")
            astray.offersIdentity = false
            #expect(await transport.failure(astray) != nil)
            #expect(server.counts.requestsBegun == 1)
        }
        await server.shutdown()
    }

    @Test func carriesHTTP2() async throws {
        let (server, proxy) = (try await server(protocols: ["h2", "http/1.1"]), try await TunnelProxy.start())
        try await withRoute(.proxy(port: proxy.port), trusting) { transport in
            let request = server.request(host: "site.invalid")
            async let first = transport.exchange(request)
            async let second = transport.exchange(request)
            let facts = try await [first.facts, second.facts]
            #expect(facts.map(\.protocolName) == ["h2", "h2"])
            #expect(facts.map(\.remoteAddress) == Array(repeating: "127.0.0.1:\(proxy.port)", count: 2))
            #expect(proxy.record.heads.count == 1 && server.counts.connectionsAccepted == 1)
        }
        await server.shutdown()
    }

    @Test func informationalAnswersAndWhatIsSaidOfABodyAreNoHindrance() async throws {
        let answer =
            "HTTP/1.1 103 Hints\r\n\r\n"
            + "HTTP/1.0 299 Odd\r\nContent-Length: 7, 8\r\nTransfer-Encoding: odd\r\nConnection: close\r\n\r\n"
        let (server, proxy) = (try await server(), try await TunnelProxy.start(answer: answer))
        try await withRoute(.proxy(port: proxy.port), trusting) { transport in
            for isReused in [false, true] {
                let facts = try await transport.exchange(server.request(host: "site.invalid")).facts
                #expect(facts.isReused == isReused)
            }
        }
        await server.shutdown()
    }

    @Test("only the chosen one of several addresses is asked for a tunnel")
    func asksOnceWhereThereAreSeveralAddresses() async throws {
        let (server, proxy) = (try await server(), try await TunnelProxy.start())
        var configuration = trusting
        configuration.addresses["proxy.invalid"] = ["::1", "127.0.0.1"]
        try await withRoute(.proxy(port: proxy.port, host: "proxy.invalid"), configuration) { transport in
            let facts = try await transport.exchange(server.request(host: "site.invalid")).facts
            #expect(facts.phases.lookup != nil)
            #expect(proxy.record.heads.count == 1)
        }
        await server.shutdown()
    }
}

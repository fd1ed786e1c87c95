// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTestServer
import Testing

@testable import CumulusNIO

/// The facts of the TLS connection that carried a response.
@Suite(.timeLimit(.minutes(10))) struct TLSFactsTests {
    private let authority: TestCertificateAuthority

    init() throws { authority = try TestCertificateAuthority(name: "Our root") }

    private var trusting: NIOTransport.Configuration {
        var configuration = NIOTransport.Configuration()
        configuration.tls.trustRoots = .pem(authority.rootPEM)
        return configuration
    }

    private func server(
        _ version: ServerTLS.Version = .tls13,
        protocols: [String] = ["http/1.1"]
    ) async throws -> LoopbackServer {
        var tls = try ServerTLS.issued(by: authority, hosts: ["site.invalid", "localhost", "127.0.0.1"])
        tls.applicationProtocols = protocols
        tls.maximumVersion = version
        var configuration = LoopbackServer.Configuration()
        configuration.http2 = .negotiated
        return try await LoopbackServer.start(tls: tls, configuration: configuration) { routes in
            routes.get("/") { _ in .text("ok") }
        }
    }

    @Test("Each exchange of a connection has them", arguments: [ServerTLS.Version.tls12, .tls13], ["http/1.1", "h2"])
    func eachExchange(version: ServerTLS.Version, name: String) async throws {
        let server = try await server(version, protocols: [name])
        try await withTransport(server, trusting) { transport in
            for isReused in [false, true] {
                let facts = try await transport.exchange(server.request(host: "localhost")).facts
                #expect(facts.isReused == isReused)
                let tls = try #require(facts.tls)
                let suite = try #require(tls.cipherSuite)
                #expect(tls.version == (version == .tls13 ? "TLS 1.3" : "TLS 1.2"))
                #expect(suite.description.hasPrefix("TLS_ECDHE_ECDSA_WITH_") == (version == .tls12), "\(suite)")
                #expect((suite.rawValue >> 8 == 0x13) == (version == .tls13))
                #expect(tls.certificate?.subject == "CN=site.invalid")
                #expect(tls.certificate?.issuer == "CN=Our root")
                #expect(tls.certificate?.expires != nil)
            }
        }
    }

    @Test func connectionWithoutTLSHasNone() async throws {
        let server = try await LoopbackServer.start { routes in routes.get("/") { _ in .text("ok") } }
        try await withTransport(server) { transport in
            let facts = try await transport.exchange(server.request()).facts
            #expect(facts.tls == nil)
        }
    }

    @Test func tunnelHasThoseOfItsTarget() async throws {
        let (server, proxy) = (try await server(), try await TunnelProxy.start())
        try await withRoute(.proxy(port: proxy.port), trusting) { transport in
            let facts = try await transport.exchange(server.request(host: "site.invalid")).facts
            #expect(facts.tls?.version == "TLS 1.3" && facts.tls?.cipherSuite != nil)
            #expect(facts.tls?.certificate?.subject == "CN=site.invalid")
        }
        await server.shutdown()
    }

    @Test("A newest version and suites are those that are offered")
    func offered() async throws {
        let server = try await server()
        var configuration = trusting
        configuration.tls.maximumVersion = .tls12
        let suites = ["ECDHE-ECDSA-CHACHA20-POLY1305", "ECDHE-ECDSA-AES256-SHA"].compactMap(TLSCipherSuite.init(named:))
        for suite in suites {
            configuration.tls.cipherSuites = [suite]
            let transport = NIOTransport(configuration: configuration)
            let facts = try await transport.exchange(server.request()).facts
            #expect(facts.tls?.version == "TLS 1.2" && facts.tls?.cipherSuite == suite)
            await transport.shutdown()
        }
        // The server's key is not RSA's.
        configuration.tls.cipherSuites = [TLSCipherSuite(rawValue: 0xc030)]
        let mismatched = NIOTransport(configuration: configuration)
        #expect(await mismatched.failure(server.request())?.kind == .tls)
        await mismatched.shutdown()
        await server.shutdown()
    }

    @Test("Suites that can't be chosen are an error", arguments: [0x1301, 0x00ff, 0x0000] as [UInt16])
    func otherSuites(code: UInt16) async throws {
        let server = try await server()
        var configuration = trusting
        configuration.tls.cipherSuites = [TLSCipherSuite(rawValue: code)]
        try await withTransport(server, configuration) { transport in
            let failure = await transport.failure(server.request())
            #expect(failure?.kind == .tls && failure?.fate == .unsent)
            #expect(failure?.message.contains("is not a known cipher suite of TLS 1.2") == true, "\(failure as Any)")
        }
    }

    @Test("Every suite that can be chosen is one of BoringSSL's")
    func allSuites() async throws {
        let server = try await server()
        let known = (0...UInt16.max).map(TLSCipherSuite.init(rawValue:)).filter(\.canBeOffered)
        #expect(known.count == 14)
        var configuration = trusting
        configuration.tls.cipherSuites = known
        try await withTransport(server, configuration) { transport in
            try await transport.check(server.request(), answers: "ok")
        }
    }
}

// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTestServer
import HTTPTypes
import NIOSSL
import TestSupport
import Testing

@testable import CumulusNIO

@Suite(.timeLimit(.minutes(10))) struct TLSTests {
    private func server(_ tls: ServerTLS) async throws -> LoopbackServer {
        try await LoopbackServer.start(tls: tls) { routes in routes.get("/") { _ in .text("ok") } }
    }

    private func trusting(_ pem: String) -> NIOTransport.Configuration {
        var configuration = NIOTransport.Configuration()
        configuration.tls.trustRoots = .pem(pem)
        return configuration
    }

    @Test(arguments: ["127.0.0.1", "localhost"])
    func trustsWhomItIsToldToTrust(_ host: String) async throws {
        let authority = try TestCertificateAuthority()
        let server = try await server(.issued(by: authority))
        try await withTransport(server, trusting(authority.rootPEM)) { transport in
            for isReused in [false, true] {
                let answer = try await transport.exchange(server.request(host: host))
                #expect(answer.text == "ok")
                #expect(answer.facts.isReused == isReused)
                #expect((answer.facts.phases.tls != nil) == !isReused)
            }
        }
    }

    @Test(
        "self-signed, unknown, expired and future certificates are refused, with the reason",
        arguments: [
            ("self-signed", "self-signed", .untrustedIssuer), ("unknown", "issuer is not trusted", .untrustedIssuer),
            ("expired", "expired", .expiredCertificate), ("future", "not valid yet", .certificateNotYetValid),
            ("host", "not valid for this host", .hostNameMismatch),
            ("address", "not valid for this host", .hostNameMismatch),
            ("clients", "not for servers: its extended key usage lacks serverAuth", nil),
        ] as [(String, String, TransportFailure.Reason?)]
    )
    func refuses(_ what: String, _ reason: String, _ value: TransportFailure.Reason?) async throws {
        let authority = try TestCertificateAuthority()
        let stranger = try TestCertificateAuthority(name: "Stranger")
        let tls: ServerTLS =
            switch what {
            case "self-signed": try .selfSigned()
            case "unknown": try .issued(by: stranger)
            case "expired": try .issued(by: authority, validity: .expired)
            case "future": try .issued(by: authority, validity: .notYetValid)
            case "clients": try .issuedForClients(by: authority)
            case "host": try .issued(by: authority, hosts: ["example.com", "127.0.0.1"])
            default: try .issued(by: authority, hosts: ["localhost", "127.0.0.2"])
            }
        let server = try await server(tls)
        try await withTransport(server, trusting(authority.rootPEM)) { transport in
            let failure = await transport.failure(server.request(host: what == "host" ? "localhost" : "127.0.0.1"))
            #expect(failure?.kind == .tls)
            #expect(failure?.fate == .unsent)
            #expect(failure?.message.contains(reason) == true, "\(failure?.message ?? "")")
            #expect(failure?.reason == value)
            #expect(server.counts.requestsBegun == 0)
            try await transport.waitForConnections(all: 0, idle: 0)
        }
    }

    @Test("the default configuration refuses a self-signed server")
    func verifiesByDefault() async throws {
        let server = try await server(.selfSigned())
        try await withTransport(server) { transport in
            #expect(await transport.failure(server.request())?.kind == .tls)
        }
        #expect(NIOTransport.Configuration().tls.verification == .full)
    }

    @Test("a server's own certificate is trusted only if it is configured, and only for its host")
    func trustsOneSelfSignedCertificate() async throws {
        let (own, other) = (try ServerTLS.selfSigned(), try ServerTLS.selfSigned())
        let (server, stranger) = (try await server(own), try await server(other))
        let misnamed = try await self.server(.selfSigned(hosts: ["example.com"]))
        try await withTransport(server, trusting(own.rootPEM)) { transport in
            try await transport.check(server.request(), answers: "ok")
            #expect(await transport.failure(stranger.request())?.kind == .tls)
            #expect(await transport.failure(misnamed.request())?.kind == .tls)
        }
        await stranger.shutdown()
        await misnamed.shutdown()
    }

    @Test("your own authority is trusted in addition to the system's, and no other is")
    func trustsSystemAndItsOwn() async throws {
        let authority = try TestCertificateAuthority()
        let server = try await server(.issued(by: authority))
        let stranger = try await self.server(.issued(by: TestCertificateAuthority(name: "Stranger")))
        var configuration = NIOTransport.Configuration()
        configuration.tls.trustRoots = .systemAnd(pem: authority.rootPEM)
        try await withTransport(server, configuration) { transport in
            try await transport.check(server.request(), answers: "ok")
            #expect(await transport.failure(stranger.request())?.kind == .tls)
        }
        await stranger.shutdown()
    }

    @Test("verification can be disabled for one transport only")
    func trustsEveryoneWhenToldTo() async throws {
        let server = try await server(.selfSigned(hosts: ["example.com"]))
        var configuration = NIOTransport.Configuration()
        configuration.tls.verification = .none
        // Of the library itself; `HostBlockProgramTests` reads the warning on standard error.
        #expect(configuration.tls.warnsOfMissingVerification)
        let strict = NIOTransport()
        try await withTransport(server, configuration) { transport in
            try await transport.check(server.request(), answers: "ok")
            #expect(await strict.failure(server.request())?.kind == .tls)
        }
        await strict.shutdown()
    }

    @Test func tellsAPlainServerFromATLSServer() async throws {
        let plain = try await LoopbackServer.start(raw: [.send("HTTP/1.1 400 Bad Request\r\n\r\n"), .hold])
        try await withTransport(plain) { transport in
            var request = plain.request()
            request.origin = Origin(scheme: .https, host: "127.0.0.1", port: plain.port)
            #expect(await transport.failure(request)?.kind == .tls)
        }
    }

    @Test(
        "a connection that breaks in the handshake is a failed connection, and the request was not sent",
        arguments: [[.close], [.reset], [.awaitBytes(100), .close], [.awaitBytes(100), .reset]] as [RawScript]
    )
    func breaksAreNotTLSFailures(script: RawScript) async throws {
        let server = try await LoopbackServer.start(raw: script)
        let origin = Origin(scheme: .https, host: "127.0.0.1", port: server.port)
        try await withTransport(server) { transport in
            var request = server.request()
            request.origin = origin
            let failure = await transport.failure(request)
            #expect(failure?.kind == .connect && failure?.fate == .unsent)
            // A reset that comes at once may be seen before the connection counts as made.
            let words = ["\(origin) closed the connection during the TLS handshake", "can't connect to \(origin)"]
            #expect(words.contains { failure?.message.hasPrefix($0) == true }, "\(failure as Any)")
        }
    }

    @Test("after such a break even a POST is sent again")
    func breaksAreRetried() async throws {
        let server = try await LoopbackServer.start(raw: [.awaitBytes(100), .reset])
        try await withTransport(server) { transport in
            let site = Resource("https://127.0.0.1:\(server.port)", transport: transport.watched) {
                $0.retry = RetryPolicy(backoff: RetryBackoff(base: .milliseconds(1), cap: .milliseconds(2)))
            }
            let error = await #expect(throws: CumulusError.self) { try await site.post(body: "x") }
            #expect(error?.code == .connect && error?.isTransient == true)
            #expect(error?.attempts.count == 3 && server.counts.connectionsAccepted == 3, "\(error as Any)")
        }
    }

    @Test("an alert is final") func alertsAreFinal() async throws {
        // A fatal handshake_failure (RFC 8446 section 6).
        let server = try await LoopbackServer.start(raw: [.awaitBytes(100), .send([21, 3, 3, 0, 2, 2, 40]), .hold])
        try await withTransport(server) { transport in
            let site = Resource("https://127.0.0.1:\(server.port)", transport: transport.watched)
            let error = await #expect(throws: CumulusError.self) { try await site.get() }
            #expect(error?.code == .tls && error?.isTransient == false)
            #expect(server.counts.connectionsAccepted == 1)
        }
    }

    @Test func aBodyCutWithoutTheEndOfTLSIsTruncated() async throws {
        let authority = try TestCertificateAuthority()
        let cut = try await LoopbackServer.start(
            tls: .issued(by: authority),
            raw: .response("HTTP/1.1 200 OK\r\n\r\nall of it?")
        )
        try await withTransport(cut, trusting(authority.rootPEM)) { transport in
            #expect(await transport.failure(cut.request())?.kind == .truncated)
        }
        let whole = try await LoopbackServer.start(
            tls: .issued(by: authority),
            raw: .response("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nall.")
        )
        try await withTransport(whole, trusting(authority.rootPEM)) { transport in
            try await transport.check(whole.request(), answers: "all.")
        }
    }

    @Test func unusableSettingsAreATLSFailure() async throws {
        let server = try await server(.selfSigned())
        var configuration = NIOTransport.Configuration()
        configuration.tls.trustRoots = .files(["/nonexistent.pem"])
        try await withTransport(server, configuration) { transport in
            #expect(await transport.failure(server.request())?.kind == .tls)
            #expect(server.counts.connectionsAccepted == 0)
        }
    }

    @Test func findsIssuerAndSubjectInACertificate() throws {
        let selfSigned = try TestCertificateAuthority.selfSigned(hosts: ["a"]).certificatesPEM[0]
        let issued = try TestCertificateAuthority().issue(hosts: ["a"]).certificatesPEM[0]
        for (pem, expected) in [(selfSigned, true), (issued, false)] {
            let der = try NIOSSLCertificate(bytes: Array(pem.utf8), format: .pem).toDERBytes()
            #expect(CertificateNames(der: der).isSelfIssued == expected)
            #expect(CertificateNames(der: der).dnsNames == [Array("a".utf8)])
            for cut in der.indices { #expect(CertificateNames(der: Array(der[..<cut])).dnsNames.isEmpty) }
        }
    }

    @Test("an address matches itself and no name") func matchesAddresses() throws {
        let pem = try TestCertificateAuthority.selfSigned(hosts: ["10.0.0.1", "a"]).certificatesPEM[0]
        let names = CertificateNames(der: try NIOSSLCertificate(bytes: Array(pem.utf8), format: .pem).toDERBytes())
        #expect(names.addresses == [[10, 0, 0, 1]])
        #expect(names.include(address: "10.0.0.1"))
        for other in ["10.0.0.2", "::a00:1", "::ffff:10.0.0.1", "a", "", "10.0.0.1.example"] {
            #expect(!names.include(address: other))
        }
        #expect(!names.include(host: "10.0.0.1"))
    }

    @Test(
        "a wildcard matches one whole label and nothing else",
        arguments: [
            ("*.example.com", "a.example.com", true), ("*.Example.com", "A.example.COM", true),
            ("example.com", "example.com", true), ("*.example.com", "example.com", false),
            ("*.example.com", "a.b.example.com", false), ("a*.example.com", "ab.example.com", false),
            ("x*.example.com", "xn--a.example.com", false), ("*.com", "example.com", false), ("*", "localhost", false),
            ("a.*.com", "a.example.com", false), ("example.com", "example.org", false),
            ("example.com", "evil.example.com", false), ("*.example.com", ".example.com", false),
        ]
    )
    func matchesNames(_ pattern: String, _ host: String, _ isMatch: Bool) throws {
        let pem = try TestCertificateAuthority.selfSigned(hosts: [pattern]).certificatesPEM[0]
        let der = try NIOSSLCertificate(bytes: Array(pem.utf8), format: .pem).toDERBytes()
        #expect(CertificateNames(der: der).include(host: host) == isMatch)
    }
}

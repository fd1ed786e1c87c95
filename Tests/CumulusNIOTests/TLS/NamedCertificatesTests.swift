// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTestServer
import HTTPTypes
import NIOSSL
import Testing

@testable import CumulusNIO

/// Certificates that are trusted themselves, although they may not sign others.
@Suite(.timeLimit(.minutes(1))) struct NamedCertificatesTests {
    /// How a server's certificate is named.
    enum Naming: CaseIterable {
        case alone, besideOthers, besideTheSystems, withPin
    }

    private func server(
        isSelfSigned: Bool,
        hosts: [String] = ["localhost", "127.0.0.1"],
        validity: TestCertificateAuthority.Validity = .current
    ) async throws -> (LoopbackServer, leaf: String) {
        var tls = try ServerTLS.issued(by: TestCertificateAuthority(name: "Stranger"), hosts: hosts, validity: validity)
        if isSelfSigned {
            tls.identity = try TestCertificateAuthority.selfSigned(
                hosts: hosts,
                validity: validity,
                isItsOwnAuthority: false
            )
        }
        let server = try await LoopbackServer.start(tls: tls) { routes in routes.get("/") { _ in .text("ok") } }
        return (server, tls.identity.certificatesPEM[0])
    }

    private func configuration(naming leaf: String, _ naming: Naming = .alone) throws -> NIOTransport.Configuration {
        var configuration = NIOTransport.Configuration()
        let leaf = Array("\(leaf)\n".utf8)
        switch naming {
        case .alone: configuration.tls.trustRoots = .pem(leaf)
        case .besideOthers:
            let others = try (0..<3).map { try TestCertificateAuthority(name: "Other \($0)").rootPEM }
            configuration.tls.trustRoots = .pem(Array(others.joined(separator: "\n").utf8) + [0x0A] + leaf)
        case .besideTheSystems: configuration.tls.trustRoots = .systemAnd(pem: leaf)
        case .withPin:
            configuration.tls.trustRoots = .pem(leaf)
            configuration.tls.pins = ["*": [try .init(certificate: leaf)]]
        }
        return configuration
    }

    @Test("a server's own certificate is trusted if it is named", arguments: Naming.allCases, [true, false])
    func isTrusted(_ naming: Naming, _ isSelfSigned: Bool) async throws {
        let (server, leaf) = try await server(isSelfSigned: isSelfSigned)
        try await withTransport(server, try configuration(naming: leaf, naming)) { transport in
            for host in ["127.0.0.1", "localhost"] {
                for isReused in [false, true] {
                    let answer = try await transport.exchange(server.request(host: host))
                    #expect(answer.text == "ok" && answer.facts.isReused == isReused)
                }
            }
            // One that BoringSSL refused, and the one that was used, for each origin.
            #expect(server.counts.connectionsAccepted == 4)
        }
    }

    @Test("later connections to such a server need no second handshake") func isRemembered() async throws {
        let (server, leaf) = try await server(isSelfSigned: true)
        try await withTransport(server, try configuration(naming: leaf)) { transport in
            for accepted in [2, 3, 4] {
                var request = server.request()
                request.headers[.connection] = "close"
                _ = try await transport.exchange(request)
                #expect(server.counts.connectionsAccepted == accepted)
                try await transport.waitForConnections(all: 0, idle: 0)
            }
        }
    }

    @Test(
        "a named certificate is refused out of its time, for another host, without its key, and instead of its pin",
        arguments: ["expired", "future", "host", "address", "other", "pin"],
        [true, false]
    )
    func isRefused(_ what: String, _ isSelfSigned: Bool) async throws {
        let validity: TestCertificateAuthority.Validity =
            switch what {
            case "expired": .expired
            case "future": .notYetValid
            default: .current
            }
        let hosts = what == "host" ? ["127.0.0.1"] : what == "address" ? ["localhost", "127.0.0.2"] : ["127.0.0.1"]
        let (server, leaf) = try await server(isSelfSigned: isSelfSigned, hosts: hosts, validity: validity)
        let (stranger, other) = try await self.server(isSelfSigned: isSelfSigned, hosts: hosts)
        var configuration = try configuration(naming: what == "other" ? other : leaf)
        if what == "pin" { configuration.tls.pins = ["*": [try .init(certificate: Array(other.utf8))]] }
        let reason =
            switch what {
            case "expired": "has expired"
            case "future": "not valid yet"
            case "host", "address": "not valid for this host"
            case "pin": "not one of the pinned keys"
            default: isSelfSigned ? "self-signed" : "issuer is not trusted"
            }
        try await withTransport(server, configuration) { transport in
            let failure = await transport.failure(server.request(host: what == "host" ? "localhost" : "127.0.0.1"))
            #expect(failure?.kind == .tls && failure?.fate == .unsent)
            #expect(failure?.message.contains(reason) == true, "\(failure as Any)")
            #expect(server.counts.requestsBegun == 0)
        }
        await stranger.shutdown()
    }

    @Test("a server that was compared, and now has another certificate, is verified again") func isForgotten() throws {
        struct Refusal: Error, CustomStringConvertible { var description: String { "CERTIFICATE_VERIFY_FAILED" } }
        let pem = try TestCertificateAuthority.selfSigned(hosts: ["a"], isItsOwnAuthority: false).certificatesPEM[0]
        let leaf = try NIOSSLCertificate(bytes: Array(pem.utf8), format: .pem)
        let authority = try TestCertificateAuthority().rootPEM
        let other = try NIOSSLCertificate(bytes: Array(authority.utf8), format: .pem)
        let origin = Origin(scheme: .https, host: "a")
        let named = NamedCertificates(.pem(pem))
        func change(_ wasCompared: Bool, _ certificate: NIOSSLCertificate?, _ error: any Error = Refusal()) -> Bool {
            named.change(for: origin, wasCompared: wasCompared, error, certificate)
        }
        #expect(!change(false, other) && !change(false, nil) && !change(false, leaf, CancellationError()))
        #expect(!named.areCompared(for: origin))
        #expect(change(false, leaf) && named.areCompared(for: origin))
        #expect(!named.areCompared(for: Origin(scheme: .https, host: "b")))
        // Another connection, begun before that was known.
        #expect(change(false, leaf) && named.areCompared(for: origin))
        #expect(!change(true, other, CancellationError()) && named.areCompared(for: origin))
        #expect(change(true, other) && !named.areCompared(for: origin))
        #expect(!NamedCertificates(.system).change(for: origin, wasCompared: false, Refusal(), leaf))
    }

    @Test("many connections at once to such a server are all accepted") func manyAtOnce() async throws {
        let (server, leaf) = try await server(isSelfSigned: true)
        try await withTransport(server, try configuration(naming: leaf)) { transport in
            try await withThrowingTaskGroup(of: String.self) { group in
                for _ in 0..<16 { group.addTask { try await transport.exchange(server.request()).text } }
                for try await text in group { #expect(text == "ok") }
            }
        }
    }
}

// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTesting
import Testing

@testable import CumulusNIO

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite(.timeLimit(.minutes(1))) struct ClientCertificateTests {
    private typealias Identity = NIOTransport.Configuration.TLS.Identity

    @Test(
        "a server that asks gets the client's certificate, and nobody without one is let in",
        arguments: ["right", "stranger", "none"]
    )
    func showsItsCertificate(_ who: String) async throws {
        let authority = try TestCertificateAuthority()
        var tls = try ServerTLS.issued(by: authority)
        tls.clientRootPEM = authority.rootPEM
        var configuration = NIOTransport.Configuration()
        configuration.tls.trustRoots = .pem(Array(authority.rootPEM.utf8))
        let issuer = who == "right" ? authority : try TestCertificateAuthority(name: "Stranger")
        let issued = try issuer.issue(hosts: ["me"])
        if who != "none" {
            configuration.tls.identity = Identity(
                certificateChain: Array(issued.certificatesPEM.joined(separator: "\n").utf8),
                privateKey: Array(issued.privateKeyPEM.utf8)
            )
        }
        let server = try await LoopbackServer.start(tls: tls) { routes in routes.get("/") { _ in .text("let in") } }
        try await withTransport(server, configuration) { transport in
            if who == "right" {
                try await transport.check(server.request(), answers: "let in")
            } else {
                #expect(await transport.failure(server.request()) != nil)
                #expect(server.counts.requestsBegun == 0)
            }
        }
    }

    @Test("T-55 transports with different TLS settings never share a connection")
    func sharesNoConnectionBetweenSettings() async throws {
        let authority = try TestCertificateAuthority()
        let server = try await LoopbackServer.start(tls: .issued(by: authority)) { routes in
            routes.get("/") { request in .text("\(request.connection)") }
        }
        var configuration = NIOTransport.Configuration()
        configuration.tls.trustRoots = .pem(Array(authority.rootPEM.utf8))
        let trusting = NIOTransport(configuration: configuration)
        try await trusting.check(server.request(), answers: "1")
        // The kept connection is there, and is for nobody else.
        let strict = NIOTransport()
        #expect(await strict.failure(server.request())?.kind == .tls)
        configuration.tls.minimumVersion = .tls13
        try await withTransport(server, configuration) { other in
            try await other.check(server.request(), answers: "3")
            try await trusting.check(server.request(), answers: "1")
        }
        await strict.shutdown()
        await trusting.shutdown()
    }

    @Test func readsCertificateAndKeyFromFiles() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "cumulus-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let (certificate, key) = (folder.appending(path: "a.pem"), folder.appending(path: "b.pem"))
        try Data("certificate".utf8).write(to: certificate)
        try Data("key".utf8).write(to: key)
        let apart = try Identity(certificateFile: certificate.path, keyFile: key.path)
        #expect(apart == Identity(certificateChain: Array("certificate".utf8), privateKey: Array("key".utf8)))
        let together = try Identity(certificateFile: certificate.path)
        #expect(together.privateKey == together.certificateChain)
        #expect(throws: (any Error).self) { try Identity(certificateFile: "/nonexistent.pem") }
    }

    @Test func anIdentityThatIsNoneIsATLSFailure() async throws {
        var configuration = NIOTransport.Configuration()
        configuration.tls.identity = Identity(certificateChain: Array("no".utf8), privateKey: Array("no".utf8))
        let server = try await LoopbackServer.start(tls: .selfSigned())
        try await withTransport(server, configuration) { transport in
            #expect(await transport.failure(server.request())?.kind == .tls)
            #expect(server.counts.connectionsAccepted == 0)
        }
    }
}

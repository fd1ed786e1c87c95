// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTestServer
import Synchronization
import TestSupport
import Testing

@testable import CumulusNIO

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite(.timeLimit(.minutes(10))) struct ClientCertificateTests {
    typealias Identity = NIOTransport.Configuration.TLS.Identity

    @Test(
        "a server that asks gets the client's certificate, and refuses clients without one",
        arguments: ["right", "stranger", "none"]
    )
    func showsItsCertificate(_ who: String) async throws {
        let authority = try TestCertificateAuthority()
        var tls = try ServerTLS.issued(by: authority)
        tls.clientRootPEM = authority.rootPEM
        var configuration = NIOTransport.Configuration()
        configuration.tls.trustRoots = .pem(authority.rootPEM)
        let issuer = who == "right" ? authority : try TestCertificateAuthority(name: "Stranger")
        let issued = try issuer.issue(hosts: ["me"])
        let server = try await LoopbackServer.start(tls: tls) { routes in routes.get("/") { _ in .text("let in") } }
        if who != "none" { configuration.tls.identities[server.request().origin] = Identity(issued) }
        try await withTransport(server, configuration) { transport in
            if who == "right" {
                try await transport.check(server.request(), answers: "let in")
            } else {
                #expect(await transport.failure(server.request()) != nil)
                #expect(server.counts.requestsBegun == 0)
            }
        }
    }

    @Test("a certificate is only sent to its own origin, on connections that nothing else uses")
    func showsItToItsOriginOnly() async throws {
        let authority = try TestCertificateAuthority()
        var tls = try ServerTLS.issued(by: authority)
        tls.clientRootPEM = authority.rootPEM
        let identity = Identity(try authority.issue(hosts: ["me"]))
        let server = try await LoopbackServer.start(tls: tls) { routes in routes.get("/") { _ in .text("let in") } }
        var configuration = NIOTransport.Configuration()
        configuration.tls.trustRoots = .pem(authority.rootPEM)
        // Another port, another name, and the name of the same server.
        for other in [
            Origin(scheme: .https, host: "127.0.0.1", port: server.port ^ 1),
            Origin(scheme: .https, host: "localhost", port: server.port),
            Origin(scheme: .http, host: "127.0.0.1", port: server.port),
        ] {
            configuration.tls.identities[other] = identity
        }
        let stranger = NIOTransport(configuration: configuration)
        #expect(await stranger.failure(server.request()) != nil)
        await stranger.shutdown()
        configuration.tls.identities = [server.request().origin: identity]
        try await withTransport(server, configuration) { transport in
            try await transport.check(server.request(), answers: "let in")
            try await transport.waitForConnections(all: 1, idle: 1)
            // As after a redirect: the kept connection is identified, and must not be used.
            var astray = server.request()
            astray.offersIdentity = false
            #expect(await transport.failure(astray) != nil)
            #expect(server.counts.requestsBegun == 1)
            try await transport.check(server.request(), answers: "let in")
        }
    }

    @Test("a redirect that leads away and back gets no certificate") func showsNoneOnReturn() async throws {
        let authority = try TestCertificateAuthority()
        var tls = try ServerTLS.issued(by: authority)
        tls.clientRootPEM = authority.rootPEM
        let port = Mutex(0)
        let away = try await LoopbackServer.start { routes in
            routes.get("/") { _ in .redirect(to: "https://127.0.0.1:\(port.withLock(\.self))/back") }
        }
        let server = try await LoopbackServer.start(tls: tls) { routes in
            routes.get("/") { _ in .redirect(to: "http://127.0.0.1:\(away.port)/") }
            routes.get("/near") { _ in .redirect(to: "/back") }
            routes.get("/back") { _ in .text("let in") }
        }
        port.withLock { $0 = server.port }
        var configuration = NIOTransport.Configuration()
        configuration.tls.trustRoots = .pem(authority.rootPEM)
        configuration.tls.identities[server.request().origin] = Identity(try authority.issue(hosts: ["me"]))
        try await withTransport(server, configuration) { transport in
            let site = Resource("https://127.0.0.1:\(server.port)", transport: transport.watched) {
                $0.redirects.allowsDowngrade = true
            }
            let near: Response = try await site["near"].get()
            #expect(near.text == "let in")
            await #expect(throws: CumulusError.self) { let _: Response = try await site.get() }
            #expect(!server.requests.dropFirst(2).contains { $0.path == "/back" })
        }
        await away.shutdown()
    }

    @Test("transports with different TLS settings never share a connection")
    func sharesNoConnectionBetweenSettings() async throws {
        let authority = try TestCertificateAuthority()
        let server = try await LoopbackServer.start(tls: .issued(by: authority)) { routes in
            routes.get("/") { request in .text("\(request.connection)") }
        }
        var configuration = NIOTransport.Configuration()
        configuration.tls.trustRoots = .pem(authority.rootPEM)
        let trusting = NIOTransport(configuration: configuration)
        try await trusting.check(server.request(), answers: "1")
        // The kept connection exists, but only for its own transport.
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

    @Test(
        "a server that wants or refuses a certificate is a TLS failure that says so, and is asked once, whenever it refuses",
        arguments: [ServerTLS.Version.tls12, .tls13],
        [("http/1.1", false), ("h2", false), ("http/1.1", true), ("h2", true)]
    )
    func refusals(_ version: ServerTLS.Version, _ way: (protocolName: String, isStranger: Bool)) async throws {
        let authority = try TestCertificateAuthority()
        var tls = try ServerTLS.issued(by: authority)
        tls.clientRootPEM = authority.rootPEM
        (tls.maximumVersion, tls.applicationProtocols) = (version, [way.protocolName])
        let server = try await LoopbackServer.start(tls: tls) { routes in routes.get("/") { _ in .text("let in") } }
        var configuration = NIOTransport.Configuration()
        configuration.tls.trustRoots = .pem(authority.rootPEM)
        if way.isStranger {
            let stranger = try TestCertificateAuthority(name: "Stranger").issue(hosts: ["me"])
            configuration.tls.identities[server.request().origin] = Identity(stranger)
        }
        try await withTransport(server, configuration) { transport in
            let site = Resource("https://127.0.0.1:\(server.port)", transport: transport.watched) {
                $0.retry = RetryPolicy(backoff: RetryBackoff(base: .milliseconds(1), cap: .milliseconds(2)))
            }
            let error = await #expect(throws: CumulusError.self) { try await site.get() }
            #expect(error?.code == .tls && error?.isTransient == false, "\(error as Any)")
            let words =
                way.isStranger
                ? "does not accept the client certificate (unknown authority)"
                : version == .tls13
                    ? "requires a client certificate, but none was sent" : "may require a client certificate"
            #expect(error?.message.contains(words) == true, "\(error as Any)")
            let reason = (error?.cause as? TransportFailure)?.reason
            #expect(reason == (way.isStranger ? .refusedClientCertificate : .missingClientCertificate))
            #expect(server.counts.requestsBegun == 0 && server.counts.connectionsAccepted == 1)
        }
    }

    @Test("an https proxy that wants a certificate is a TLS failure with the proxy", arguments: ["http", "https"])
    func proxyRefuses(_ scheme: String) async throws {
        let authority = try TestCertificateAuthority()
        var tls = try ServerTLS.issued(by: authority)
        tls.clientRootPEM = authority.rootPEM
        let server = try await LoopbackServer.start(tls: tls) { routes in routes.get("/") { _ in .text("let in") } }
        var configuration = NIOTransport.Configuration()
        configuration.tls.trustRoots = .pem(authority.rootPEM)
        try await withTransport(server, configuration) { transport in
            let site = Resource("\(scheme)://site.invalid", transport: transport.watched)
            let policy = try ProxyPolicy.url("https://127.0.0.1:\(server.port)")
            site.setRules { $0.proxy = policy }
            let error = await #expect(throws: CumulusError.self) { try await site.get() }
            #expect(error?.code == .tls && error?.isTransient == false, "\(error as Any)")
            #expect(error?.message.contains("the proxy requires a client certificate") == true, "\(error as Any)")
        }
    }

    @Test(
        "each mistake with a certificate and its key has its own words",
        arguments: [
            ("no certificate", "contains no client certificate"),
            ("damaged certificate", "client certificate can't be read"),
            ("no key", "key is missing"), ("damaged key", "private key can't be read"), ("PKCS #8", "is encrypted"),
            ("older form", "is encrypted"), ("other key", "does not belong to the client certificate"),
            ("order", "belongs to certificate 2"),
        ]
    )
    func mistakes(_ what: String, _ words: String) async throws {
        let authority = try TestCertificateAuthority()
        let own = try authority.issue(hosts: ["me"])
        var identity = Identity(own)
        func pem(_ label: String, _ head: String = "") -> [UInt8] {
            Array("-----BEGIN \(label)-----\n\(head)AAAA\n-----END \(label)-----\n".utf8)
        }
        switch what {
        case "no certificate": identity.certificateChain = identity.privateKey
        case "damaged certificate": identity.certificateChain = pem("CERTIFICATE")
        case "no key": identity.privateKey = identity.certificateChain
        case "damaged key": identity.privateKey = pem("PRIVATE KEY")
        case "PKCS #8": identity.privateKey = pem("ENCRYPTED PRIVATE KEY")
        case "older form":
            let head = "Proc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,00112233445566778899AABBCCDDEEFF\n\n"
            identity.privateKey = pem("EC PRIVATE KEY", head)
        case "other key": identity.privateKey = Array(try authority.issue(hosts: ["me"]).privateKeyPEM.utf8)
        default: identity.certificateChain = Array(own.certificatesPEM.reversed().joined(separator: "\n").utf8)
        }
        let server = try await LoopbackServer.start(tls: .issued(by: authority))
        var configuration = NIOTransport.Configuration()
        configuration.tls.identities[server.request().origin] = identity
        try await withTransport(server, configuration) { transport in
            let failure = await transport.failure(server.request())
            #expect(failure?.kind == .tls && failure?.message.contains(words) == true, "\(failure as Any)")
            #expect(server.counts.connectionsAccepted == 0)
        }
    }

    @Test func anIdentityThatIsNoneIsATLSFailure() async throws {
        var configuration = NIOTransport.Configuration()
        let server = try await LoopbackServer.start(tls: .selfSigned())
        let identity = Identity(certificateChain: Array("no".utf8), privateKey: Array("no".utf8))
        configuration.tls.identities[server.request().origin] = identity
        try await withTransport(server, configuration) { transport in
            #expect(await transport.failure(server.request())?.kind == .tls)
            #expect(server.counts.connectionsAccepted == 0)
        }
    }
}

extension ClientCertificateTests.Identity {
    /// Makes an identity from a certificate for tests.
    fileprivate init(_ issued: TestCertificateAuthority.Identity) {
        self.init(
            certificateChain: Array(issued.certificatesPEM.joined(separator: "\n").utf8),
            privateKey: Array(issued.privateKeyPEM.utf8)
        )
    }
}

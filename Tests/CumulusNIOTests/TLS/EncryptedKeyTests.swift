// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTestServer
import TestSupport
import Testing

@testable import CumulusNIO

/// A client certificate whose key has a passphrase.
@Suite(.timeLimit(.minutes(10))) struct EncryptedKeyTests {
    private typealias Identity = NIOTransport.Configuration.TLS.Identity

    private func problem(_ key: String, _ passphrase: Secret<String>?) -> ClientCertificate.Problem? {
        let identity = Identity(
            certificateChain: Array(EncryptedIdentity.certificate.utf8),
            privateKey: Array(key.utf8),
            passphrase: passphrase
        )
        do {
            return try ClientCertificate(identity).problem
        } catch {
            return error
        }
    }

    @Test("Both forms are decrypted", arguments: [EncryptedIdentity.pkcs8, EncryptedIdentity.traditional])
    func decrypted(key: String) {
        #expect(problem(key, "hunter2") == nil)
        #expect(problem(key, "hunter3") == .wrongPassphrase)
        #expect(problem(key, "") == .wrongPassphrase)
        #expect(problem(key, nil) == .encryptedKey)
    }

    @Test func passphraseThatNIOSSLCanNotTakeIsRefused() {
        #expect(problem(EncryptedIdentity.pkcs8, "caf\u{E9}") == .unusablePassphrase)
        #expect(problem(EncryptedIdentity.pkcs8, Secret(String(repeating: "x", count: 1_024))) == .unusablePassphrase)
        #expect(problem(EncryptedIdentity.pkcs8, Secret(String(repeating: "x", count: 1_023))) == .wrongPassphrase)
    }

    @Test func keyThatIsNotEncryptedNeedsNone() throws {
        let issued = try TestCertificateAuthority().issue(hosts: ["me"])
        let identity = Identity(
            certificateChain: Array(issued.certificatesPEM[0].utf8),
            privateKey: Array(issued.privateKeyPEM.utf8),
            passphrase: "not needed"
        )
        #expect(try ClientCertificate(identity).problem == nil)
    }

    @Test func serverGetsTheCertificate() async throws {
        var tls = try ServerTLS.selfSigned()
        tls.clientRootPEM = EncryptedIdentity.certificate
        let server = try await LoopbackServer.start(tls: tls) { routes in routes.get("/") { _ in .text("let in") } }
        var configuration = NIOTransport.Configuration()
        configuration.tls.trustRoots = .pem(tls.rootPEM)
        configuration.tls.identities[server.request().origin] = Identity(
            certificateChain: Array(EncryptedIdentity.certificate.utf8),
            privateKey: Array(EncryptedIdentity.pkcs8.utf8),
            passphrase: "hunter2"
        )
        try await withTransport(server, configuration) { transport in
            try await transport.check(server.request(), answers: "let in")
        }
    }
}

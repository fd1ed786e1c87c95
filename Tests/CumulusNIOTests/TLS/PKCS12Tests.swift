// SPDX-License-Identifier: Apache-2.0

import CLibraries
import CumulusCore
import CumulusTestServer
import NIOSSL
import TestSupport
import Testing

@testable import CumulusNIO

/// A client certificate in a PKCS#12 file.
@Suite(.timeLimit(.minutes(10)), .enabled(if: clibraries_pkcs12_missing() == nil)) struct PKCS12Tests {
    private typealias Identity = NIOTransport.Configuration.TLS.Identity

    private func problem(_ file: [UInt8], _ passphrase: Secret<String>?) -> ClientCertificate.Problem? {
        do {
            return try ClientCertificate(Identity(certificateChain: file, privateKey: [], passphrase: passphrase))
                .problem
        } catch {
            return error
        }
    }

    @Test(arguments: [PKCS12Files.usual, PKCS12Files.old])
    func fileIsOpenedByItsPassphrase(file: [UInt8]) throws {
        #expect(problem(file, "hunter2") == nil)
        #expect(problem(file, "hunter3") == .wrongPassphrase)
        #expect(problem(file, "hunter2\0") == .wrongPassphrase)
        #expect(problem(file, "caf\u{E9}") == .wrongPassphrase)
        #expect(problem(file, "") == .wrongPassphrase)
        #expect(problem(file, nil) == .encryptedKey)
        let identity = Identity(certificateChain: file, privateKey: [])
        #expect(PKCS12File(identity)?.isLocked == true)
    }

    @Test func emptyPassphraseIsTriedFirst() {
        let identity = Identity(certificateChain: PKCS12Files.withoutPassphrase, privateKey: [])
        #expect(problem(PKCS12Files.withoutPassphrase, nil) == nil && PKCS12File(identity)?.isLocked == false)
    }

    @Test func issuersFollowTheCertificate() throws {
        let authority = try TestCertificateAuthority()
        let issued = try authority.issue(hosts: ["me"])
        let chain = try NIOSSLCertificate.fromPEMBytes(
            Array((issued.certificatesPEM[0] + "\n" + authority.rootPEM).utf8)
        )
        let key = try NIOSSLPrivateKey(bytes: Array(issued.privateKeyPEM.utf8), format: .pem)
        let file = try NIOSSLPKCS12Bundle(certificateChain: chain, privateKey: key).serialize(passphrase: "x".utf8)
        let certificate = try ClientCertificate(Identity(certificateChain: file, privateKey: [], passphrase: "x"))
        #expect(try certificate.chain.map { try $0.toDERBytes() } == chain.map { try $0.toDERBytes() })
    }

    @Test func incompleteFileIsNamed() {
        #expect(problem(PKCS12Files.withoutKey, "hunter2") == .fileWithoutKey)
        #expect(problem(PKCS12Files.withoutCertificate, "hunter2") == .fileWithoutCertificate)
    }

    @Test func keyOfAnotherCertificateIsNamed() {
        #expect(problem(PKCS12Files.withOtherKey, "hunter2") == .otherKey)
    }

    @Test func fileThatIsCutOrChangedIsRefused() {
        let file = PKCS12Files.usual
        for count in stride(from: 8, to: file.count, by: 13) {
            #expect(problem(Array(file.prefix(count)), "hunter2") != nil, "\(count)")
        }
        var numbers = SeededNumbers(12)
        for _ in 0..<300 {
            var changed = file
            changed[Int.random(in: 7..<file.count, using: &numbers)] ^= UInt8.random(in: 1...255, using: &numbers)
            // Some bytes are names that nothing depends on; that it returns is the test.
            _ = problem(changed, "hunter2")
        }
    }

    @Test func certificateIsNotAPKCS12File() {
        #expect(PKCS12File.isOne(PKCS12Files.usual))
        // BER without a length.
        #expect(PKCS12File.isOne([0x30, 0x80, 0x02, 0x01, 0x03, 0x30]))
        for bytes: [UInt8] in [[], [0x30], [0x30, 0x82], [0x30, 0xFF, 0x02], [0x30, 0x82, 0x01, 0x70, 0x30, 0x82]] {
            #expect(!PKCS12File.isOne(bytes))
        }
        #expect(!PKCS12File.isOne(Array(EncryptedIdentity.certificate.utf8)))
    }

    @Test func serverGetsTheCertificate() async throws {
        var tls = try ServerTLS.selfSigned()
        tls.clientRootPEM = EncryptedIdentity.certificate
        let server = try await LoopbackServer.start(tls: tls) { routes in routes.get("/") { _ in .text("let in") } }
        let folder = try TemporaryFolder()
        let path = try folder.write(PKCS12Files.usual, to: "me.p12")
        var configuration = NIOTransport.Configuration()
        configuration.tls.trustRoots = .pem(tls.rootPEM)
        configuration.tls.identities[server.request().origin] = try Identity(
            certificateFile: path,
            passphrase: "hunter2"
        )
        try await withTransport(server, configuration) { transport in
            try await transport.check(server.request(), answers: "let in")
        }
    }
}

// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTestServer
import Testing

@testable import CumulusNIO

/// A client certificate whose key has a passphrase.
@Suite(.timeLimit(.minutes(10))) struct EncryptedKeyTests {
    private typealias Identity = NIOTransport.Configuration.TLS.Identity

    private func problem(_ key: String, _ passphrase: Secret<String>?) -> ClientCertificate.Problem? {
        let identity = Identity(
            certificateChain: Array(Self.certificate.utf8),
            privateKey: Array(key.utf8),
            passphrase: passphrase
        )
        do {
            return try ClientCertificate(identity).problem
        } catch {
            return error
        }
    }

    @Test("Both forms are decrypted", arguments: [pkcs8, traditional])
    func decrypted(key: String) {
        #expect(problem(key, "hunter2") == nil)
        #expect(problem(key, "hunter3") == .wrongPassphrase)
        #expect(problem(key, "") == .wrongPassphrase)
        #expect(problem(key, nil) == .encryptedKey)
    }

    @Test func passphraseThatNIOSSLCanNotTakeIsRefused() {
        #expect(problem(Self.pkcs8, "caf\u{E9}") == .unusablePassphrase)
        #expect(problem(Self.pkcs8, Secret(String(repeating: "x", count: 1_024))) == .unusablePassphrase)
        #expect(problem(Self.pkcs8, Secret(String(repeating: "x", count: 1_023))) == .wrongPassphrase)
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
        tls.clientRootPEM = Self.certificate
        let server = try await LoopbackServer.start(tls: tls) { routes in routes.get("/") { _ in .text("let in") } }
        var configuration = NIOTransport.Configuration()
        configuration.tls.trustRoots = .pem(tls.rootPEM)
        configuration.tls.identities[server.request().origin] = Identity(
            certificateChain: Array(Self.certificate.utf8),
            privateKey: Array(Self.pkcs8.utf8),
            passphrase: "hunter2"
        )
        try await withTransport(server, configuration) { transport in
            try await transport.check(server.request(), answers: "let in")
        }
    }

    /// Made by OpenSSL, until 2126.
    private static let certificate = """
        -----BEGIN CERTIFICATE-----
        MIIBcDCCARegAwIBAgIUL8X2/E46lp8n3pMto652kkOsvG4wCgYIKoZIzj0EAwIw
        DTELMAkGA1UEAwwCbWUwIBcNMjYxMTMwMDExMjA3WhgPMjEyNjExMDYwMTEyMDda
        MA0xCzAJBgNVBAMMAm1lMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEHohNFdAX
        8aw1Ol/uHaggtaCPcSPGEYzUxqhLsEc7ps7Gp7WhAJQR/jt8K57kOxseuFosKszr
        /stqT23imKsMEKNTMFEwHQYDVR0OBBYEFJAfQBniG0J3EM4kGnDi27ObeplnMB8G
        A1UdIwQYMBaAFJAfQBniG0J3EM4kGnDi27ObeplnMA8GA1UdEwEB/wQFMAMBAf8w
        CgYIKoZIzj0EAwIDRwAwRAIgNZvR8c4ppyRsyCqMOpOk9D7o+CCWFxBNDFTYpGYa
        aM4CIB58DVQBYCr8P5EOt78YMOpj9il5ooZxLIMHq0VKN4UY
        -----END CERTIFICATE-----
        """
    private static let pkcs8 = """
        -----BEGIN ENCRYPTED PRIVATE KEY-----
        MIHsMFcGCSqGSIb3DQEFDTBKMCkGCSqGSIb3DQEFDDAcBAhH9wAnlB5WxQICCAAw
        DAYIKoZIhvcNAgkFADAdBglghkgBZQMEASoEECBm5SR6BHxS9AHr2T0af3gEgZCf
        a9quQ2ivOG35d4PWDnsb5s6a4IPp8VDiTM9x3aaiplhF1ludDNtj9kP/MBIB/RxK
        2U9qE8pg0AR0pZCB1iPq1/1rBEvlXVfPvvQjDFzU087g1JQkBNcmoIv6j1/88c7w
        HxRyYw8t/xSIPDAx1gqkh8mHgC6a6R7hLaQuy5PDHAUKyA3oPlb2xdk0PRxrPNk=
        -----END ENCRYPTED PRIVATE KEY-----
        """
    private static let traditional = """
        -----BEGIN EC PRIVATE KEY-----
        Proc-Type: 4,ENCRYPTED
        DEK-Info: AES-256-CBC,E09AD89CDA9BB6742EC57A6A1E6BEB56

        7bBCK7Cw8wbm6RpmyLRCaKzKvw4vv7vXPCIxzfcXa/DLrSCPJomXfVVY6VVAG9wG
        cwp/vYbffAVj5zMhotw3Xr9EcxBYjoD5ZLaopQU7mlzzj+NTepTmKp1RbiQ8A01U
        zsLuABeX4sRyg4FrP4aD5QDmShCo/znIj2M7lL19/nQ=
        -----END EC PRIVATE KEY-----
        """
}

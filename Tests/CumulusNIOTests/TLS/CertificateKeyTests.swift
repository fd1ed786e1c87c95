// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTestServer
import Testing

@testable import CumulusNIO

/// Servers whose certificates have other keys than RSA and P-256.
@Suite(.timeLimit(.minutes(10))) struct CertificateKeyTests {
    enum Key: CaseIterable, Sendable { case ed25519, p521 }

    @Test("servers with Ed25519 and P-521 keys are served and verified", arguments: Key.allCases)
    func keys(_ key: Key) async throws {
        let (certificate, privateKey) = Self.identity(key)
        var tls = try ServerTLS.selfSigned()
        tls.identity.certificatesPEM = [certificate]
        tls.identity.privateKeyPEM = privateKey
        let server = try await LoopbackServer.start(tls: tls) { routes in routes.get("/") { _ in .text("ok") } }
        var configuration = NIOTransport.Configuration()
        configuration.tls.trustRoots = .pem(certificate)
        try await withTransport(server, configuration) { transport in
            try await transport.check(server.request(host: "localhost"), answers: "ok")
        }
        let other = try await LoopbackServer.start(tls: tls) { routes in routes.get("/") { _ in .text("ok") } }
        try await withTransport(other) { transport in
            let failure = await transport.failure(other.request(host: "localhost"))
            #expect(failure?.kind == .tls && failure?.message.contains("self-signed") == true, "\(failure as Any)")
        }
    }

    @Test("a refusal before the server's certificate, as by servers with DHE only, names no client certificate")
    func nothingInCommon() async throws {
        // A fatal handshake_failure instead of a ServerHello (RFC 8446 section 6.2).
        let server = try await LoopbackServer.start(raw: [.awaitBytes(100), .send([21, 3, 3, 0, 2, 2, 40]), .hold])
        try await withTransport(server) { transport in
            var request = server.request()
            request.origin = Origin(scheme: .https, host: "127.0.0.1", port: server.port)
            let failure = await transport.failure(request)
            #expect(failure?.kind == .tls)
            #expect(
                failure?.message.contains("no cipher suite or type of certificate key in common with this client")
                    == true
            )
            #expect(failure?.message.contains("client certificate") == false, "\(failure?.message ?? "")")
        }
    }

    /// A self-signed certificate for localhost, made by OpenSSL, and its key.
    private static func identity(_ key: Key) -> (certificate: String, privateKey: String) {
        switch key {
        case .ed25519: (ed25519, ed25519Key)
        case .p521: (p521, p521Key)
        }
    }

    private static let ed25519 = """
        -----BEGIN CERTIFICATE-----
        MIIBgjCCATSgAwIBAgIUBCmNrSvyOrtqYGfrLORm7U8ogbYwBQYDK2VwMBQxEjAQ
        BgNVBAMMCWxvY2FsaG9zdDAgFw0yNjExMjgxODEzMzhaGA8yMTI2MTEwNDE4MTMz
        OFowFDESMBAGA1UEAwwJbG9jYWxob3N0MCowBQYDK2VwAyEADdCYBEDr09cE9hvV
        ViwNS4XZSBDy135yz/A1B/T5HnyjgZUwgZIwHQYDVR0OBBYEFD+Rh3U7UiVd2VUP
        OX+EgofSlR6wMB8GA1UdIwQYMBaAFD+Rh3U7UiVd2VUPOX+EgofSlR6wMA8GA1Ud
        EwEB/wQFMAMBAf8wGgYDVR0RBBMwEYIJbG9jYWxob3N0hwR/AAABMA4GA1UdDwEB
        /wQEAwIChDATBgNVHSUEDDAKBggrBgEFBQcDATAFBgMrZXADQQCCb2UFOHymQHV9
        pkfi7ivYDL1E7ivQQa2pJB0yH5FoxY62ipZR9DrdgOH+wqlcLLG/7VrTknrXW3M1
        qAJF9fwG
        -----END CERTIFICATE-----

        """

    private static let ed25519Key = """
        -----BEGIN PRIVATE KEY-----
        MC4CAQAwBQYDK2VwBCIEIKHo/0JtLmbX/bGiz0n3didp3w36Klmpzeb93sGLPMGz
        -----END PRIVATE KEY-----

        """

    private static let p521 = """
        -----BEGIN CERTIFICATE-----
        MIICSjCCAaugAwIBAgIUewluxvrtmQgcRmcroZqId+uz6tkwCgYIKoZIzj0EAwIw
        FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyODE4MTMzOFoYDzIxMjYxMTA0
        MTgxMzM4WjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwgZswEAYHKoZIzj0CAQYFK4EE
        ACMDgYYABAFnwBe7wMt7bPZTEvKH36VBG+/o7XJyNkGuwiqMTuscYsuECOxmalAt
        08H73l/0u7Yhv7Xtlym52xQO00sXhOpuGQA94BQTQSyet+DJI/cDvvlOvWTnSOPa
        Ss6e06LYrtHNerVgpByiF+sq1GN6VYPb96dG9i0piEyDgzcADkvD+/W9yKOBlTCB
        kjAdBgNVHQ4EFgQUmaXU4WRAUXjEhUuw+P6EKtIK+C4wHwYDVR0jBBgwFoAUmaXU
        4WRAUXjEhUuw+P6EKtIK+C4wDwYDVR0TAQH/BAUwAwEB/zAaBgNVHREEEzARggls
        b2NhbGhvc3SHBH8AAAEwDgYDVR0PAQH/BAQDAgKEMBMGA1UdJQQMMAoGCCsGAQUF
        BwMBMAoGCCqGSM49BAMCA4GMADCBiAJCAQtvW4dbWy5DrsyNITw8kIc4EFqMwgZV
        QyHBOFLublWYOMCsH5lEbxZ6dIUnsY/J8FA0q/6WZrBp95KuhrnaY2bWAkIBV2m6
        QYQQajNKWjQKwjLXPerTSKaHZ84IrciE1pYd38Eh8kPGASr8uwbA7SkiE6e7lngc
        A/hjuYa0Jo15FC/RnJk=
        -----END CERTIFICATE-----

        """

    private static let p521Key = """
        -----BEGIN PRIVATE KEY-----
        MIHuAgEAMBAGByqGSM49AgEGBSuBBAAjBIHWMIHTAgEBBEIBmsPkFpuSbcmg0OvW
        NdsYAjadS9nRfNYXoHofMfWXveUjhdLUZJvd61KIRtJlzkBRgub1UX6sOVmQFgD3
        6dN9OdWhgYkDgYYABAFnwBe7wMt7bPZTEvKH36VBG+/o7XJyNkGuwiqMTuscYsuE
        COxmalAt08H73l/0u7Yhv7Xtlym52xQO00sXhOpuGQA94BQTQSyet+DJI/cDvvlO
        vWTnSOPaSs6e06LYrtHNerVgpByiF+sq1GN6VYPb96dG9i0piEyDgzcADkvD+/W9
        yA==
        -----END PRIVATE KEY-----

        """
}

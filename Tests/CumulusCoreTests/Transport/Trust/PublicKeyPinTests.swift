// SPDX-License-Identifier: Apache-2.0

import CumulusTestServer
import TestSupport
import Testing

@testable import CumulusCore

/// Pins of certificates, by `openssl x509 -pubkey -noout | openssl pkey -pubin -outform der | openssl dgst -sha256`.
@Suite struct PublicKeyPinTests {
    @Test(
        "A pin is the digest of the whole key, of whichever type",
        arguments: [
            (ed25519, "/ux/5S51bjdAEX25EDwqpP2nHAlKC+yroU5PpGn3Fu8="),
            (p384, "HD2TBoStuh7+R/4rdnxCOCjuOoDZbUC2MC29C6kPTWM="),
            (rsa, "/lRJtm7INKOYgQUoD0QEeR68OANoG+JWYGJAXy+Oy1k="),
        ]
    )
    func pinEqualsOpenSSLs(certificate: String, expected: String) throws {
        let pin = try PublicKeyPin(certificate: Array(certificate.utf8))
        #expect(pin.description == "sha256/\(expected)")
        #expect(try pin == PublicKeyPin(expected))
    }

    @Test func firstCertificateOfAChainIsPinned() throws {
        let chain = Array((Self.rsa + "\n" + Self.ed25519).utf8)
        #expect(try PublicKeyPin(certificate: chain) == PublicKeyPin(certificate: Array(Self.rsa.utf8)))
    }

    @Test func certificateOfTheTestServerHasAPin() throws {
        let pem = try TestCertificateAuthority.selfSigned(hosts: ["a.example"]).certificatesPEM[0]
        let der = try #require(PEMCertificates(Array(pem.utf8)).first)
        #expect(try PublicKeyPin(der: der) == PublicKeyPin(certificate: Array(pem.utf8)))
    }

    @Test("A certificate that is cut off has no pin", arguments: [ed25519, p384, rsa])
    func truncatedCertificateIsRefused(certificate: String) throws {
        let der = try #require(PEMCertificates(Array(certificate.utf8)).first)
        for length in der.indices { #expect(PublicKeyPin(der: Array(der[..<length])) == nil, "\(length) bytes") }
    }

    @Test func bytesThatAreNoCertificateNeverTrap() throws {
        var numbers = SeededNumbers(7)
        let der = try #require(PEMCertificates(Array(Self.p384.utf8)).first)
        for _ in 1...2_000 {
            var changed = der
            for _ in 1...3 {
                changed[Int.random(in: der.indices, using: &numbers)] = UInt8.random(in: 0...255, using: &numbers)
            }
            _ = PublicKeyPin(der: changed)
        }
        #expect(
            PublicKeyPin(der: []) == nil && PublicKeyPin(der: [0x30]) == nil && PublicKeyPin(der: [0x30, 0x84]) == nil
        )
    }

    private static let ed25519 = """
        -----BEGIN CERTIFICATE-----
        MIIBPDCB76ADAgECAhRMk7ryUnjrE/cgjXcO3h4n594c3TAFBgMrZXAwFDESMBAG
        A1UEAwwJYS5leGFtcGxlMB4XDTI2MTEyOTIxMzIwOVoXDTM2MTEyNjIxMzIwOVow
        FDESMBAGA1UEAwwJYS5leGFtcGxlMCowBQYDK2VwAyEAHINHKVRFgiqnYySm2Qhw
        IagHR+qkZAgA+x0CfrOFSz6jUzBRMB0GA1UdDgQWBBSI+OUFH13C/vHM7cbj55Qr
        e/KVGzAfBgNVHSMEGDAWgBSI+OUFH13C/vHM7cbj55Qre/KVGzAPBgNVHRMBAf8E
        BTADAQH/MAUGAytlcANBAHahz30hm96D5pvabBN926+NvHrQa+SFEIDj3E5SKHMk
        JeOyE4WCoynVSMM7oMvCt8EcMlKQduLc+FseTrD31wY=
        -----END CERTIFICATE-----
        """
    private static let p384 = """
        -----BEGIN CERTIFICATE-----
        MIIBujCCAUCgAwIBAgIUewsozV2Q+0UKEw3qJw8jClMgw6MwCgYIKoZIzj0EAwIw
        FDESMBAGA1UEAwwJYS5leGFtcGxlMB4XDTI2MTEyOTIxMzIwOVoXDTM2MTEyNjIx
        MzIwOVowFDESMBAGA1UEAwwJYS5leGFtcGxlMHYwEAYHKoZIzj0CAQYFK4EEACID
        YgAENuPe9F09xeUltDfbrRgK9UEGUq+381XZLN9yLO49U2eh1P7vjIRUaTzXcTe8
        SHHQft5kQP90Be1lyGuCzmaEXvcE/4U3Cmiwvr/l30CFJlDai4zEbRk0tKsnKeOk
        K9qCo1MwUTAdBgNVHQ4EFgQUgjRJSI03RDdQg3zzefOgAC+eNEcwHwYDVR0jBBgw
        FoAUgjRJSI03RDdQg3zzefOgAC+eNEcwDwYDVR0TAQH/BAUwAwEB/zAKBggqhkjO
        PQQDAgNoADBlAjEArEsVXK8H0fJoMWJWHQtfQ/PLOUKU86VxXRQswELWAzllSQr8
        MvgYP1edqDkotpduAjALCE9Zex4xhZ8aOzJ8AMjDohQkVpO/90AAmgI970bP25QW
        0bJJo5gFq1+Zgsfww84=
        -----END CERTIFICATE-----
        """
    private static let rsa = """
        -----BEGIN CERTIFICATE-----
        MIIDCTCCAfGgAwIBAgIUKP2lxJTyzYHy1RzgPWnhQABSPWgwDQYJKoZIhvcNAQEL
        BQAwFDESMBAGA1UEAwwJYS5leGFtcGxlMB4XDTI2MTEyOTIxMzIxMFoXDTM2MTEy
        NjIxMzIxMFowFDESMBAGA1UEAwwJYS5leGFtcGxlMIIBIjANBgkqhkiG9w0BAQEF
        AAOCAQ8AMIIBCgKCAQEAr5rlLMYu8/ztXP8WRrbuLGSfm1nmQJARluS8G64wN5eN
        UfDwXYAslKJvjs4UOmnLEY6EqiSt2NnIg6P4pr9owSOseiPfAtrFBdclJpE9NnNE
        /iG6Ml1Tw+POJ8f6E60HRyP/Y3R16j/MwOV9OLFenWeqtXl3dapZz2jKeAAJYwpb
        71dH2Z61O6WrkFrlPktL+wWV4KZ3ENZVnCSrHDYn03tobohmKmdnyCWgq8ezYlEQ
        MK19Sr9bQilKt6p/4UIYcZ9q1Nx88FouPEiMafxJ2hax9BQPITNXyIMY5qW8fbfq
        pKAaAnul9IwD2H3nzpUJe3JkD4v4YBveY0rnysZakQIDAQABo1MwUTAdBgNVHQ4E
        FgQU0Ru1moeGdqCOCRMGuVIPJax0V4MwHwYDVR0jBBgwFoAU0Ru1moeGdqCOCRMG
        uVIPJax0V4MwDwYDVR0TAQH/BAUwAwEB/zANBgkqhkiG9w0BAQsFAAOCAQEArQb1
        kB0awRPvUm8QQrA3p0SpxAuix10B+Vcd2Ld4OAy78C6p3TsrWyNn8X1FHQnKnyGE
        yUndnRKqfcRaRwySkkjHgua8DOog6uVF9+mUr/RMF9kks1gXmooIMzcOtfYa1D5I
        jdp0iRSfcygvE6AT7AhHTpZj9EvfE7LcrwNIkn+YxvJ/E+xrHn8s+lLGTDLq2e86
        R80vunEZfIsjD18Ymdtw9D4D3Xk+OPhbtijFDbWRXS2M96t2JaIiQa2TVLRapmGx
        6yQEbomUffeB0Iy9nAaadk64dyFzY5dxIMd91ptx5HYd5uor7HWuv26ZxpMOcmX8
        3ZSFEhH9Bgl49qv8TA==
        -----END CERTIFICATE-----
        """
}

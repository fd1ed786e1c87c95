// SPDX-License-Identifier: Apache-2.0

import CumulusTestServer
import Foundation
import TestSupport
import Testing

@testable import CumulusCore

/// The descriptions of a server's certificate, compared with `openssl x509 -subject -enddate -nameopt rfc2253`.
@Suite struct ServerCertificateTests {
    private func der(_ pem: String) throws -> [UInt8] { try #require(PEMCertificates(Array(pem.utf8)).first) }

    @Test func namesAreThoseOfOpenSSL() throws {
        let certificate = try #require(ServerCertificate(der: der(Self.unusual)))
        let organization = #"O=Sm\"ith\, Jones \+ Sons\; \<x\>"#
        let name = "CN=Zo\u{EB} e[31m,1.2.840.99.1=#0c036f6464,organizationIdentifier=NTRNO-1,\(organization),C=NO"
        #expect(certificate.subject == name)
        #expect(certificate.issuer == name)
        // Nov  6 01:12:20 2126 GMT, a GeneralizedTime.
        #expect(certificate.expires == Date(timeIntervalSince1970: 4_949_601_140))
    }

    @Test func issuerAndExpiryAreTheCertificatesOwn() throws {
        let authority = try TestCertificateAuthority(name: "Our root")
        let issued = try authority.issue(hosts: ["a.example"]).certificatesPEM[0]
        let certificate = try #require(ServerCertificate(der: der(issued)))
        #expect(certificate.subject == "CN=a.example" && certificate.issuer == "CN=Our root")
        #expect(certificate.expires > Date())
        let expired = try authority.issue(hosts: ["b.example"], validity: .expired).certificatesPEM[0]
        #expect(try #require(ServerCertificate(der: der(expired))).expires < Date())
    }

    @Test func controlCharactersAreMadeVisible() throws {
        var bytes = try der(Self.unusual)
        let mark = Array("e[31m".utf8)
        for index in bytes.indices where bytes[index...].starts(with: mark) { bytes[index] = 0x1b }
        let certificate = try #require(ServerCertificate(der: bytes))
        #expect(certificate.subject.contains(#" \u001b[31m,"#), "\(certificate.subject)")
        #expect(!certificate.subject.unicodeScalars.contains("\u{1b}"))
    }

    @Test func longNameIsTruncated() throws {
        let long = try TestCertificateAuthority(name: String(repeating: "x", count: 5_000))
        let certificate = try #require(ServerCertificate(der: der(long.rootPEM)))
        #expect(certificate.subject.hasPrefix("CN=xxx") && certificate.subject.hasSuffix("..."))
        #expect(certificate.subject.count < 300)
    }

    @Test func bytesThatAreNoCertificateNeverTrap() throws {
        var numbers = SeededNumbers(11)
        let der = try der(Self.unusual)
        for length in 0..<200 { #expect(ServerCertificate(der: Array(der[..<length])) == nil, "\(length) bytes") }
        for _ in 1...3_000 {
            var changed = der
            for _ in 1...3 {
                changed[Int.random(in: 0..<260, using: &numbers)] = UInt8.random(in: 0...255, using: &numbers)
            }
            _ = ServerCertificate(der: changed)
        }
    }

    private static let unusual = """
        -----BEGIN CERTIFICATE-----
        MIIBzTCCAXMCFDZcgoCbnPxp6ciXslRMkzfflOm8MAoGCCqGSM49BAMCMGgxCzAJ
        BgNVBAYTAk5PMSIwIAYDVQQKDBlTbSJpdGgsIEpvbmVzICsgU29uczsgPHg+MRAw
        DgYDVQRhDAdOVFJOTy0xMQ4wDAYFKoZIYwEMA29kZDETMBEGA1UEAwwKWm/DqyBl
        WzMxbTAgFw0yNjExMzAwMTEyMjBaGA8yMTI2MTEwNjAxMTIyMFowaDELMAkGA1UE
        BhMCTk8xIjAgBgNVBAoMGVNtIml0aCwgSm9uZXMgKyBTb25zOyA8eD4xEDAOBgNV
        BGEMB05UUk5PLTExDjAMBgUqhkhjAQwDb2RkMRMwEQYDVQQDDApab8OrIGVbMzFt
        MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEHohNFdAX8aw1Ol/uHaggtaCPcSPG
        EYzUxqhLsEc7ps7Gp7WhAJQR/jt8K57kOxseuFosKszr/stqT23imKsMEDAKBggq
        hkjOPQQDAgNIADBFAiEAm50Dxtf6S8qXOCg+aU6YA1AZIqpYuMdDsTuEPSb8AmMC
        IEKvQBz3M0dwbG/g6GUMPrMhC97o1dtB2zvnjkVUD8co
        -----END CERTIFICATE-----
        """
}

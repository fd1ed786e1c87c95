// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import CumulusCore

/// Certificates in PEM.
@Suite struct PEMCertificatesTests {
    private func block(_ digits: String, _ label: String = "CERTIFICATE") -> String {
        "-----BEGIN \(label)-----\n\(digits)\n-----END \(label)-----\n"
    }

    private func read(_ text: String) -> PEMCertificates { PEMCertificates(Array(text.utf8)) }

    @Test func certificatesAreDecodedInTheirOrder() {
        let found = read(block("AQID") + "a comment\n" + block("AA==") + block("/+8="))
        #expect(found.certificates == [[1, 2, 3], [0], [0xff, 0xef]])
        #expect(found.unreadable == nil && found.first == [1, 2, 3])
    }

    @Test("Line ends, indentation and lines of any length are accepted", arguments: ["\n", "\r\n", "\r", "\n  "])
    func lines(end: String) {
        let text = ["-----BEGIN CERTIFICATE-----", "AQ", "ID", "", "BAUG", "-----END CERTIFICATE-----", ""]
        #expect(read(text.joined(separator: end)).certificates == [[1, 2, 3, 4, 5, 6]])
    }

    @Test func keysAreSkipped() {
        let found = read(block("AQID", "PRIVATE KEY") + block("BAUG"))
        #expect(found.certificates == [[4, 5, 6]] && found.unreadable == nil)
    }

    @Test(
        "The first certificate that can't be decoded is named",
        arguments: [
            "-----BEGIN CERTIFICATE-----\nA_ID\n-----END CERTIFICATE-----",
            "-----BEGIN CERTIFICATE-----\n-----END CERTIFICATE-----",
            "-----BEGIN CERTIFICATE-----\nAQID",
            "-----BEGIN CERTIFICATE-----\nAQID\n-----BEGIN CERTIFICATE-----\nAQID\n-----END CERTIFICATE-----",
        ]
    )
    func unreadable(text: String) {
        #expect(read(text).unreadable == 1 && read(text).first == nil)
        #expect(read(block("AQID") + text).unreadable == 2)
        #expect(read(block("AQID") + text).first == [1, 2, 3])
    }

    @Test("A text without a certificate has none", arguments: ["", "no PEM", "-----END CERTIFICATE-----\n"])
    func nothing(text: String) {
        #expect(read(text).certificates.isEmpty && read(text).unreadable == nil && read(text).first == nil)
    }
}

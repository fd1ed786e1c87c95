// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import CumulusCore

@Suite struct TLSCipherSuiteTests {
    @Test func suiteIsFoundByEitherName() {
        let suite = TLSCipherSuite(rawValue: 0xc02f)
        #expect(suite.description == "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256")
        #expect(TLSCipherSuite(named: "ECDHE-RSA-AES128-GCM-SHA256") == suite)
        #expect(TLSCipherSuite(named: "tls_ecdhe_rsa_with_aes_128_gcm_sha256") == suite)
        #expect(TLSCipherSuite(named: "ALL") == nil && TLSCipherSuite(named: "") == nil)
    }

    @Test func unknownSuiteHasItsCode() {
        #expect(TLSCipherSuite(rawValue: 0x00ff).description == "0x00ff")
        #expect(!TLSCipherSuite(rawValue: 0x00ff).canBeOffered)
    }

    @Test func suitesOfTLS13CanNotBeChosen() {
        #expect(TLSCipherSuite(named: "TLS_AES_128_GCM_SHA256")?.canBeOffered == false)
        #expect(TLSCipherSuite(named: "ECDHE-ECDSA-AES256-GCM-SHA384")?.canBeOffered == true)
    }

    @Test func factsAreEqualByTheirValues() {
        let one = TLSFacts(version: "TLS 1.3", cipherSuite: TLSCipherSuite(rawValue: 0x1301))
        var other = one
        #expect(one == other && one.hashValue == other.hashValue)
        other.version = "TLS 1.2"
        #expect(one != other && one.version == "TLS 1.3")
    }
}

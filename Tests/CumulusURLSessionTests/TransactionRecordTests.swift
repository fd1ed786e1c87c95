// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import Foundation
import Testing

@testable import CumulusURLSession

/// The facts of an exchange from what the session measured.
@Suite struct TransactionRecordTests {
    private func date(_ seconds: Double) -> Date { Date(timeIntervalSince1970: 1_000 + seconds) }

    private var record: TransactionRecord {
        var record = TransactionRecord()
        (record.lookupStart, record.lookupEnd) = (date(0), date(1))
        (record.connectStart, record.tlsStart, record.tlsEnd, record.connectEnd) = (date(1), date(3), date(7), date(7))
        record.requestStart = date(8)
        record.protocolName = "h2"
        (record.localAddress, record.localPort) = ("10.0.0.2", 50_000)
        (record.remoteAddress, record.remotePort) = ("2001:db8::1", 443)
        (record.bytesSent, record.bytesReceived) = (300, 4_000)
        return record
    }

    @Test func phasesAddressesAndBytes() {
        var facts = ExchangeFacts()
        facts.bytesReceived = 9_000
        facts.add(record)
        #expect(facts.phases.lookup == .seconds(1))
        #expect(facts.phases.connect == .seconds(2), "TLS is not part of it")
        #expect(facts.phases.tls == .seconds(4))
        #expect(facts.localAddress == "10.0.0.2:50000")
        #expect(facts.remoteAddress == "[2001:db8::1]:443")
        #expect(facts.bytesSent == 300)
        #expect(facts.bytesReceived == 4_000, "of the network, not the decoded ones")
        #expect(facts.protocolName == "h2")
        #expect(!facts.isReused)
    }

    @Test func versionAndCipherSuiteAreThoseOfTheConnection() {
        var (facts, record) = (ExchangeFacts(), record)
        facts.add(record)
        #expect(facts.tls == nil)
        (record.tlsVersion, record.cipherSuite) = (0x0304, 0x1301)
        facts.add(record)
        #expect(facts.tls?.version == "TLS 1.3")
        #expect(facts.tls?.cipherSuite?.description == "TLS_AES_128_GCM_SHA256" && facts.tls?.certificate == nil)
        record.tlsVersion = 0xfefd
        facts.add(record)
        #expect(facts.tls?.version == nil)
    }

    @Test func aReusedConnectionHasNoPhasesOfItsSetUp() {
        var (facts, record) = (ExchangeFacts(), record)
        record.isReused = true
        facts.add(record)
        #expect(facts.isReused && facts.phases == ExchangeFacts.Phases())
    }

    @Test(arguments: [("http/1.1", "HTTP/1.1"), ("http/1.0", "HTTP/1.0"), ("h2", "h2"), ("h3", "h3")])
    func protocolsHaveTheNamesOfOtherTransports(measured: String, name: String) {
        var (facts, record) = (ExchangeFacts(), TransactionRecord())
        record.protocolName = measured
        facts.add(record)
        #expect(facts.protocolName == name)
    }

    @Test func whatWasNotMeasuredIsUnknown() {
        var facts = ExchangeFacts()
        facts.bytesSent = 5
        facts.add(TransactionRecord())
        var expected = ExchangeFacts()
        expected.bytesSent = 5
        #expect(facts == expected)
    }
}

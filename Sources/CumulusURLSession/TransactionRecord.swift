// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives
import Foundation

/// The measurements of a session that carried one exchange.
struct TransactionRecord: Sendable {
    var lookupStart: Date?
    var lookupEnd: Date?
    var connectStart: Date?
    var tlsStart: Date?
    var tlsEnd: Date?
    /// The end of the connection's set-up, TLS included.
    var connectEnd: Date?
    /// When the request's first byte was sent; `nil` if none was.
    var requestStart: Date?
    /// The protocol by its name in ALPN: `http/1.1`, `h2`, `h3`.
    var protocolName: String?
    /// The codes of TLS's version and cipher suite; `nil` without TLS.
    var tlsVersion: UInt16?
    var cipherSuite: UInt16?
    var isReused = false
    var localAddress: String?
    var localPort: Int?
    var remoteAddress: String?
    var remotePort: Int?
    /// Head and body, as encoded for the network; 0 if unknown.
    var bytesSent: Int64 = 0
    var bytesReceived: Int64 = 0
}

extension ExchangeFacts {
    /// Adds what the session measured.
    mutating func add(_ record: TransactionRecord) {
        isReused = record.isReused
        protocolName = record.protocolName.map { $0.begins(with: "http/") ? $0.uppercased() : $0 }
        tls = record.tlsVersion.map { version in
            // The session reports the certificate only to the task that opened the connection, if at all.
            TLSFacts(
                version: version >> 8 == 3 && version > 0x0300 ? "TLS 1.\((version & 0xff) - 1)" : nil,
                cipherSuite: record.cipherSuite.map { TLSCipherSuite(rawValue: $0) }
            )
        }
        localAddress = Self.address(record.localAddress, record.localPort)
        remoteAddress = Self.address(record.remoteAddress, record.remotePort)
        if record.bytesSent > 0 { bytesSent = record.bytesSent }
        if record.bytesReceived > 0 { bytesReceived = record.bytesReceived }
        if isReused { return }
        phases.lookup = Self.duration(record.lookupStart, record.lookupEnd)
        phases.connect = Self.duration(record.connectStart, record.tlsStart ?? record.connectEnd)
        phases.tls = Self.duration(record.tlsStart, record.tlsEnd)
    }

    private static func address(_ host: String?, _ port: Int?) -> String? {
        guard let host, let port else { return host }
        return host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]:\(port)" : "\(host):\(port)"
    }

    private static func duration(_ start: Date?, _ end: Date?) -> Duration? {
        guard let start, let end else { return nil }
        return .seconds(max(0, end.timeIntervalSince(start)))
    }
}

#if canImport(Darwin)
extension TransactionRecord {
    /// Takes what matters of a transaction's metrics.
    init(_ metrics: URLSessionTaskTransactionMetrics) {
        lookupStart = metrics.domainLookupStartDate
        lookupEnd = metrics.domainLookupEndDate
        connectStart = metrics.connectStartDate
        tlsStart = metrics.secureConnectionStartDate
        tlsEnd = metrics.secureConnectionEndDate
        connectEnd = metrics.connectEndDate
        requestStart = metrics.requestStartDate
        protocolName = metrics.networkProtocolName
        tlsVersion = metrics.negotiatedTLSProtocolVersion?.rawValue
        cipherSuite = metrics.negotiatedTLSCipherSuite?.rawValue
        isReused = metrics.isReusedConnection
        (localAddress, localPort) = (metrics.localAddress, metrics.localPort)
        (remoteAddress, remotePort) = (metrics.remoteAddress, metrics.remotePort)
        bytesSent = metrics.countOfRequestHeaderBytesSent + metrics.countOfRequestBodyBytesSent
        bytesReceived = metrics.countOfResponseHeaderBytesReceived + metrics.countOfResponseBodyBytesReceived
    }
}
#endif

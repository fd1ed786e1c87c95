// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives

/// A cipher suite of TLS, by its code in the protocol.
public struct TLSCipherSuite: Sendable, Hashable, RawRepresentable {
    /// The code, as in IANA's registry.
    public let rawValue: UInt16

    /// Creates a suite from its code.
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    /// Creates a suite from its name in IANA's registry or in OpenSSL, in any case; `nil` for an unknown name.
    public init?(named name: String) {
        let name = name.uppercased()
        guard let row = Self.names.first(where: { "\($0.name)" == name || "\($0.short)" == name }) else { return nil }
        rawValue = row.code
    }

    /// Whether a transport can offer this suite: it must be a TLS 1.2 suite that Cumulus knows.
    public var canBeOffered: Bool { rawValue >> 8 != 0x13 && Self.names.contains { $0.code == rawValue } }

    /// The suites that current libraries negotiate: their codes, IANA's names, and OpenSSL's.
    private static let names: [(code: UInt16, name: StaticString, short: StaticString)] = [
        (0x1301, "TLS_AES_128_GCM_SHA256", "TLS_AES_128_GCM_SHA256"),
        (0x1302, "TLS_AES_256_GCM_SHA384", "TLS_AES_256_GCM_SHA384"),
        (0x1303, "TLS_CHACHA20_POLY1305_SHA256", "TLS_CHACHA20_POLY1305_SHA256"),
        (0xc02b, "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256", "ECDHE-ECDSA-AES128-GCM-SHA256"),
        (0xc02c, "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384", "ECDHE-ECDSA-AES256-GCM-SHA384"),
        (0xc02f, "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256", "ECDHE-RSA-AES128-GCM-SHA256"),
        (0xc030, "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384", "ECDHE-RSA-AES256-GCM-SHA384"),
        (0xcca8, "TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256", "ECDHE-RSA-CHACHA20-POLY1305"),
        (0xcca9, "TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256", "ECDHE-ECDSA-CHACHA20-POLY1305"),
        (0xc009, "TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA", "ECDHE-ECDSA-AES128-SHA"),
        (0xc00a, "TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA", "ECDHE-ECDSA-AES256-SHA"),
        (0xc013, "TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA", "ECDHE-RSA-AES128-SHA"),
        (0xc014, "TLS_ECDHE_RSA_WITH_AES_256_CBC_SHA", "ECDHE-RSA-AES256-SHA"),
        (0x009c, "TLS_RSA_WITH_AES_128_GCM_SHA256", "AES128-GCM-SHA256"),
        (0x009d, "TLS_RSA_WITH_AES_256_GCM_SHA384", "AES256-GCM-SHA384"),
        (0x002f, "TLS_RSA_WITH_AES_128_CBC_SHA", "AES128-SHA"),
        (0x0035, "TLS_RSA_WITH_AES_256_CBC_SHA", "AES256-SHA"),
    ]
}

extension TLSCipherSuite: CustomStringConvertible {
    /// IANA's name, such as `TLS_AES_128_GCM_SHA256`, or the code in hexadecimal for an unknown suite.
    public var description: String {
        if let row = Self.names.first(where: { $0.code == rawValue }) { return "\(row.name)" }
        return "0x" + MessageDigest.hexadecimal([UInt8(rawValue >> 8), UInt8(truncatingIfNeeded: rawValue)])
    }
}

// SPDX-License-Identifier: Apache-2.0

import CumulusCore

/// The beginning of a server's TLS handshake, up to the cipher suite (RFC 8446 section 4.1.3, RFC 5246 section
/// 7.4.1.3), without I/O.
struct ServerHello {
    /// The bytes up to the suite: a record's head (5), a message's head (4), version (2), random (32), session (33).
    private static let longest = 78

    private var bytes: [UInt8] = []
    private(set) var cipherSuite: TLSCipherSuite?
    /// Whether no further bytes are needed: the suite is known, or can't be read.
    private(set) var isOver = false

    /// Takes the next bytes from the server.
    mutating func take(_ received: some Collection<UInt8>) {
        if isOver { return }
        bytes += received.prefix(Self.longest - bytes.count)
        // A warning may come first; a record of one has two bytes.
        if bytes.count >= 7, bytes[0] == 0x15 {
            isOver = true
            return
        }
        guard bytes.count >= 44 else { return }
        let length = Int(bytes[43])
        let record = Int(bytes[3]) << 8 | Int(bytes[4])
        // A handshake record with a ServerHello that is whole up to the suite.
        guard bytes[0] == 0x16, bytes[5] == 0x02, length <= 32, record >= 41 + length else {
            isOver = true
            return
        }
        guard bytes.count >= 46 + length else { return }
        cipherSuite = TLSCipherSuite(rawValue: UInt16(bytes[44 + length]) << 8 | UInt16(bytes[45 + length]))
        isOver = true
    }
}

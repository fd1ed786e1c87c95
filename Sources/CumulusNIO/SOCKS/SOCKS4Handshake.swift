// SPDX-License-Identifier: Apache-2.0

import NIOCore

/// The handshake of SOCKS 4a: one request, and a response of eight bytes.
///
/// A state machine without I/O.
struct SOCKS4Handshake {
    private let target: SOCKSTarget
    private let port: UInt16
    private let user: [UInt8]
    private let serverMayBegin: Bool
    private var received = ByteBuffer()
    private var isOpen = false

    /// Creates a handshake for a name or an IPv4 address; IPv6 is sent as a name, since the protocol has no form for it.
    ///
    /// - Parameters:
    ///   - target: The target of the connection.
    ///   - port: The target's port.
    ///   - user: The client's user, without zero bytes.
    ///   - serverMayBegin: Whether the target may send first, as HTTP/2 allows; otherwise such bytes are refused.
    init(to target: SOCKSTarget, port: UInt16, user: [UInt8], serverMayBegin: Bool = false) {
        self.target = target
        self.port = port
        self.user = user
        self.serverMayBegin = serverMayBegin
    }

    /// The target's first bytes, which arrived with the proxy's response.
    var rest: ByteBuffer { received }

    /// The CONNECT request; an address that begins with three zeros means that a name follows.
    var request: [UInt8] {
        let head: [UInt8] = [4, 1, UInt8(port >> 8), UInt8(truncatingIfNeeded: port)]
        switch target {
        case .ipv4(let bytes): return head + bytes + user + [0]
        case .ipv6(let bytes), .name(let bytes): return head + [0, 0, 0, 1] + user + [0] + bytes + [0]
        }
    }

    /// Takes bytes from the proxy.
    mutating func receive(_ bytes: ByteBuffer) throws(SOCKSProblem) -> SOCKSStep {
        if isOpen { throw .unaskedBytes }
        received.writeImmutableBuffer(bytes)
        guard let version: UInt8 = received.getInteger(at: received.readerIndex) else { return .wait }
        // The response's version is 0; some proxies send 4.
        guard version == 0 || version == 4 else { throw .otherVersion(version) }
        guard let code: UInt8 = received.getInteger(at: received.readerIndex + 1) else { return .wait }
        if code == 92 || code == 93 { throw .credentials }
        guard code == 90 else { throw .refused(code) }
        guard received.readableBytes >= 8 else { return .wait }
        received.moveReaderIndex(forwardBy: 8)
        if received.readableBytes > 0, !serverMayBegin { throw .unaskedBytes }
        isOpen = true
        return .open
    }
}

// SPDX-License-Identifier: Apache-2.0

import NIOCore

/// The handshake of SOCKS 5 (RFC 1928), with user and password (RFC 1929) if there are credentials.
///
/// A state machine without I/O. The protocol bounds its bytes: no response is longer than 262 bytes.
struct SOCKS5Handshake {
    /// The client's name and password, each of 1 to 255 bytes; the password may be empty.
    typealias User = (name: [UInt8], password: [UInt8])

    private enum State {
        /// The methods were sent.
        case choosing
        /// User and password were sent.
        case proving
        /// The target was sent.
        case connecting
        /// The connection is open.
        case open
    }

    private let target: SOCKSTarget
    private let port: UInt16
    private let user: User?
    private let serverMayBegin: Bool
    private var state = State.choosing
    private var received = ByteBuffer()

    /// Creates a handshake for a target.
    ///
    /// - Parameters:
    ///   - target: The target of the connection.
    ///   - port: The target's port.
    ///   - user: The client's credentials, if it has any.
    ///   - serverMayBegin: Whether the target may send first, as HTTP/2 allows; otherwise such bytes are refused.
    init(to target: SOCKSTarget, port: UInt16, user: User?, serverMayBegin: Bool = false) {
        self.target = target
        self.port = port
        self.user = user
        self.serverMayBegin = serverMayBegin
    }

    /// The target's first bytes, which arrived with the proxy's last response.
    var rest: ByteBuffer { received }

    /// The first message: the version and the methods.
    var greeting: [UInt8] { user == nil ? [5, 1, 0] : [5, 2, 0, 2] }

    /// Takes bytes from the proxy.
    mutating func receive(_ bytes: ByteBuffer) throws(SOCKSProblem) -> SOCKSStep {
        received.writeImmutableBuffer(bytes)
        switch state {
        case .choosing: return try choose()
        case .proving: return try prove()
        case .connecting: return try connect()
        case .open: throw .unaskedBytes
        }
    }

    private mutating func choose() throws(SOCKSProblem) -> SOCKSStep {
        guard let version = byte(0) else { return .wait }
        guard version == 5 else { throw .otherVersion(version) }
        guard let method = byte(1) else { return .wait }
        try take(2)
        switch (method, user) {
        case (0, _):
            state = .connecting
            return .send(request)
        case (2, let user?):
            state = .proving
            return .send(
                [1, UInt8(truncatingIfNeeded: user.name.count)] + user.name
                    + [UInt8(truncatingIfNeeded: user.password.count)] + user.password
            )
        case (0xFF, _): throw .credentials
        default: throw .unknownMethod(method)
        }
    }

    private mutating func prove() throws(SOCKSProblem) -> SOCKSStep {
        guard let version = byte(0) else { return .wait }
        // RFC 1929 has its own version, and some servers send that of SOCKS.
        guard version == 1 || version == 5 else { throw .otherVersion(version) }
        guard let status = byte(1) else { return .wait }
        try take(2)
        if status != 0 { throw .credentials }
        state = .connecting
        return .send(request)
    }

    private mutating func connect() throws(SOCKSProblem) -> SOCKSStep {
        guard let version = byte(0) else { return .wait }
        guard version == 5 else { throw .otherVersion(version) }
        guard let reply = byte(1) else { return .wait }
        // Some proxies close after it, without an address.
        if reply != 0 { throw .refused(reply) }
        guard let type = byte(3) else { return .wait }
        let length: Int
        switch type {
        case 1: length = 4
        case 4: length = 16
        case 3:
            guard let count = byte(4) else { return .wait }
            length = 1 + Int(count)
        default: throw .unknownAddress(type)
        }
        guard received.readableBytes >= 4 + length + 2 else { return .wait }
        received.moveReaderIndex(forwardBy: 4 + length + 2)
        if received.readableBytes > 0, !serverMayBegin { throw .unaskedBytes }
        state = .open
        return .open
    }

    /// The CONNECT request for the target.
    private var request: [UInt8] {
        let address: [UInt8] =
            switch target {
            case .ipv4(let bytes): [1] + bytes
            case .ipv6(let bytes): [4] + bytes
            case .name(let bytes): [3, UInt8(truncatingIfNeeded: bytes.count)] + bytes
            }
        return [5, 1, 0] + address + [UInt8(port >> 8), UInt8(truncatingIfNeeded: port)]
    }

    private func byte(_ index: Int) -> UInt8? {
        received.getInteger(at: received.readerIndex + index)
    }

    /// Removes a response; the proxy only sends when asked, so nothing may follow it.
    private mutating func take(_ count: Int) throws(SOCKSProblem) {
        received.moveReaderIndex(forwardBy: count)
        if received.readableBytes > 0 { throw .unaskedBytes }
    }
}

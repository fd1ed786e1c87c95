// SPDX-License-Identifier: Apache-2.0

/// Why a SOCKS proxy opened no connection.
enum SOCKSProblem: Error, Hashable, Sendable {
    /// Its first byte belongs to another protocol, or another version.
    case otherVersion(UInt8)
    /// It accepts none of the offered methods of authentication, or not these credentials.
    case credentials
    /// It chose a method of authentication that was not offered.
    case unknownMethod(UInt8)
    /// It refused, with this code.
    case refused(UInt8)
    /// Its response has an address of an unknown type.
    case unknownAddress(UInt8)
    /// It sent bytes after its response, before anything was sent to the host.
    case unaskedBytes
    /// It closed the connection before its response was complete.
    case closed
}

extension SOCKSProblem: CustomStringConvertible {
    /// A sentence fragment for the error message that the caller sees.
    var description: String {
        switch self {
        case .otherVersion(let byte): "its response has the wrong SOCKS version (first byte \(byte))"
        case .credentials: "it accepts none of the offered authentication methods, or it rejected the credentials"
        case .unknownMethod(let byte): "it chose an authentication method that was not offered (\(byte))"
        case .refused(let code): "it refused with code \(code)"
        case .unknownAddress(let byte): "its response contains an address of an unknown type (\(byte))"
        case .unaskedBytes: "it sent unexpected bytes"
        case .closed: "it closed the connection before its response was complete"
        }
    }
}

/// The target of a SOCKS proxy's connection: an address, or a name that the proxy looks up.
enum SOCKSTarget: Hashable, Sendable {
    /// An IPv4 address in network order.
    case ipv4([UInt8])
    /// An IPv6 address in network order.
    case ipv6([UInt8])
    /// A name of 1 to 255 bytes, without zero bytes.
    case name([UInt8])
}

/// The next step of a handshake with a SOCKS proxy.
enum SOCKSStep: Hashable, Sendable {
    /// Wait for more bytes.
    case wait
    /// Send these bytes.
    case send([UInt8])
    /// The connection leads to the target.
    case open
}

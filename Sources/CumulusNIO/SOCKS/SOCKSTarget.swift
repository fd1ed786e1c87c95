// SPDX-License-Identifier: Apache-2.0

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

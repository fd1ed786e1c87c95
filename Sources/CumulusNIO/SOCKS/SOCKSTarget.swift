// SPDX-License-Identifier: Apache-2.0

/// Where a SOCKS proxy is to connect to: an address, or a name that it looks up.
enum SOCKSTarget: Hashable, Sendable {
    /// An IPv4 address in the order of the network.
    case ipv4([UInt8])
    /// An IPv6 address in the order of the network.
    case ipv6([UInt8])
    /// A name of 1 to 255 bytes, none of them zero.
    case name([UInt8])
}

/// What is to be done next in a handshake with a SOCKS proxy.
enum SOCKSStep: Hashable, Sendable {
    /// Wait for more bytes.
    case wait
    /// Send these bytes.
    case send([UInt8])
    /// The connection leads to the target.
    case open
}

// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives
import NIOCore

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

// What the system knows about a connection and the channel does not.

extension Channel {
    /// The channel's socket, valid as long as the channel is active; `nil` if it has none.
    ///
    /// Worth caching: the runtime takes longer to find it than we take for a request.
    var socket: CInt? {
        try? pipeline.syncOperations.withUnsafeTransportIfAvailable(of: NIOBSDSocket.Handle.self) { $0 }
    }
}

/// Whether a connection is open and has no unread byte.
func hasNothingToRead(_ descriptor: CInt) -> Bool {
    var byte: UInt8 = 0
    while true {
        if recv(descriptor, &byte, 1, CInt(MSG_PEEK) | CInt(MSG_DONTWAIT)) >= 0 { return false }
        if errno == EAGAIN || errno == EWOULDBLOCK { return true }
        if errno != EINTR { return false }
    }
}

/// Whether the peer has closed a connection, and everything before the end was read.
func isAtEnd(_ descriptor: CInt) -> Bool {
    var byte: UInt8 = 0
    return recv(descriptor, &byte, 1, CInt(MSG_PEEK) | CInt(MSG_DONTWAIT)) == 0
}

/// How many of the written bytes the peer's system has not yet confirmed.
///
/// A response confirms everything that had arrived when it was sent: one with a rest was not made from it.
func unconfirmedBytes(_ descriptor: CInt) -> Int {
    var count: CInt = 0
    #if canImport(Darwin)
    var size = socklen_t(MemoryLayout<CInt>.size)
    return getsockopt(descriptor, SOL_SOCKET, SO_NWRITE, &count, &size) == 0 ? Int(count) : 0
    #else
    return ioctl(descriptor, UInt(TIOCOUTQ), &count) == 0 ? Int(count) : 0
    #endif
}

/// Confirms the received bytes now, rather than with the next ones that are sent.
///
/// A server that writes the head and the body apart may hold the body back until then, and lose it if it closes the
/// connection before.
func confirmReceivedBytes(_ descriptor: CInt) {
    #if !canImport(Darwin)
    var isOn: CInt = 1
    setsockopt(descriptor, CInt(IPPROTO_TCP), TCP_QUICKACK, &isOn, socklen_t(MemoryLayout<CInt>.size))
    #endif
}

extension SocketAddress {
    /// The address as in a URL's authority, or the path of a local socket.
    var hostAndPort: String? {
        guard let host = ipAddress, let port else { return pathname }
        return host.has(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
    }
}

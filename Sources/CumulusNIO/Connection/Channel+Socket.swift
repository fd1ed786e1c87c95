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

/// Whether the peer closed the connection before any of the last `count` written bytes reached it; false if that is not
/// certain.
///
/// Linux reports EPIPE for a reset only if the peer's end of the connection came first: the peer had closed it before
/// the bytes arrived, and its system refused them. After a reset alone (ECONNRESET), and after an end without a reset,
/// the peer may have read them. Unconfirmed bytes prove nothing without the reset, because their confirmation may be
/// 40 ms late. A peer that ends only its own direction, reads a request that it can no longer respond to, and resets the
/// connection within these 40 ms looks the same. Reading the error clears it.
func wasClosed(_ descriptor: CInt, before count: Int) -> Bool {
    #if canImport(Darwin)
    // The order of the end and the reset is unknown there.
    return false
    #else
    var error: CInt = 0
    var size = socklen_t(MemoryLayout<CInt>.size)
    guard getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &error, &size) == 0, error == EPIPE else { return false }
    return count > 0 && unconfirmedBytes(descriptor) >= count
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

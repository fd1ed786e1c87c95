// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives
import NIOCore
import NIOPosix

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Looks a host up in the system, on a thread that may block.
enum HostLookup {
    /// The system has no address for the host.
    struct UnknownHost: Error {
        /// The code from `getaddrinfo`.
        let code: CInt
    }

    /// The addresses of a host in the system's order, for other uses than connecting to them.
    static func addresses(of host: String, on eventLoop: any EventLoop) -> EventLoopFuture<[IPAddress]> {
        addresses(of: host, port: 0, family: AF_UNSPEC, on: eventLoop).map { found in
            found.compactMap { $0.ipAddress.flatMap { IPAddress($0) } }
        }
    }

    /// The addresses of one family, or of all with `AF_UNSPEC`, as a socket connects to them.
    static func addresses(
        of host: String,
        port: Int,
        family: CInt,
        on eventLoop: any EventLoop
    ) -> EventLoopFuture<[SocketAddress]> {
        NIOSingletons.posixBlockingThreadPool.runIfActive(eventLoop: eventLoop) {
            try look(up: host, port, family)
        }
    }

    private static func look(up host: String, _ port: Int, _ family: CInt) throws -> [SocketAddress] {
        var hint = addrinfo()
        hint.ai_family = family
        #if canImport(Glibc)
        hint.ai_socktype = CInt(SOCK_STREAM.rawValue)
        #else
        hint.ai_socktype = SOCK_STREAM
        #endif
        var first: UnsafeMutablePointer<addrinfo>?
        let code = getaddrinfo(host, String(port), &hint, &first)
        guard code == 0, let first else { throw UnknownHost(code: code) }
        defer { freeaddrinfo(first) }
        return sequence(first: first, next: { $0.pointee.ai_next }).compactMap { info in
            guard let address = info.pointee.ai_addr else { return nil }
            switch info.pointee.ai_family {
            case AF_INET:
                return address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
                    SocketAddress($0.pointee, host: host)
                }
            case AF_INET6:
                return address.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) {
                    SocketAddress($0.pointee, host: host)
                }
            default: return nil
            }
        }
    }
}

// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import NIOCore
import NIOPosix

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Asks the system for the addresses of one family only.
// Sendable: the loop and the family never change.
struct FamilyResolver: Resolver, Sendable {
    /// The system knows no such address.
    struct UnknownHost: Error {
        /// The code from `getaddrinfo`.
        let code: CInt
    }

    /// The address in the URL belongs to the other family.
    struct OtherFamily: Error, CustomStringConvertible {
        let family: NIOTransport.Configuration.AddressFamily
        var description: String { "it is not an \(family == .ipv4 ? "IPv4" : "IPv6") address" }
    }

    let family: NIOTransport.Configuration.AddressFamily
    let eventLoop: any EventLoop

    func initiateAQuery(host: String, port: Int) -> EventLoopFuture<[SocketAddress]> {
        family == .ipv6 ? eventLoop.makeSucceededFuture([]) : look(up: host, port, AF_INET)
    }

    func initiateAAAAQuery(host: String, port: Int) -> EventLoopFuture<[SocketAddress]> {
        family == .ipv4 ? eventLoop.makeSucceededFuture([]) : look(up: host, port, AF_INET6)
    }

    func cancelQueries() {}

    private func look(up host: String, _ port: Int, _ family: CInt) -> EventLoopFuture<[SocketAddress]> {
        NIOSingletons.posixBlockingThreadPool.runIfActive(eventLoop: eventLoop) {
            try FamilyResolver.addresses(of: host, port, family)
        }
    }

    /// Looks addresses up, on a thread that may block.
    private static func addresses(of host: String, _ port: Int, _ family: CInt) throws -> [SocketAddress] {
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

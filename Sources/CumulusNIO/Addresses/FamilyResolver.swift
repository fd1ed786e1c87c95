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

/// Looks up the addresses of one family only, in the system.
// Sendable: the loop and the family never change.
struct FamilyResolver: Resolver, Sendable {
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
        HostLookup.addresses(of: host, port: port, family: family, on: eventLoop)
    }
}

// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOPosix

/// Looks a host up in the transport's own settings instead of the system's.
// Sendable: the loop and the addresses never change.
struct GivenAddresses: Resolver, Sendable {
    /// A string that is not an address.
    struct Malformation: Error, CustomStringConvertible {
        let text: String

        var description: String { "its configured address \"\(text)\" is not an IP address" }
    }

    private let eventLoop: any EventLoop
    private let addresses: [SocketAddress]

    init(
        _ texts: [String],
        of family: NIOTransport.Configuration.AddressFamily = .any,
        port: Int,
        eventLoop: any EventLoop
    ) throws {
        self.eventLoop = eventLoop
        addresses = try texts.socketAddresses(of: family, port: port)
    }

    func initiateAQuery(host: String, port: Int) -> EventLoopFuture<[SocketAddress]> { of(.inet) }

    func initiateAAAAQuery(host: String, port: Int) -> EventLoopFuture<[SocketAddress]> { of(.inet6) }

    func cancelQueries() {}

    private func of(_ family: NIOBSDSocket.AddressFamily) -> EventLoopFuture<[SocketAddress]> {
        eventLoop.makeSucceededFuture(
            addresses.filter { $0.protocol == NIOBSDSocket.ProtocolFamily(rawValue: family.rawValue) }
        )
    }
}

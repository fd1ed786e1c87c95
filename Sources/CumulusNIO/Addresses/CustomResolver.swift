// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives
import NIOCore
import NIOPosix
import Synchronization

/// Looks a host up with ``NIOTransport/Configuration/resolver``, once for both families of addresses.
final class CustomResolver: Resolver, Sendable {
    /// The function's own error.
    struct Failure: Error, CustomStringConvertible {
        let cause: any Error

        var description: String { "the resolver failed: \(PeerText.printable("\(cause)", limit: 1_000))" }
    }

    typealias Function = @Sendable (_ host: String) async throws -> [String]

    /// A look-up that has begun.
    private struct Lookup {
        let task: Task<Void, Never>
        let found: EventLoopPromise<[SocketAddress]>
    }

    private let function: Function
    private let family: NIOTransport.Configuration.AddressFamily
    private let eventLoop: any EventLoop
    /// Made by the first question: an IP address and a socket need no look-up.
    private let lookup = Mutex<Lookup?>(nil)

    init(_ function: @escaping Function, family: NIOTransport.Configuration.AddressFamily, on eventLoop: any EventLoop)
    {
        self.function = function
        self.family = family
        self.eventLoop = eventLoop
    }

    func initiateAQuery(host: String, port: Int) -> EventLoopFuture<[SocketAddress]> {
        addresses(of: host, port, .inet)
    }

    func initiateAAAAQuery(host: String, port: Int) -> EventLoopFuture<[SocketAddress]> {
        addresses(of: host, port, .inet6)
    }

    func cancelQueries() {
        guard let lookup = lookup.withLock(\.self) else { return }
        lookup.task.cancel()
        // The function may continue, without a waiter.
        lookup.found.fail(CancellationError())
    }

    /// The addresses of a host, for other uses than connecting to them.
    func addresses(of host: String) -> EventLoopFuture<[IPAddress]> {
        found(host, 0).map { found in found.compactMap { $0.ipAddress.flatMap { IPAddress($0) } } }
    }

    private func addresses(
        of host: String,
        _ port: Int,
        _ family: NIOBSDSocket.AddressFamily
    ) -> EventLoopFuture<[SocketAddress]> {
        found(host, port).map { found in
            found.filter { $0.protocol == NIOBSDSocket.ProtocolFamily(rawValue: family.rawValue) }
        }
    }

    private func found(_ host: String, _ port: Int) -> EventLoopFuture<[SocketAddress]> {
        lookup.withLock { lookup in
            if let lookup { return lookup.found.futureResult }
            let found = eventLoop.makePromise(of: [SocketAddress].self)
            let task = Task { [function, family] in
                do {
                    let texts = try await Self.texts(of: host, by: function)
                    found.succeed(try texts.socketAddresses(of: family, port: port))
                } catch {
                    found.fail(error)
                }
            }
            lookup = Lookup(task: task, found: found)
            return found.futureResult
        }
    }

    private static func texts(of host: String, by function: Function) async throws(Failure) -> [String] {
        do {
            return try await function(host)
        } catch {
            throw Failure(cause: error)
        }
    }
}

extension [String] {
    /// The IP addresses of one family, or of both; the first 64, since each of them is tried.
    ///
    /// - Throws: ``GivenAddresses/Malformation`` for another text.
    func socketAddresses(
        of family: NIOTransport.Configuration.AddressFamily,
        port: Int
    ) throws -> [SocketAddress] {
        try prefix(64).compactMap { text in
            guard let address = try? SocketAddress(ipAddress: text, port: port) else {
                throw GivenAddresses.Malformation(text: text)
            }
            switch (family, address) {
            case (.ipv4, .v6), (.ipv6, .v4): return nil
            default: return address
            }
        }
    }
}

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

    private let function: Function
    private let family: NIOTransport.Configuration.AddressFamily
    private let found: EventLoopPromise<[SocketAddress]>
    private let task = Mutex<Task<Void, Never>?>(nil)

    init(_ function: @escaping Function, family: NIOTransport.Configuration.AddressFamily, on eventLoop: any EventLoop)
    {
        self.function = function
        self.family = family
        found = eventLoop.makePromise()
    }

    func initiateAQuery(host: String, port: Int) -> EventLoopFuture<[SocketAddress]> {
        begin(host, port)
        return addresses(of: .inet)
    }

    func initiateAAAAQuery(host: String, port: Int) -> EventLoopFuture<[SocketAddress]> {
        begin(host, port)
        return addresses(of: .inet6)
    }

    func cancelQueries() {
        task.withLock { $0 }?.cancel()
        // The function may go on; nobody waits for it.
        found.fail(CancellationError())
    }

    private func addresses(of family: NIOBSDSocket.AddressFamily) -> EventLoopFuture<[SocketAddress]> {
        found.futureResult.map { found in
            found.filter { $0.protocol == NIOBSDSocket.ProtocolFamily(rawValue: family.rawValue) }
        }
    }

    private func begin(_ host: String, _ port: Int) {
        task.withLock { task in
            if task != nil { return }
            task = Task { [function, family, found] in
                do {
                    let texts = try await Self.texts(of: host, by: function)
                    found.succeed(try texts.socketAddresses(of: family, port: port))
                } catch {
                    found.fail(error)
                }
            }
        }
    }

    private static func texts(of host: String, by function: Function) async throws(Failure) -> [String] {
        do {
            return try await function(host)
        } catch {
            throw Failure(cause: error)
        }
    }

    /// The addresses of a host, for other uses than connecting to them.
    static func addresses(
        of host: String,
        by function: @escaping Function,
        on eventLoop: any EventLoop
    ) -> EventLoopFuture<[IPAddress]> {
        eventLoop.makeFutureWithTask {
            try await texts(of: host, by: function).socketAddresses(of: .any, port: 0).compactMap {
                $0.ipAddress.flatMap { IPAddress($0) }
            }
        }
    }
}

extension [String] {
    /// The IP addresses of one family, or of both.
    ///
    /// - Throws: ``GivenAddresses/Malformation`` for another text.
    func socketAddresses(
        of family: NIOTransport.Configuration.AddressFamily,
        port: Int
    ) throws -> [SocketAddress] {
        try compactMap { text in
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

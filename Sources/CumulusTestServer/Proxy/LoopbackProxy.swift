// SPDX-License-Identifier: Apache-2.0

public import CumulusCore
import NIOCore
import NIOPosix
import NIOSSL
import Synchronization

/// A proxy on 127.0.0.1 for tests: HTTP, CONNECT, SOCKS 5 and SOCKS 4a on one port, optionally all in TLS.
///
/// It looks up no names: it connects to 127.0.0.1 at the requested port, regardless of the host's name. It records
/// requests and targets, and applies no back-pressure to fast senders.
public final class LoopbackProxy: Sendable {
    /// The behavior of a proxy.
    public struct Configuration: Sendable {
        /// The credentials of its clients; `nil`, the default, allows everyone.
        ///
        /// SOCKS 4a compares only the user.
        public var credentials: Credentials?
        /// The certificate for TLS with clients; default: none.
        public var tls: ServerTLS?
        /// Its response to CONNECT once it has connected; unless that is a success, it closes the connection.
        public var response = "HTTP/1.1 200 Connection established\r\n\r\n"

        /// Creates the default configuration.
        public init() {}
    }

    /// The record of a proxy.
    public struct Record: Sendable {
        /// The heads of requests, including those for tunnels, as received.
        public var heads: [String] = []
        /// The requested targets, `host:port`, from CONNECT or SOCKS.
        public var targets: [String] = []
        /// The first 64 KiB that clients sent through its tunnels.
        public var sent: [UInt8] = []
        /// The number of connections that it has accepted.
        public var connections = 0
    }

    /// The port that it listens on.
    public let port: Int
    private let listener: any Channel
    private let ledger: ProxyLedger

    /// The URL of the proxy for HTTP without TLS: `http://127.0.0.1:3128`; see ``proxy(_:credentials:)`` for others.
    public var url: String { "http://127.0.0.1:\(port)" }

    /// The record so far.
    public var record: Record { ledger.record }

    private init(_ listener: any Channel, _ ledger: ProxyLedger) {
        self.listener = listener
        self.ledger = ledger
        port = listener.localAddress?.port ?? 0
    }

    deinit { shutdown() }

    /// Listens on a free port.
    ///
    /// - Parameter configuration: The proxy's behavior.
    /// - Returns: The proxy, which is shut down with its last reference.
    /// - Throws: The system's error, or an error if the certificate can't be used.
    public static func start(_ configuration: Configuration = Configuration()) async throws -> LoopbackProxy {
        let ledger = ProxyLedger()
        let context = try configuration.tls?.makeContext()
        let listener = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    ledger.accepted(channel)
                    let pipeline = channel.pipeline.syncOperations
                    if let context { try pipeline.addHandler(NIOSSLServerHandler(context: context)) }
                    try pipeline.addHandler(ProxyClientSide(ledger, configuration))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        return LoopbackProxy(listener, ledger)
    }

    /// The proxy for a client's settings.
    ///
    /// - Parameters:
    ///   - scheme: The protocol; default: HTTP.
    ///   - credentials: The client's credentials; default: none.
    /// - Returns: The proxy at 127.0.0.1; with TLS at `localhost`.
    /// - Throws: `ProxyMalformation` for credentials that the scheme can't transmit.
    public func proxy(_ scheme: Proxy.Scheme = .http, credentials: Credentials? = nil) throws -> Proxy {
        try Proxy(scheme, host: scheme == .https ? "localhost" : "127.0.0.1", port: port, credentials: credentials)
    }

    /// Closes its connections, and continues to listen.
    public func disconnect() { ledger.closeAll() }

    /// Closes the port and all connections.
    public func shutdown() {
        listener.close(promise: nil)
        ledger.closeAll()
    }

    /// Waits until the port is closed, after ``shutdown()``.
    package func portIsClosed() async { try? await listener.closeFuture.get() }
}

// SPDX-License-Identifier: Apache-2.0

public import CumulusCore
import NIOCore
import NIOPosix
import NIOSSL
import Synchronization

/// A proxy on 127.0.0.1 for tests: HTTP, CONNECT, SOCKS 5 and SOCKS 4a on one port, optionally all over TLS.
///
/// It doesn't look up names: it connects to 127.0.0.1 at the requested port, regardless of the host's name. It records
/// requests and targets, and applies no back-pressure to fast senders.
public final class LoopbackProxy: Sendable {
    /// The behavior of a proxy.
    public struct Configuration: Sendable {
        /// The credentials that clients need; `nil`, the default, allows every client.
        ///
        /// SOCKS 4a compares only the user.
        public var credentials: Credentials?
        /// The certificate for TLS with clients.
        ///
        /// Default: none.
        public var tls: ServerTLS?
        /// The proxy's response to CONNECT once it has connected.
        ///
        /// Unless the response is a success, the proxy closes the connection.
        public var response = "HTTP/1.1 200 Connection established\r\n\r\n"

        /// Creates the default configuration.
        public init() {}
    }

    /// A proxy's record of its connections and requests.
    public struct Record: Sendable {
        /// The heads of requests, including those for tunnels, as received.
        public var heads: [String] = []
        /// The requested targets, `host:port`, from CONNECT or SOCKS.
        public var targets: [String] = []
        /// The first 64 KiB that clients sent through the proxy's tunnels.
        public var sent: [UInt8] = []
        /// The number of connections that the proxy has accepted.
        public var connections = 0
    }

    /// The port that the proxy listens on.
    public let port: Int
    private let listener: any Channel
    private let ledger: ProxyLedger

    /// The URL of the proxy for HTTP without TLS: `http://127.0.0.1:3128`; see ``proxy(_:credentials:)`` for other
    /// protocols.
    public var url: String { "http://127.0.0.1:\(port)" }

    /// The record so far.
    public var record: Record { ledger.record }

    private init(_ listener: any Channel, _ ledger: ProxyLedger) {
        self.listener = listener
        self.ledger = ledger
        port = listener.localAddress?.port ?? 0
    }

    deinit { shutdown() }

    /// Starts a proxy on a free port.
    ///
    /// - Parameter configuration: The proxy's behavior.
    /// - Returns: The proxy, which is shut down when its last reference is released.
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

    /// Returns the proxy for a client's settings.
    ///
    /// - Parameters:
    ///   - scheme: The protocol. Default: HTTP.
    ///   - credentials: The client's credentials. Default: none.
    /// - Returns: The proxy at 127.0.0.1, or at `localhost` with TLS.
    /// - Throws: `ProxyMalformation` for credentials that the scheme can't transmit.
    public func proxy(_ scheme: Proxy.Scheme = .http, credentials: Credentials? = nil) throws -> Proxy {
        try Proxy(scheme, host: scheme == .https ? "localhost" : "127.0.0.1", port: port, credentials: credentials)
    }

    /// Closes the proxy's connections, and continues to listen.
    public func disconnect() { ledger.closeAll() }

    /// Closes the port and all connections.
    public func shutdown() {
        listener.close(promise: nil)
        ledger.closeAll()
    }

    /// Waits until the port is closed, after ``shutdown()``.
    package func portIsClosed() async { try? await listener.closeFuture.get() }
}

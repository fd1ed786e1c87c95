// SPDX-License-Identifier: Apache-2.0

public import CumulusCore
import NIOCore
import NIOPosix
import NIOSSL
import Synchronization

/// A proxy on 127.0.0.1 for tests: HTTP, CONNECT, SOCKS 5 and SOCKS 4a at one port, and all of it in TLS if you like.
///
/// It looks nothing up: whatever the host's name, it connects to 127.0.0.1 at the port that it is told. It notes what it
/// sees, and holds back nobody who sends fast.
public final class LoopbackProxy: Sendable {
    /// What a proxy asks of its clients.
    public struct Configuration: Sendable {
        /// Who may use it; `nil`, the default, is everybody.
        ///
        /// SOCKS 4a compares the user only.
        public var credentials: Credentials?
        /// The certificate for TLS with clients; default: none.
        public var tls: ServerTLS?
        /// What it answers CONNECT with, once it has connected; it closes the connection unless that is a success.
        public var answer = "HTTP/1.1 200 Connection established\r\n\r\n"

        /// Makes the default configuration.
        public init() {}
    }

    /// What a proxy has seen.
    public struct Record: Sendable {
        /// Heads of requests, those for tunnels too, as received.
        public var heads: [String] = []
        /// Where it was to connect to, `host:port`, by CONNECT or SOCKS.
        public var targets: [String] = []
        /// What went through its tunnels from clients, the first 64 KiB of it.
        public var sent: [UInt8] = []
        /// How many connections it has accepted.
        public var connections = 0
    }

    /// The port that it listens at.
    public let port: Int
    private let listener: any Channel
    private let ledger: ProxyLedger

    /// The URL of the proxy for HTTP without TLS: `http://127.0.0.1:3128`; see ``proxy(_:credentials:)`` for others.
    public var url: String { "http://127.0.0.1:\(port)" }

    /// What it has seen so far.
    public var record: Record { ledger.record }

    private init(_ listener: any Channel, _ ledger: ProxyLedger) {
        self.listener = listener
        self.ledger = ledger
        port = listener.localAddress?.port ?? 0
    }

    deinit { shutdown() }

    /// Listens at a free port.
    ///
    /// - Parameter configuration: What it asks of its clients.
    /// - Returns: The proxy, which is shut down when nobody holds it.
    /// - Throws: What the system says, or that the certificate can't be used.
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

    /// The proxy as a client names it.
    ///
    /// - Parameters:
    ///   - scheme: What to speak with it; default: HTTP.
    ///   - credentials: Who the client is; default: nobody.
    /// - Returns: The proxy at 127.0.0.1; by TLS at `localhost`.
    /// - Throws: `ProxyMalformation` for credentials that the scheme can't carry.
    public func proxy(_ scheme: Proxy.Scheme = .http, credentials: Credentials? = nil) throws -> Proxy {
        try Proxy(scheme, host: scheme == .https ? "localhost" : "127.0.0.1", port: port, credentials: credentials)
    }

    /// Closes the connections that it has, and goes on listening.
    public func disconnect() { ledger.closeAll() }

    /// Closes the port and all connections.
    public func shutdown() {
        listener.close(promise: nil)
        ledger.closeAll()
    }
}

// SPDX-License-Identifier: Apache-2.0

@_exported public import CumulusTesting
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL

/// A real server for HTTP/1.1, and optionally HTTP/2, on a free port of 127.0.0.1, for tests and demonstrations.
///
/// It responds with routes or scripted raw bytes, and can be deliberately slow or wrong. It counts events, and tests
/// wait for counts instead of sleeping. It stops at `shutdown()`, or when its last reference is released.
public final class LoopbackServer: Sendable {
    /// The options of a server.
    ///
    /// Its limits bound memory use, and a test can see when a limit is exceeded.
    public struct Configuration: Sendable {
        /// The longest request body that a route collects; a longer body causes a 413.
        public var bodyLimit = 64 * 1024 * 1024
        /// The number of requests that the log retains.
        public var logLimit = 1000
        /// The number of bytes of bodies that the log retains; the oldest requests are removed first.
        public var loggedBytesLimit = 64 * 1024 * 1024
        /// A Unix domain socket to listen on instead of a port of 127.0.0.1; the file is removed when the server stops.
        public var unixSocketPath: String?
        /// Whether the server listens on `::1` instead of 127.0.0.1.
        public var usesIPv6 = false
        /// Whether the routes use HTTP/2; raw scripts send any bytes.
        public var http2 = HTTP2Use.never
        /// The faults of each request that its routes receive; `nil` for none.
        public var faults: FaultScript?

        /// Creates the default configuration, optionally with faults.
        public init(faults: FaultScript? = nil) { self.faults = faults }
    }

    /// The conditions under which a server uses HTTP/2.
    public enum HTTP2Use: Sendable, Hashable {
        /// The server never uses HTTP/2.
        case never
        /// The server uses HTTP/2 if it is negotiated in the handshake; `ServerTLS.applicationProtocols` must offer
        /// `h2`.
        case negotiated
        /// The server uses HTTP/2 from the first byte of a connection, for clients with prior knowledge.
        case always
    }

    /// The server's port on 127.0.0.1, or on `::1`; 0 with a Unix domain socket.
    public let port: Int
    /// The server's certificates, if it uses TLS.
    public let tls: ServerTLS?

    let ledger: ServerLedger
    private let table: RouteTable
    private let listener: any Channel
    private let serving: Task<Void, Never>
    private let usesIPv6: Bool

    /// The server's URL, without a trailing slash: `http://127.0.0.1:PORT`, or `http://[::1]:PORT`; `https://` with
    /// TLS.
    public var url: String { url(host: usesIPv6 ? "[::1]" : "127.0.0.1") }

    /// Returns the server's URL with a different name for this machine, such as `localhost`.
    public func url(host: String) -> String { "\(tls == nil ? "http" : "https")://\(host):\(port)" }

    private init(
        port: Int,
        tls: ServerTLS?,
        ledger: ServerLedger,
        table: RouteTable,
        listener: any Channel,
        serving: Task<Void, Never>,
        usesIPv6: Bool
    ) {
        self.port = port
        self.tls = tls
        self.ledger = ledger
        self.table = table
        self.listener = listener
        self.serving = serving
        self.usesIPv6 = usesIPv6
    }

    deinit { close() }

    /// Starts a server that responds with routes; requests without a route receive 404.
    public static func start(
        tls: ServerTLS? = nil,
        configuration: Configuration = .init(),
        routes: (inout Routes) -> Void = { _ in }
    ) async throws -> LoopbackServer {
        var table = Routes()
        routes(&table)
        return try await start(tls: tls, configuration: configuration, table: RouteTable(table), script: nil)
    }

    /// Starts a server that plays a raw script on each connection: `[.hold]` accepts and never responds, `[.close]`
    /// accepts and closes immediately.
    public static func start(
        tls: ServerTLS? = nil,
        configuration: Configuration = .init(),
        raw script: RawScript
    ) async throws -> LoopbackServer {
        try await start(tls: tls, configuration: configuration) { _ in script }
    }

    /// Starts a server that plays a raw script chosen by the connection's number, counted from 1.
    public static func start(
        tls: ServerTLS? = nil,
        configuration: Configuration = .init(),
        rawFor script: @escaping @Sendable (Int) -> RawScript
    ) async throws -> LoopbackServer {
        try await start(tls: tls, configuration: configuration, table: RouteTable(Routes()), script: script)
    }

    /// Adds routes to a running server, after the existing ones.
    public func addRoutes(_ routes: (inout Routes) -> Void) {
        var more = Routes()
        routes(&more)
        table.append(more)
    }

    /// Stops listening, closes every connection, and returns when everything has ended.
    ///
    /// Further calls do nothing.
    public func shutdown() async {
        close()
        await serving.value
    }

    /// Forcibly closes every open connection, and continues to listen.
    public func closeConnections() async {
        for channel in ledger.channels { try? await ServerLink.closeAbruptly(channel).get() }
    }

    private func close() {
        // The task ends itself when the listener has closed: cancelled earlier, it would leave accepted connections
        // unserved and open.
        listener.close(promise: nil)
        for channel in ledger.close() { ServerLink.closeAbruptly(channel).whenComplete { _ in } }
    }

    private static func start(
        tls: ServerTLS?,
        configuration: Configuration,
        table: RouteTable,
        script: (@Sendable (Int) -> RawScript)?
    ) async throws -> LoopbackServer {
        let ledger = ServerLedger(
            logLimit: configuration.logLimit,
            loggedBytesLimit: configuration.loggedBytesLimit
        )
        let acceptor = ConnectionAcceptor(
            ledger: ledger,
            table: table,
            bodyLimit: configuration.bodyLimit,
            script: script,
            tls: try tls?.makeContext(),
            http2: configuration.http2,
            faults: configuration.faults
        )
        let listener = try await acceptor.listen(
            at: configuration.unixSocketPath,
            host: configuration.usesIPv6 ? "::1" : "127.0.0.1"
        )
        // The server owns this task: it ends when `shutdown()` or `deinit` closes the listener.
        let serving = Task { await acceptor.serve(listener) }
        return LoopbackServer(
            port: listener.channel.localAddress?.port ?? 0,
            tls: tls,
            ledger: ledger,
            table: table,
            listener: listener.channel,
            serving: serving,
            usesIPv6: configuration.usesIPv6
        )
    }
}

/// Runs a server during `body`, and stops it when `body` returns or throws.
@discardableResult
public func withLoopbackServer<Result>(
    tls: ServerTLS? = nil,
    configuration: LoopbackServer.Configuration = .init(),
    routes: (inout Routes) -> Void = { _ in },
    _ body: (LoopbackServer) async throws -> Result
) async throws -> Result {
    let server = try await LoopbackServer.start(tls: tls, configuration: configuration, routes: routes)
    return try await server.shuttingDown(after: body)
}

/// Runs a server that plays a raw script on each connection, during `body`.
@discardableResult
public func withLoopbackServer<Result>(
    tls: ServerTLS? = nil,
    raw script: RawScript,
    _ body: (LoopbackServer) async throws -> Result
) async throws -> Result {
    let server = try await LoopbackServer.start(tls: tls, raw: script)
    return try await server.shuttingDown(after: body)
}

extension LoopbackServer {
    fileprivate func shuttingDown<Result>(
        after body: (LoopbackServer) async throws -> Result
    ) async throws -> Result {
        do {
            let result = try await body(self)
            await shutdown()
            return result
        } catch {
            await shutdown()
            throw error
        }
    }
}

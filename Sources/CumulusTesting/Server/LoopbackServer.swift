// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL

/// A real server of HTTP/1.1, and of HTTP/2 where that is asked for, on a free port of 127.0.0.1, for tests and
/// demonstrations.
///
/// It answers by routes, or with raw bytes as scripted; it can be slow, rude and wrong on purpose. It counts what
/// happens, and tests wait for counts instead of sleeping. It stops at `shutdown()`, or when nobody holds it.
public final class LoopbackServer: Sendable {
    /// Limits of a server; they bound memory and are never hidden in a test's way.
    public struct Configuration: Sendable {
        /// The longest request body that a route collects; a longer one is answered with 413.
        public var bodyLimit = 64 * 1024 * 1024
        /// How many requests the log keeps.
        public var logLimit = 1000
        /// How many bytes of bodies the log keeps; the oldest requests make room.
        public var loggedBytesLimit = 64 * 1024 * 1024
        /// A Unix domain socket to listen on instead of a port of 127.0.0.1; the file goes with the server.
        public var unixSocketPath: String?
        /// When HTTP/2 is spoken by the routes; raw scripts speak what they like.
        public var http2 = HTTP2Use.never

        /// Makes the default limits.
        public init() {}
    }

    /// When a server speaks HTTP/2.
    public enum HTTP2Use: Sendable, Hashable {
        /// Never.
        case never
        /// Where the handshake agrees on it; `ServerTLS.applicationProtocols` must offer `h2`.
        case negotiated
        /// From the first byte, as one does who knows.
        case always
    }

    /// The port on 127.0.0.1; 0 with a Unix domain socket.
    public let port: Int
    /// The server's certificates, where it speaks TLS.
    public let tls: ServerTLS?

    let ledger: ServerLedger
    private let table: RouteTable
    private let listener: any Channel
    private let serving: Task<Void, Never>

    /// `http://127.0.0.1:PORT`, or `https://` with TLS; without a slash at the end.
    public var url: String { url(host: "127.0.0.1") }

    /// The server's URL with another name for this machine, `localhost` for example.
    public func url(host: String) -> String { "\(tls == nil ? "http" : "https")://\(host):\(port)" }

    private init(
        port: Int,
        tls: ServerTLS?,
        ledger: ServerLedger,
        table: RouteTable,
        listener: any Channel,
        serving: Task<Void, Never>
    ) {
        self.port = port
        self.tls = tls
        self.ledger = ledger
        self.table = table
        self.listener = listener
        self.serving = serving
    }

    deinit { close() }

    /// Starts a server that answers by routes; whatever has no route is a 404.
    public static func start(
        tls: ServerTLS? = nil,
        configuration: Configuration = .init(),
        routes: (inout Routes) -> Void = { _ in }
    ) async throws -> LoopbackServer {
        var table = Routes()
        routes(&table)
        return try await start(tls: tls, configuration: configuration, table: RouteTable(table), script: nil)
    }

    /// Starts a server that plays a raw script on each connection: `[.hold]` accepts and never answers,
    /// `[.close]` accepts and closes at once.
    public static func start(
        tls: ServerTLS? = nil,
        configuration: Configuration = .init(),
        raw script: RawScript
    ) async throws -> LoopbackServer {
        try await start(tls: tls, configuration: configuration) { _ in script }
    }

    /// Starts a server that plays a raw script chosen by the connection's number, which counts from 1.
    public static func start(
        tls: ServerTLS? = nil,
        configuration: Configuration = .init(),
        rawFor script: @escaping @Sendable (Int) -> RawScript
    ) async throws -> LoopbackServer {
        try await start(tls: tls, configuration: configuration, table: RouteTable(Routes()), script: script)
    }

    /// Adds routes to a running server, after those it has.
    public func addRoutes(_ routes: (inout Routes) -> Void) {
        var more = Routes()
        routes(&more)
        table.append(more)
    }

    /// Stops listening, ends every connection, and returns when all of it is over.
    ///
    /// More calls do nothing.
    public func shutdown() async {
        close()
        await serving.value
    }

    /// Ends every open connection by force, and goes on listening.
    public func closeConnections() async {
        for channel in ledger.channels { try? await ServerLink.closeAbruptly(channel).get() }
    }

    private func close() {
        // The task ends by itself when the listener has closed: cancelled earlier, it would leave accepted
        // connections unserved and open.
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
            http2: configuration.http2
        )
        let listener = try await acceptor.listen(at: configuration.unixSocketPath)
        // The server owns this task: it ends when `shutdown()` or `deinit` closes the listener.
        let serving = Task { await acceptor.serve(listener) }
        return LoopbackServer(
            port: listener.channel.localAddress?.port ?? 0,
            tls: tls,
            ledger: ledger,
            table: table,
            listener: listener.channel,
            serving: serving
        )
    }
}

/// Starts a server for the time of `body`, and stops it however `body` ends.
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

/// Starts a server that plays a raw script on each connection, for the time of `body`.
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

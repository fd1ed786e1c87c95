// SPDX-License-Identifier: Apache-2.0

public import CumulusCore
import NIOCore
import NIOPosix
import Synchronization

/// Cumulus's own transport: HTTP/1.1 and HTTP/2 over SwiftNIO, with a keep-alive pool and TLS verified by default.
///
/// Use ``shared`` unless you need different settings. It starts with its first request and needs no shutdown. Your own
/// transport keeps its connections until ``shutdown(_:)`` or ``withTransport(_:_:)`` closes them, or the transport is
/// released.
public final class NIOTransport: Transport {
    /// How a shutdown treats running exchanges.
    public enum ShutdownMode: Sendable, Hashable {
        /// Running exchanges may finish, including their bodies.
        case graceful
        /// Running exchanges end with a `TransportFailure` of the kind `shutdown`.
        case immediate
    }

    /// The transport of the process, with the default configuration.
    public static let shared = NIOTransport()

    /// The transport's configuration.
    public let configuration: Configuration
    /// The engines made at initialization: all, unless file descriptors were used up.
    private let firstEngines: [LoopEngine]
    private let laterEngines = Mutex<[LoopEngine]>([])
    /// An executor that runs tasks on one of the transport's event loops, where their requests don't switch threads.
    ///
    /// Use it for many small requests: `withTaskExecutorPreference(transport.executor) { ... }`. The requests of such a
    /// task use that loop's connections. All of the task's work runs on one thread, together with the loop's other
    /// connections, so it must neither block nor compute for long.
    public let executor: any TaskExecutor
    /// The executors of the transport's event loops, one for each loop, so that a server can spread its tasks across
    /// them.
    ///
    /// See ``executor`` for how to use them.
    public let executors: [any TaskExecutor]
    private let identities: RouteIdentities
    private let tls: TLSContextCache
    private let proxyTLS: TLSContextCache
    let isShutDown = Atomic(false)

    /// Creates a transport; nothing is opened or read before the first request.
    ///
    /// - Parameter configuration: The connections, trusted servers and limits. With invalid TLS settings, such as an
    ///   unreadable file, the first request that needs them fails.
    public init(configuration: Configuration = Configuration()) {
        let tls = TLSContextCache(configuration.tls)
        self.configuration = configuration
        identities = RouteIdentities(configuration)
        let proxyTLS = configuration.proxyTLS.map { TLSContextCache($0) } ?? tls
        (self.tls, self.proxyTLS) = (tls, proxyTLS)
        let loops = EventLoops.all ?? []
        firstEngines = loops.map {
            LoopEngine(eventLoop: $0, configuration: configuration, tls: tls, proxyTLS: proxyTLS)
        }
        executor = loops.first.map { LoopExecutor(eventLoop: $0) } ?? QueueExecutor()
        executors = [executor] + loops.dropFirst().map { LoopExecutor(eventLoop: $0) }
        if configuration.tls.verification == .none, configuration.tls.warnsOfMissingVerification {
            VerificationWarning.print()
        }
    }

    deinit {
        if isShutDown.load(ordering: .relaxed) { return }
        for engine in engines {
            engine.eventLoop.execute { _ = engine.shutDown(immediately: false) }
        }
    }

    /// The transport's capabilities: it fulfills the whole contract.
    public var capabilities: TransportCapabilities {
        var capabilities = TransportCapabilities()
        capabilities.attachesExchanges = true
        capabilities.guardsAddresses = true
        capabilities.sendsTrailers = true
        capabilities.ignoresProxies = configuration.unixSocketPath != nil
        return capabilities
    }

    /// Whether the calling thread runs an event loop.
    public var isOnOwnThread: Bool { MultiThreadedEventLoopGroup.currentEventLoop != nil }

    /// Returns an identity that consists of the client certificate for an origin's servers, and the part of the
    /// configuration that decides which servers these are and how they are verified; `TransportIdentity.unknown` if
    /// servers aren't verified.
    public func identity(at origin: Origin) -> TransportIdentity { identities.identity(at: origin) }

    /// Sends a request and returns as soon as the final response's head has arrived.
    public func send(_ request: TransportRequest) async throws -> TransportResponse {
        try await exchange(for: request).response()
    }

    /// Creates the exchange of a request, which its listing can cancel.
    private func exchange(for request: TransportRequest) throws -> NIOExchange {
        if isShutDown.load(ordering: .relaxed) { throw TransportFailure.shutDown() }
        let isDirect = request.proxy == nil && request.allowedAddresses.isAny
        let outgoing = try OutgoingRequest(request, route: isDirect ? .direct : try route(for: request))
        if request.origin.scheme == .https { try prepareTLS(request, outgoing) }
        if let proxy = request.proxy, proxy.scheme == .https { try prepareTLS(with: proxy) }
        if Task.isCancelled { throw CancellationError() }
        let engines = firstEngines.isEmpty ? try makeEngines() : firstEngines
        let engine = engine(for: request.origin, among: engines)
        let exchange = NIOExchange(request, outgoing: consume outgoing, engine: engine)
        if let listing = request.listing, !listing.attach(exchange) { throw CancellationError() }
        return exchange
    }

    /// Refuses new requests, closes idle connections, and returns when the last exchange has ended.
    ///
    /// If the calling task is cancelled, a graceful shutdown becomes an immediate one.
    ///
    /// - Parameter mode: How running exchanges are treated. Default: they may finish.
    public func shutdown(_ mode: ShutdownMode = .graceful) async {
        isShutDown.store(true, ordering: .relaxed)
        await withTaskCancellationHandler {
            // All of them begin at once: the last exchange of one loop must not delay the end of another's.
            let drains = engines.map { engine in
                engine.eventLoop.flatSubmit { engine.shutDown(immediately: mode == .immediate) }
            }
            // The promises are only ever fulfilled.
            for drained in drains { try? await drained.get() }
        } onCancel: {
            for engine in engines {
                engine.eventLoop.execute { _ = engine.shutDown(immediately: true) }
            }
        }
    }

    /// Runs a function with a new transport, and shuts the transport down afterwards.
    ///
    /// - Parameters:
    ///   - configuration: The connections, trusted servers and limits.
    ///   - body: The work. If it throws, running exchanges are ended; otherwise they may finish.
    /// - Returns: The function's result.
    /// - Throws: The function's error.
    public static func withTransport<Result>(
        _ configuration: Configuration = Configuration(),
        _ body: (NIOTransport) async throws -> Result
    ) async throws -> Result {
        let transport = NIOTransport(configuration: configuration)
        do {
            let result = try await body(transport)
            await transport.shutdown(.graceful)
            return result
        } catch {
            await transport.shutdown(.immediate)
            throw error
        }
    }

    /// The engines made so far; tests also look at their pools.
    var engines: [LoopEngine] { firstEngines.isEmpty ? laterEngines.withLock(\.self) : firstEngines }

    /// Creates the engines that could not be made at initialization; descriptors may be available now.
    private func makeEngines() throws(TransportFailure) -> [LoopEngine] {
        let made = laterEngines.withLock { engines in
            if engines.isEmpty {
                engines = (EventLoops.all ?? []).map {
                    LoopEngine(eventLoop: $0, configuration: configuration, tls: tls, proxyTLS: proxyTLS)
                }
            }
            return engines
        }
        if made.isEmpty { throw TransportFailure(.connect, "the process has too few file descriptors left") }
        return made
    }

    /// The engine for an origin's requests: on the caller's own loop, or otherwise always on the same one, which keeps
    /// the origin's connections together.
    private func engine(for origin: Origin, among engines: [LoopEngine]) -> LoopEngine {
        if engines.count > 1, let current = MultiThreadedEventLoopGroup.currentEventLoop,
            let engine = engines.first(where: { $0.eventLoop === current })
        {
            return engine
        }
        return engines[Int(UInt(bitPattern: origin.stableHash) % UInt(engines.count))]
    }

    private func route(for request: TransportRequest) throws(TransportFailure) -> Route {
        // If a Unix domain socket is set, all connections go there.
        guard configuration.unixSocketPath == nil else {
            if request.allowedAddresses.isAny { return .direct }
            throw .forbidden(AddressRefusal(.unixSocket, host: request.origin.host))
        }
        let route = Route(request)
        try route.check(request)
        return route
    }

    /// Reads the roots on the caller's thread instead of on the loop.
    private func prepareTLS(_ request: TransportRequest, _ outgoing: OutgoingRequest) throws {
        let origin = request.origin
        let identified = request.offersIdentity && tls.hasIdentity(for: origin) ? origin : nil
        if identified == nil, outgoing.route.isDirect, tls.hasCommonContext(for: outgoing.version) { return }
        do {
            let isTunnelled = outgoing.route.tunnels(to: origin)
            _ = try tls.context(for: outgoing.version, identifiedTo: identified, at: origin, isTunnelled: isTunnelled)
        } catch {
            throw TransportFailure.tlsSetUp(error)
        }
    }

    private func prepareTLS(with proxy: Proxy) throws {
        do {
            _ = try proxyTLS.context(for: proxy)
        } catch {
            throw TransportFailure.tlsSetUp(error)
        }
    }

    /// The number of a transport's connections and exchanges at one moment; see ``poolUsage()``.
    public struct PoolUsage: Sendable, Hashable {
        /// The number of connections that are in use, idle or being opened.
        public var connections = 0
        /// The number of idle connections.
        public var idleConnections = 0
        /// The number of exchanges that are running or waiting for a connection.
        public var exchanges = 0
    }

    /// Counts the connections and exchanges, for metrics; all counts are zero after a shutdown.
    public func poolUsage() async -> PoolUsage {
        var usage = PoolUsage()
        if let (all, idle) = try? await connectionCounts() { (usage.connections, usage.idleConnections) = (all, idle) }
        usage.exchanges = (try? await runningCount()) ?? 0
        return usage
    }

    /// The connections in use, idle or being opened, and the idle ones among them; for tests.
    func connectionCounts() async throws -> (all: Int, idle: Int) {
        var counts = (all: 0, idle: 0)
        for engine in engines {
            let (all, idle) = try await engine.eventLoop.submit {
                engine.adoptBegun()
                return (engine.connectionCount, engine.idleConnectionCount)
            }.get()
            counts.all += all
            counts.idle += idle
        }
        return counts
    }

    /// How many exchanges are running; for tests.
    func runningCount() async throws -> Int {
        var count = 0
        for engine in engines {
            count += try await engine.eventLoop.submit {
                engine.adoptBegun()
                return engine.running.count
            }.get()
        }
        return count
    }
}

extension NIOTransport {
    /// Shuts down gracefully before the process ends, but never for longer than a limit.
    ///
    /// PINGs that peers sent after a response are acknowledged, and GOAWAY and TLS's close_notify are sent. Over HTTP/2
    /// this takes as long as our own PING; a silent peer is not waited for.
    package func finish(within limit: Duration) async {
        let work = Task { await shutdown(.graceful) }
        let timer = Task {
            // The process is ending: no request's clock applies any more.
            try await Task.sleep(for: min(limit, SystemClock.longestSleep))
            // Cancelling a graceful shutdown makes it immediate.
            work.cancel()
        }
        await work.value
        timer.cancel()
    }
}

// SPDX-License-Identifier: Apache-2.0

public import CumulusCore
import NIOCore
import NIOPosix
import Synchronization

/// Cumulus's own transport: HTTP/1.1 and HTTP/2 over SwiftNIO, with a keep-alive pool and TLS verified by default.
///
/// Use ``shared`` unless you need other settings: it starts with its first request and needs no shutdown. Your own
/// transport keeps its connections until ``shutdown(_:)``, ``withTransport(_:_:)`` or its release closes them.
public final class NIOTransport: Transport {
    /// How a shutdown treats exchanges that are running.
    public enum ShutdownMode: Sendable, Hashable {
        /// Lets them end, their bodies included.
        case graceful
        /// Ends them with a `TransportFailure` of kind `shutdown`.
        case immediate
    }

    /// The transport of the process, with the default configuration.
    public static let shared = NIOTransport()

    /// The configuration it was made with.
    public let configuration: Configuration
    /// Those that could be made at once, which is all but where file descriptors were used up.
    private let firstEngines: [LoopEngine]
    private let laterEngines = Mutex<[LoopEngine]>([])
    /// Runs tasks on one of the transport's event loops, where their requests need no change of threads.
    ///
    /// For many small requests: `withTaskExecutorPreference(transport.executor) { ... }`. Requests of such a task use
    /// connections of that loop. All of its work runs on one thread, together with the loop's other connections, so it
    /// must neither block nor compute for long.
    public let executor: any TaskExecutor
    /// Executors of the transport's event loops, one for each: a server spreads its tasks over them.
    ///
    /// See ``executor`` for what they are good for.
    public let executors: [any TaskExecutor]
    private let tls: TLSContextCache
    let isShutDown = Atomic(false)

    /// Makes a transport; nothing is opened or read before the first request.
    ///
    /// - Parameter configuration: How it connects and whom it trusts. Unusable TLS settings, an unreadable file for
    ///   example, fail the first request that needs them.
    public init(configuration: Configuration = Configuration()) {
        let tls = TLSContextCache(configuration.tls)
        self.configuration = configuration
        self.tls = tls
        let loops = EventLoops.all ?? []
        firstEngines = loops.map { LoopEngine(eventLoop: $0, configuration: configuration, tls: tls) }
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

    /// What this transport can do: the whole contract.
    public var capabilities: TransportCapabilities {
        var capabilities = TransportCapabilities()
        capabilities.attachesExchanges = true
        capabilities.guardsAddresses = true
        capabilities.ignoresProxies = configuration.unixSocketPath != nil
        return capabilities
    }

    /// Whether the calling thread is an event loop's.
    public var isOnOwnThread: Bool { MultiThreadedEventLoopGroup.currentEventLoop != nil }

    /// Sends a request and returns as soon as the final response's head has arrived.
    ///
    /// A kept-alive connection that the server closed in the meantime is replaced silently, if nothing was sent on it
    /// or the request is idempotent and its body can be sent again.
    public func send(_ request: TransportRequest) async throws -> TransportResponse {
        if isShutDown.load(ordering: .relaxed) { throw TransportFailure.shutDown }
        let isDirect = request.proxy == nil && request.allowedAddresses.isAny
        let outgoing = try OutgoingRequest(request, route: isDirect ? .direct : try route(for: request))
        if request.origin.scheme == .https { try prepareTLS(request, outgoing) }
        if let proxy = request.proxy, proxy.scheme == .https { try prepareTLS(with: proxy) }
        if Task.isCancelled { throw CancellationError() }
        let engines = firstEngines.isEmpty ? try makeEngines() : firstEngines
        let exchange = NIOExchange(request, outgoing: outgoing, engine: engine(for: request.origin, among: engines))
        if let ticket = request.ticket, !ticket.attach(exchange) { throw CancellationError() }
        return try await exchange.response()
    }

    /// Takes no more requests, closes unused connections, and returns when the last exchange is over.
    ///
    /// If the calling task is cancelled, a graceful shutdown turns into an immediate one.
    ///
    /// - Parameter mode: What happens to exchanges that are running. Default: they may end.
    public func shutdown(_ mode: ShutdownMode = .graceful) async {
        isShutDown.store(true, ordering: .relaxed)
        await withTaskCancellationHandler {
            for engine in engines {
                let drained = engine.eventLoop.flatSubmit { engine.shutDown(immediately: mode == .immediate) }
                // The promise is only ever fulfilled.
                try? await drained.get()
            }
        } onCancel: {
            for engine in engines {
                engine.eventLoop.execute { _ = engine.shutDown(immediately: true) }
            }
        }
    }

    /// Runs a function with a transport of its own, and shuts the transport down after it.
    ///
    /// - Parameters:
    ///   - configuration: How it connects and whom it trusts.
    ///   - body: What to do. If it throws, exchanges that are still running are ended; else they may end.
    /// - Returns: What the function returns.
    /// - Throws: What the function throws.
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

    /// Those that were made so far.
    private var engines: [LoopEngine] { firstEngines.isEmpty ? laterEngines.withLock(\.self) : firstEngines }

    /// Those that could not be made with the transport; there may be descriptors for them now.
    private func makeEngines() throws(TransportFailure) -> [LoopEngine] {
        let made = laterEngines.withLock { engines in
            if engines.isEmpty {
                engines = (EventLoops.all ?? []).map {
                    LoopEngine(eventLoop: $0, configuration: configuration, tls: tls)
                }
            }
            return engines
        }
        if made.isEmpty { throw TransportFailure(.connect, "the process has too few file descriptors left") }
        return made
    }

    /// Where an origin's requests run: on the caller's own loop, or else always on the same one, which keeps its
    /// connections together.
    private func engine(for origin: Origin, among engines: [LoopEngine]) -> LoopEngine {
        if engines.count > 1, let current = MultiThreadedEventLoopGroup.currentEventLoop,
            let engine = engines.first(where: { $0.eventLoop === current })
        {
            return engine
        }
        return engines[Int(UInt(bitPattern: origin.hashValue) % UInt(engines.count))]
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

    /// Reads the roots on the caller's thread rather than on the loop.
    private func prepareTLS(_ request: TransportRequest, _ outgoing: OutgoingRequest) throws {
        let origin = request.origin
        let identified = request.offersIdentity && tls.hasIdentity(for: origin) ? origin : nil
        do {
            let isTunnelled = outgoing.route.tunnels(to: origin)
            _ = try tls.context(for: outgoing.version, identifiedTo: identified, at: origin, isTunnelled: isTunnelled)
        } catch {
            throw TransportFailure.tlsSetUp(error)
        }
    }

    private func prepareTLS(with proxy: Proxy) throws {
        do {
            _ = try tls.context(for: proxy)
        } catch {
            throw TransportFailure.tlsSetUp(error)
        }
    }

    /// Connections in use, idle or being opened, and those of them that are idle; for tests.
    func connectionCounts() async throws -> (all: Int, idle: Int) {
        var counts = (all: 0, idle: 0)
        for engine in engines {
            let (all, idle) = try await engine.eventLoop.submit {
                engine.adoptClaimed()
                return (engine.connectionCount, engine.idleConnectionCount)
            }.get()
            counts.all += all
            counts.idle += idle
        }
        return counts
    }

    /// How many exchanges have begun and are not over; for tests.
    func runningCount() async throws -> Int {
        var count = 0
        for engine in engines {
            count += try await engine.eventLoop.submit {
                engine.adoptClaimed()
                return engine.running.count
            }.get()
        }
        return count
    }
}

// SPDX-License-Identifier: Apache-2.0

public import CumulusCore
import HTTPTypes

#if canImport(FoundationNetworking)
import Foundation
public import FoundationNetworking
#else
public import Foundation
#endif

/// A transport that uses URLSession.
///
/// It is the default on Apple's systems. It doesn't follow redirects, store cookies, cache responses or offer
/// credentials, regardless of the configuration: the pipeline does all of that. URLSession differs from the contract
/// for transports in these ways:
///
/// - It may send a request again itself, for example after an idle connection has closed. There may then be more
///   requests than attempt records. On Apple's systems, it does so with every idempotent request.
/// - It decodes content codings, and adds its own fields (`User-Agent`, `Accept`, a `Content-Type` for a POST).
/// - On Linux, a stream body or a range of a file is first written to a temporary file. A body whose
///   progress is observed counts as a stream.
/// - It supports neither trailers nor early responses, and GET can't have a body. A request with trailers fails as
///   `unsupported`.
/// - On Apple's systems, the head and the first bytes of a response without a `Content-Type`, or with `text/plain`,
///   are held back until 512 bytes or the end has arrived, because the system guesses the type from them. A server that
///   sends events or lines needs a different type, such as `text/event-stream` or `application/x-ndjson`.
/// - `deadlines.connect` and `deadlines.poolWait` can't be distinguished from waiting for the response, so they are not
///   enforced. `idle` and `total` are. `idle` pauses while the session waits for a network (`waitsForConnectivity`),
///   and restarts once after the system has suspended the program.
/// - On Apple's systems, your own `Host` can't be sent.
/// - It chooses the version of HTTP itself: the setting `httpVersion` can only be `.automatic`.
/// - On Linux, it trusts only the system's certificate authorities, and has neither client certificates nor pinned
///   keys: a transport with other ``TLS`` settings fails each request as `unsupported`.
/// - It uses the proxies of its configuration, or the system's, not those in the setting `proxy`: a request with such a
///   proxy fails as `unsupported`.
/// - It doesn't report addresses before it connects to them: a request with `allowedAddresses` fails as `unsupported`.
/// - On Linux, neither the versions of TLS nor the proxy can be configured: with a `connectionProxyDictionary`, each
///   request fails as `unsupported`. The proxies are taken from the environment (`https_proxy`), regardless of the
///   setting `proxy`.
/// - A body that is read slowly is kept in memory, up to `unreadLimit` bytes; beyond that, it fails. Apple's systems
///   hold back the peer earlier, but still deliver the bytes that they have received.
/// - App Transport Security on Apple's systems refuses `http` unless the app's Info.plist permits it
///   (`NSAppTransportSecurity`): such a request fails as `tls`.
/// - With a background configuration (`background(withIdentifier:)`), requests fail as `unsupported`, because the
///   system would follow redirects with the request's credentials.
/// - On Linux, every request that has a body, or is not a GET, HEAD, OPTIONS or TRACE, uses its own connection, because
///   libcurl would repeat it on a reused one. A response with trailers terminates the program: FoundationNetworking
///   can't read them. CumulusNIO doesn't have these limits.
public final class URLSessionTransport: Transport {
    private let pool: SessionPool
    private let options: RequestOptions
    private let unreadLimit: Int
    /// The error of every request with this configuration; `nil` if requests can be sent.
    private let refusal: TransportFailure?
    private let own: TransportIdentity
    /// The TLS settings; `nil` for those of the system.
    private let trust: TrustPolicy?

    /// Creates a transport with its own session.
    ///
    /// - Parameters:
    ///   - configuration: The session's configuration, except for settings that the contract forbids; it is copied. On
    ///     Apple's systems, it can set proxies and TLS versions. Default: ephemeral.
    ///   - connectionsPerHost: The maximum number of open connections to a host; other requests wait. Default: 6, as in
    ///     browsers.
    ///   - unreadLimit: The maximum number of bytes of a body that wait in memory. Default: 16 MiB on Apple's systems,
    ///     which hold back the peer, and 256 MiB elsewhere.
    ///   - connectionCredentials: Users and passwords for NTLM and Negotiate, each used only for its own origin, and
    ///     never for a proxy. They work on Apple's systems; FoundationNetworking supports neither scheme. Default:
    ///     none.
    ///   - offersSystemCredentials: Whether servers and proxies may also receive the user's own credentials: a Kerberos
    ///     ticket, a client certificate in the keychain. Only Apple's systems have them. Default: false.
    ///   - tls: The servers that are trusted, and the client certificates that they receive. Default: the system
    ///     decides.
    public init(
        configuration: URLSessionConfiguration = .ephemeral,
        connectionsPerHost: Int = 6,
        unreadLimit: Int? = nil,
        connectionCredentials: [Origin: Credentials] = [:],
        offersSystemCredentials: Bool = false,
        tls: TLS = TLS()
    ) {
        let (trust, system, problem) = Self.read(tls)
        let policy = ChallengePolicy(
            credentials: ConnectionCredentials(byOrigin: connectionCredentials),
            offersSystemCredentials: offersSystemCredentials,
            trust: trust
        )
        // It is a class: the caller's own stays as it is.
        let configuration = configuration.copy() as? URLSessionConfiguration ?? .ephemeral
        configuration.httpMaximumConnectionsPerHost = connectionsPerHost
        pool = SessionPool(configuration, policy, system)
        options = RequestOptions()
        self.unreadLimit = unreadLimit ?? Self.usualUnreadLimit
        self.trust = trust
        refusal = Self.refusal(of: configuration) ?? problem
        let isPlain =
            connectionCredentials.isEmpty && !offersSystemCredentials
            && configuration.httpAdditionalHeaders?.isEmpty ?? true
            && configuration.connectionProxyDictionary?.isEmpty ?? true
        own = isPlain ? TransportIdentity(route: ["URLSession"]) : .unknown
    }

    /// Creates a transport that uses your own session, such as one that a debugging proxy or device management observes.
    ///
    /// The transport's tasks have their own delegate, so Apple's systems call your session's delegate only for the
    /// methods that it lacks. On Linux, where a task's own delegate is ignored, sessions with your session's
    /// configuration carry the requests. Requests use neither your session's cookies nor its cache, but its additional
    /// header fields, proxies and `timeoutIntervalForResource` apply. ``shutdown()`` leaves the session open, and the
    /// transport's ``identity(at:)`` is unknown. The transport has no ``TLS`` settings: your session's delegate may
    /// verify servers itself.
    ///
    /// - Parameters:
    ///   - session: The session. With a background session, each request fails as `unsupported`.
    ///   - unreadLimit: The maximum number of bytes of a body that wait in memory. Default: the same as for the other
    ///     initializer.
    ///   - offersSystemCredentials: Whether servers and proxies may also receive the user's own credentials. Default:
    ///     false.
    public init(session: URLSession, unreadLimit: Int? = nil, offersSystemCredentials: Bool = false) {
        let policy = ChallengePolicy(
            credentials: ConnectionCredentials(byOrigin: [:]),
            offersSystemCredentials: offersSystemCredentials
        )
        pool = SessionPool(borrowing: session, policy)
        options = RequestOptions()
        self.unreadLimit = unreadLimit ?? Self.usualUnreadLimit
        trust = nil
        refusal = Self.refusal(of: session.configuration)
        own = .unknown
    }

    private init(_ transport: URLSessionTransport, _ options: RequestOptions) {
        (pool, unreadLimit, refusal) = (transport.pool, transport.unreadLimit, transport.refusal)
        (own, trust, self.options) = (transport.own, transport.trust, options)
    }

    /// Returns a transport with the same sessions and connections, whose requests have different options.
    ///
    /// ```swift
    /// site.setRules { $0.transport = transport.with { $0.allowsExpensiveNetworkAccess = false } }
    /// ```
    public func with(_ change: (inout RequestOptions) -> Void) -> URLSessionTransport {
        var options = options
        change(&options)
        return URLSessionTransport(self, options)
    }

    private static var usualUnreadLimit: Int {
        #if canImport(Darwin)
        16 << 20
        #else
        256 << 20
        #endif
    }

    /// Reads TLS settings: for decisions, and in the system's form; or the failure if they can't be used.
    private static func read(_ tls: TLS) -> (TrustPolicy?, SystemTrust?, TransportFailure?) {
        if tls == TLS() { return (nil, nil, nil) }
        do throws(TransportFailure) {
            let policy = try TrustPolicy(tls)
            return (policy, try SystemTrust(policy), nil)
        } catch {
            return (nil, nil, error)
        }
    }

    private static func refusal(of configuration: URLSessionConfiguration) -> TransportFailure? {
        let proxies = configuration.connectionProxyDictionary
        return lack(identifier: configuration.identifier, proxies: proxies).map { TransportFailure(.unsupported, $0) }
    }

    /// The reason why no request can be sent with a configuration: the part that this system's URLSession would
    /// silently ignore, or that would break the contract.
    static func lack(identifier: String?, proxies: [AnyHashable: Any]?) -> String? {
        // "For tasks in the background session, redirects are always followed" (`NSURLSession.h`).
        if identifier != nil {
            return "a background URLSession follows redirects with the request's credentials"
        }
        #if canImport(Darwin)
        return nil
        #else
        return proxies.map { _ in
            "URLSession on Linux ignores the proxy of a configuration (connectionProxyDictionary)"
        }
        #endif
    }

    /// A time that no request takes: URLSession can't express "never".
    static let never: TimeInterval = 7 * 86_400

    /// The differences between URLSession and the contract.
    public var capabilities: TransportCapabilities {
        var capabilities = TransportCapabilities()
        capabilities.decodesContent = true
        capabilities.repeats = true
        #if !canImport(Darwin)
        capabilities.streamsRequestBodies = false
        capabilities.limitsUnreadBytes = false
        #endif
        capabilities.usesProxies = false
        return capabilities
    }

    /// Returns the client and the route, as far as the configuration determines them.
    ///
    /// The result is unknown if the configuration has additional header fields, a proxy, or credentials for
    /// connections. It is also unknown for http, since such requests may go through the system's proxy.
    public func identity(at origin: Origin) -> TransportIdentity {
        if origin.scheme == .http || refusal != nil || own == .unknown { return .unknown }
        return trust?.identity(at: origin) ?? own
    }

    /// Sends a request over the session and returns when the response's head has arrived.
    public func send(_ request: TransportRequest) async throws -> TransportResponse {
        try Task.checkCancellation()
        guard !pool.hasEnded else { throw Self.shutDown() }
        // URLSession chooses the version itself.
        guard request.httpVersion == .automatic else {
            throw TransportFailure(.unsupported, "URLSession does not let a request choose the HTTP version")
        }
        if let refusal { throw refusal }
        guard request.offersIdentity || trust?.identities[request.origin] == nil else {
            let message = "URLSession can't omit the client certificate for \(request.origin)"
            throw TransportFailure(.unsupported, message)
        }
        guard request.allowedAddresses.isAny else { throw TransportFailure.noAddressGuard(URLSessionTransport.self) }
        if case .stream(let body) = request.body, body.trailers != nil {
            throw TransportFailure(.unsupported, "URLSession can't send trailers")
        }
        if let proxy = request.proxy { throw TransportFailure.noProxies(proxy, URLSessionTransport.self) }
        let started = request.clock.now
        var urlRequest = try URLRequest(head: request)
        options.apply(to: &urlRequest)
        let upload = try await Upload(request)
        switch upload.content {
        case .data(let data): urlRequest.httpBody = data
        case .streamed:
            // Otherwise it is sent chunked.
            let length = request.body.length.map(String.init)
            urlRequest.setValue(length, forHTTPHeaderField: HTTPField.Name.contentLength.rawName)
        case .file, .nothing: break
        }
        let isFresh = request.needsConnectionOfItsOwn || request.connection == .new
        let exchange = URLSessionExchange(request, spool: upload.spool, started: started, unreadLimit: unreadLimit)
        // A body may have taken its time to be written.
        let task = pool.task(for: exchange, onOwnConnection: isFresh) { [urlRequest] session in
            let task = Self.task(session, urlRequest, upload.content)
            task.priority = options.priority
            return task
        }
        guard let task else {
            upload.spool?.remove()
            throw Self.shutDown()
        }
        return try await exchange.run(task)
    }

    private static func task(
        _ session: URLSession,
        _ request: URLRequest,
        _ content: Upload.Content
    ) -> URLSessionTask {
        switch content {
        case .nothing, .data: session.dataTask(with: request)
        case .file(let url): session.uploadTask(with: request, fromFile: url)
        case .streamed: session.uploadTask(withStreamedRequest: request)
        }
    }

    private static func shutDown(fate: TransportFailure.Fate = .unsent) -> TransportFailure {
        TransportFailure(.shutdown, "the transport was shut down", fate: fate)
    }

    /// Ends every exchange and closes the connections; later requests fail, including those of ``with(_:)``.
    public func shutdown() { pool.shutDown(Self.shutDown(fate: .unknown)) }
}

// SPDX-License-Identifier: Apache-2.0

public import CumulusCore
import HTTPTypes
import Synchronization

#if canImport(FoundationNetworking)
import Foundation
public import FoundationNetworking
#else
public import Foundation
#endif

/// A transport that uses URLSession.
///
/// The default on Apple's systems. It follows no redirects, stores no cookies, caches nothing and offers no
/// credentials, regardless of the configuration: the pipeline does all of that. URLSession departs
/// from the contract of transports:
///
/// - It may send a request again itself, as after a kept connection had closed: records may have less than was sent.
/// - It decodes content codings, and adds its own fields (`User-Agent`, `Accept`, a `Content-Type` for a POST).
/// - A stream body is written to a temporary file first; so is a range of a file.
/// - No trailers, no informational responses, no early responses; GET can't have a body.
/// - `deadlines.connect` and `deadlines.poolWait` can't be distinguished from waiting for the response: they are not
///   enforced; `idle` and `total` are.
/// - On Apple's systems your own `Host` can't be sent.
/// - It chooses the version of HTTP itself: the setting `httpVersion` can only be `.automatic`.
/// - It only trusts the system's certificate authorities; it supports neither client certificates nor pinned keys.
/// - It uses the proxies of its configuration, or the system's, not those of the setting `proxy`: a request with such a
///   proxy fails as `unsupported`.
/// - It doesn't report addresses before it connects to them: a request with `allowedAddresses` fails as `unsupported`.
/// - On Linux neither the versions of TLS nor the proxy can be configured: with a `connectionProxyDictionary` each
///   request fails as `unsupported`. The proxies are those of the environment (`https_proxy`), regardless of the
///   setting `proxy`.
/// - On Linux a body that is read slowly is kept in memory, up to `unreadLimit` bytes; then it fails.
/// - On Linux every request that has a body, or is not a GET, HEAD, OPTIONS or TRACE, uses its own connection, because
///   libcurl would repeat it on a kept one. A response with trailers terminates the program: FoundationNetworking can't
///   read them. CumulusNIO has none of these limits.
public final class URLSessionTransport: Transport {
    private let session: URLSession
    /// The session for requests that need their own connection; the same session if none does.
    private let freshSession: URLSession
    // Tasks are numbered by session, so each session has its own delegate.
    private let delegate: SessionDelegate
    private let freshDelegate: SessionDelegate
    private let unreadLimit: Int
    /// Why no request can be sent with this configuration; `nil` if requests can be sent.
    private let lack: String?
    private let own: TransportIdentity
    private let isShutDown = Mutex(false)

    /// Makes a transport with its own session.
    ///
    /// - Parameters:
    ///   - configuration: The session's configuration, except for what the contract forbids; on Apple's systems it can
    ///     set
    ///     proxies and TLS versions. Default: ephemeral.
    ///   - connectionsPerHost: How many connections to a host may be open; other requests wait. Default: 64.
    ///   - unreadLimit: How many bytes of a body may wait in memory. Default: 256 MiB.
    ///   - connectionCredentials: Users and passwords for NTLM and Negotiate, each for its origin only, and never for a
    ///     proxy. They work on Apple's systems; FoundationNetworking knows neither scheme. Default: none.
    public init(
        configuration: URLSessionConfiguration = .ephemeral,
        connectionsPerHost: Int = 64,
        unreadLimit: Int = 256 * 1024 * 1024,
        connectionCredentials: [Origin: Credentials] = [:]
    ) {
        delegate = SessionDelegate(ConnectionCredentials(byOrigin: connectionCredentials))
        freshDelegate = SessionDelegate(ConnectionCredentials(byOrigin: connectionCredentials))
        configuration.httpCookieStorage = nil
        configuration.httpShouldSetCookies = false
        configuration.httpCookieAcceptPolicy = .never
        configuration.urlCache = nil
        configuration.urlCredentialStorage = nil
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        configuration.httpMaximumConnectionsPerHost = connectionsPerHost
        // The request's own deadlines are the ones that count.
        configuration.timeoutIntervalForRequest = Self.never
        configuration.timeoutIntervalForResource = Self.never
        let queue = OperationQueue()
        queue.maxConcurrentOperationCount = 1
        session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: queue)
        #if canImport(Darwin)
        freshSession = session
        #else
        freshSession = URLSession(configuration: configuration, delegate: freshDelegate, delegateQueue: queue)
        #endif
        self.unreadLimit = unreadLimit
        lack = Self.lack(of: configuration)
        let isPlain =
            connectionCredentials.isEmpty && configuration.httpAdditionalHeaders?.isEmpty ?? true
            && configuration.connectionProxyDictionary?.isEmpty ?? true
        own = isPlain ? TransportIdentity(route: ["URLSession"]) : .unknown
    }

    /// The part of a configuration that this system's URLSession would silently ignore.
    private static func lack(of configuration: URLSessionConfiguration) -> String? {
        #if canImport(Darwin)
        nil
        #else
        configuration.connectionProxyDictionary.map { _ in
            "URLSession on Linux can't be told which proxy to use (connectionProxyDictionary)"
        }
        #endif
    }

    // The session holds its delegate until it is invalidated.
    deinit {
        session.finishTasksAndInvalidate()
        freshSession.finishTasksAndInvalidate()
    }

    /// A time that no request takes: URLSession can't express "never".
    static let never: TimeInterval = 7 * 86_400

    /// The points in which URLSession departs from the contract.
    public var capabilities: TransportCapabilities {
        var capabilities = TransportCapabilities()
        capabilities.decodesContent = true
        capabilities.repeats = true
        capabilities.streamsRequestBodies = false
        #if !canImport(Darwin)
        capabilities.limitsUnreadBytes = false
        #endif
        capabilities.usesProxies = false
        return capabilities
    }

    /// The client and the route, as far as the configuration shows them; unknown if it has additional header fields, a
    /// proxy, or credentials for connections, and for http, which the system's proxy may carry.
    public func identity(at origin: Origin) -> TransportIdentity { origin.scheme == .http ? .unknown : own }

    /// Sends a request over the session and returns when the response's head has arrived.
    public func send(_ request: TransportRequest) async throws -> TransportResponse {
        try Task.checkCancellation()
        guard !isShutDown.withLock({ $0 }) else { throw TransportFailure(.shutdown, "the transport was shut down") }
        // URLSession chooses the version itself.
        guard request.httpVersion == .automatic else {
            throw TransportFailure(.unsupported, "URLSession can't be told which version of HTTP to use")
        }
        if let lack { throw TransportFailure(.unsupported, lack) }
        guard request.allowedAddresses.isAny else { throw TransportFailure.noAddressGuard(URLSessionTransport.self) }
        if let proxy = request.proxy { throw TransportFailure.noProxies(proxy, URLSessionTransport.self) }
        let started = request.clock.now
        var urlRequest = try URLRequest(head: request)
        let upload = try await Upload(request)
        let isFresh = request.needsConnectionOfItsOwn || request.connection == .new
        let session = isFresh ? freshSession : session
        let task: URLSessionTask
        switch upload.content {
        case .nothing: task = session.dataTask(with: urlRequest)
        case .data(let data):
            urlRequest.httpBody = data
            task = session.dataTask(with: urlRequest)
        case .file(let url): task = session.uploadTask(with: urlRequest, fromFile: url)
        }
        let exchange = URLSessionExchange(request, spool: upload.spool, started: started, unreadLimit: unreadLimit)
        (isFresh ? freshDelegate : delegate).add(exchange, for: task)
        return try await exchange.run(task)
    }

    /// Ends every exchange and closes the connections; later requests fail.
    public func shutdown() {
        isShutDown.withLock { $0 = true }
        let failure = TransportFailure(.shutdown, "the transport was shut down", fate: .unknown)
        for delegate in [delegate, freshDelegate] { delegate.failAll(failure) }
        for session in [session, freshSession] { session.invalidateAndCancel() }
    }
}

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

/// URLSession as a transport.
///
/// The default on Apple's systems. It follows no redirects, keeps no cookies, caches nothing and offers no
/// credentials, whatever the configuration says: the pipeline does all of that. What URLSession itself does
/// otherwise than the contract wants is told by ``capabilities``:
///
/// - It decodes content codings, and adds fields of its own (`User-Agent`, `Accept`, a `Content-Type` for a POST).
/// - A stream body is written to a temporary file first; so is a range of a file.
/// - No trailers, no informational responses, no early responses; GET can't have a body.
/// - `deadlines.connect` and `deadlines.poolWait` can't be told apart from waiting for the response: they are not
///   enforced, `idle` and `total` are.
/// - On Apple's systems a `Host` of your own can't be sent.
/// - It chooses the version of HTTP by itself: the setting `httpVersion` can only be `.automatic`.
/// - It trusts the authorities that the system trusts, and nobody else; it has no client certificates and pins no keys.
/// - It goes by the proxies of its configuration, or the system's, and not by those of the setting `proxy`: a request
///   that is to go by one of these fails as `unsupported`.
/// - It doesn't tell which addresses it connects to before it does: a request with `allowedAddresses` fails as
///   `unsupported`.
/// - On Linux it can be told neither which versions of TLS to speak nor which proxy to use: with a
///   `connectionProxyDictionary` each request fails as `unsupported`. Proxies are the environment's (`https_proxy`),
///   whatever the setting `proxy` says.
/// - On Linux a body that is read slowly is kept in memory, up to `unreadLimit` bytes; at that it fails.
/// - On Linux every request that has a body, or is not a GET, HEAD, OPTIONS or TRACE, takes a connection of its own,
///   because libcurl would repeat it on a kept one. A response with trailers ends the program: FoundationNetworking
///   can't read them. CumulusNIO has none of these limits.
public final class URLSessionTransport: Transport {
    private let session: URLSession
    /// For requests that need a connection of their own; the same session if none does.
    private let freshSession: URLSession
    // Tasks are numbered by session, so each session has its own delegate.
    private let delegate = SessionDelegate()
    private let freshDelegate = SessionDelegate()
    private let unreadLimit: Int
    /// Why no request can be sent as the configuration wants it; `nil` if all can.
    private let lack: String?
    private let isShutDown = Mutex(false)

    /// Makes a transport with a session of its own.
    ///
    /// - Parameters:
    ///   - configuration: What the session is configured with, apart from what the contract forbids; on Apple's systems
    ///     proxies and TLS versions for example. Ephemeral unless given.
    ///   - connectionsPerHost: How many connections to a host may be open; the others wait. 64 unless given.
    ///   - unreadLimit: How many bytes of a body may wait in memory; 256 MiB unless given.
    public init(
        configuration: URLSessionConfiguration = .ephemeral,
        connectionsPerHost: Int = 64,
        unreadLimit: Int = 256 * 1024 * 1024
    ) {
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
    }

    /// What a configuration asks for that this system's URLSession would leave undone silently.
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

    /// A time that no request takes: URLSession has no way to say never.
    static let never: TimeInterval = 7 * 86_400

    /// Where URLSession departs from the contract.
    public var capabilities: TransportCapabilities {
        var capabilities = TransportCapabilities()
        capabilities.decodesContent = true
        capabilities.streamsRequestBodies = false
        #if canImport(Darwin)
        capabilities.sendsOwnHost = false
        capabilities.deliversInformational = false
        #else
        capabilities.limitsUnreadBytes = false
        capabilities.acceptsTLSVersions = false
        #endif
        capabilities.deliversTrailers = false
        capabilities.deliversEarlyResponses = false
        capabilities.isStrict = false
        capabilities.sendsVerbatim = false
        capabilities.reportsConnections = false
        capabilities.acceptsTrustRoots = false
        capabilities.acceptsClientCertificates = false
        capabilities.acceptsPinnedKeys = false
        capabilities.usesProxies = false
        return capabilities
    }

    /// Sends a request over the session and returns when the response's head has come.
    public func send(_ request: TransportRequest) async throws -> TransportResponse {
        try Task.checkCancellation()
        guard !isShutDown.withLock({ $0 }) else { throw TransportFailure(.shutdown, "the transport was shut down") }
        // URLSession chooses by itself and can't be told.
        guard request.httpVersion == .automatic else {
            throw TransportFailure(.unsupported, "URLSession can't be told which version of HTTP to use")
        }
        if let lack { throw TransportFailure(.unsupported, lack) }
        guard request.allowedAddresses.isAny else { throw TransportFailure.noAddressGuard(URLSessionTransport.self) }
        if let proxy = request.proxy { throw TransportFailure.noProxies(proxy, URLSessionTransport.self) }
        let started = request.clock.now
        var urlRequest = try URLRequest(head: request)
        let upload = try await Upload(request)
        let isFresh = request.needsConnectionOfItsOwn
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
        let failure = TransportFailure(.shutdown, "the transport was shut down", sent: .something)
        for delegate in [delegate, freshDelegate] { delegate.failAll(failure) }
        for session in [session, freshSession] { session.invalidateAndCancel() }
    }
}

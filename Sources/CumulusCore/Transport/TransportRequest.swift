// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives
public import HTTPTypes

/// The complete request of one exchange: the transport adds only the protocol's framing.
public struct TransportRequest: Sendable {
    /// The method.
    public var method: HTTPRequest.Method
    /// The origin to connect to, which is also the value of `Host` unless ``headers`` contains that field.
    public var origin: Origin
    /// The path and query, encoded, as in the request line (origin-form, RFC 9112 section 3.2.1).
    public var target: String
    /// The header fields, without those that frame the body.
    ///
    /// A single `Host` field, with or without a port, replaces the origin's; the connection and TLS still use the
    /// origin.
    public var headers: HTTPFields
    /// The body.
    public var body: RequestBody
    /// The time limits of the phases.
    public var deadlines: TransportDeadlines {
        get { sharedDeadlines.value }
        _modify { yield &sharedDeadlines.value }
    }
    // One reference: they are large, and those of most requests are the same.
    private var sharedDeadlines: Shared<TransportDeadlines>
    /// The clock for the deadlines.
    public var clock: any RequestClock
    /// The version of HTTP to use.
    ///
    /// Default: the best version that both sides support.
    public var httpVersion = HTTPVersion.automatic
    /// The connections that may be used.
    ///
    /// Default: any.
    public var connection = Connection.any
    /// A function that receives each informational (1xx) response.
    ///
    /// It is called in the transport's context, so it must return quickly.
    public var onInformational: (@Sendable (HTTPResponse) -> Void)?
    /// The time for which a body waits for the server's approval (`Expect: 100-continue`, RFC 9110 section 10.1.1).
    ///
    /// After that, the body is sent anyway. If a final response arrives first, the body is not sent. Default: `nil`,
    /// which sends the body immediately after the head. It has no effect without a body, and over HTTP/2.
    public var expectsContinue: Duration?
    /// Whether the transport may identify the client with a certificate.
    ///
    /// Default: true.
    ///
    /// The pipeline sets this to false once a redirect has left the call's origin, even if a later redirect leads back.
    public var offersIdentity = true
    /// The proxy to use; `nil`, the default, means no proxy.
    ///
    /// A transport that can't use it must throw a ``TransportFailure`` of the kind `unsupported` instead of connecting
    /// directly; see ``TransportCapabilities/usesProxies``.
    public var proxy: Proxy?
    /// The addresses that the request may connect to.
    ///
    /// Default: any.
    ///
    /// A transport must check each address that it connects to, after the lookup, and must not use a connection that
    /// was opened under a different policy. A transport that can't do this must throw a ``TransportFailure`` of the
    /// kind `unsupported`. See ``TransportCapabilities/guardsAddresses``.
    public var allowedAddresses = AddressPolicy.any
    /// The listing through which the exchange can be cancelled from outside; see
    /// ``TransportCapabilities/attachesExchanges``.
    public var listing: CallListing?
    /// The reason why the request is sent; ``AttemptRecord/Reason/call`` for a request made without a call.
    public internal(set) var reason = AttemptRecord.Reason.call
    /// The number of requests that the call has sent again so far, including this request if it is a repetition.
    ///
    /// 0 for the first request of a call, and for a segment of a download.
    public internal(set) var resendCount = 0
    /// The request without its credentials, as logs show it; `nil` for a request made without a call.
    public internal(set) var encodedRequest: EncodedRequest?

    /// The connections that a request may use.
    public enum Connection: Sendable, Hashable {
        /// Any connection that the transport has.
        case any
        /// No connection that was idle after other requests, since the server may have closed it in the meantime.
        ///
        /// A connection that is in use is allowed.
        case new
    }

    /// Creates a request.
    public init(
        method: HTTPRequest.Method = .get,
        origin: Origin,
        target: String = "/",
        headers: HTTPFields = [:],
        body: RequestBody = .none,
        deadlines: TransportDeadlines = TransportDeadlines(),
        clock: any RequestClock = SystemClock()
    ) {
        self.method = method
        self.origin = origin
        self.target = target
        self.headers = headers
        self.body = body
        sharedDeadlines = Shared(deadlines)
        self.clock = clock
    }

    /// Creates the request of a call, with deadlines that other requests may also have.
    init(_ request: EncodedRequest, _ deadlines: Shared<TransportDeadlines>, on clock: any RequestClock) {
        method = request.method
        origin = request.origin
        target = request.target
        headers = request.headers
        body = request.body
        sharedDeadlines = deadlines
        self.clock = clock
    }
}

/// The time limits of an exchange's phases; the transport enforces them.
public struct TransportDeadlines: Sendable, Hashable {
    /// The time to wait for a connection from a busy pool; `nil` means no limit.
    public var poolWait: Duration?
    /// The limit for name lookup, connecting and the TLS handshake together; `nil` means no limit.
    public var connect: Duration?
    /// The maximum time without progress: without a response head after the request was sent, or without a byte of a body
    /// in either direction, even if it is the source of the request's body that is slow.
    ///
    /// Bytes of a head count as progress only if ``response`` is set, and informational responses count only if
    /// ``response`` or ``total`` is set.
    public var idle: Duration?
    /// The limit from the request's last byte to the response's whole head, including informational responses; `nil`
    /// uses ``idle``.
    public var response: Duration?
    /// The minimum rate of a body; `nil` means no limit.
    public var minimumRate: MinimumRate?
    /// The instant by which the exchange must have ended, including its body; `nil` means no limit.
    public var total: ContinuousClock.Instant? {
        get { end?.instant }
        set { end = newValue.map { Moment($0) } }
    }
    /// The same instant, as it is stored.
    package var end: Moment?
    /// The time limit of the whole call, which ends at ``total``; used in messages.
    public var whole: Duration?

    /// Creates deadlines; an omitted deadline means no limit.
    public init(
        poolWait: Duration? = nil,
        connect: Duration? = nil,
        idle: Duration? = nil,
        minimumRate: MinimumRate? = nil,
        total: ContinuousClock.Instant? = nil,
        response: Duration? = nil
    ) {
        self.poolWait = poolWait
        self.connect = connect
        self.idle = idle
        self.response = response
        self.minimumRate = minimumRate
        end = total.map { Moment($0) }
    }
}

extension TransportRequest: Redacted {
    /// The method, origin and path, without secrets.
    public var description: String { "\(method.rawValue) \(origin)\(target.before("?"))" }
}

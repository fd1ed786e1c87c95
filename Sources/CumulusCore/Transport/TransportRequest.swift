// SPDX-License-Identifier: Apache-2.0

public import HTTPTypes

/// One exchange's request, complete: nothing is added but what the protocol's framing needs.
public struct TransportRequest: Sendable {
    /// The method.
    public var method: HTTPRequest.Method
    /// Where to connect, and what `Host` names unless ``headers`` has one.
    public var origin: Origin
    /// Path and query, encoded, as the request line has them (origin-form, RFC 9112 section 3.2.1).
    public var target: String
    /// The header fields, without those that frame the body.
    ///
    /// One `Host`, a host with or without a port, takes the place of the origin's; connection and TLS go by the origin.
    public var headers: HTTPFields
    /// The body.
    public var body: RequestBody
    /// By when each phase must be done.
    public var deadlines: TransportDeadlines
    /// The clock that deadlines are read on.
    public var clock: any RequestClock
    /// Which version of HTTP to use; default: what both sides know best.
    public var httpVersion = HTTPVersion.automatic
    /// Gets each informational (1xx) response; called in the transport's context, so it must return quickly.
    public var onInformational: (@Sendable (HTTPResponse) -> Void)?
    /// How long a body waits for the server's word that it is wanted (`Expect: 100-continue`, RFC 9110 section 10.1.1).
    ///
    /// After that it is sent all the same. A final response that comes first spares the body. Default: `nil`, the body
    /// follows the head at once. Without a body, and over HTTP/2, it means nothing.
    public var expectsContinue: Duration?
    /// Whether the transport may tell the server who it is, by a client certificate; default: true.
    ///
    /// The pipeline says no once a redirect has led away from the call's origin, even if a later one leads back.
    public var offersIdentity = true
    /// The proxy to go by; `nil`, the default, is none.
    ///
    /// A transport that can't must throw a ``TransportFailure`` of the kind `unsupported` instead of going directly; see
    /// ``TransportCapabilities/usesProxies``.
    public var proxy: Proxy?
    /// Which addresses may be connected to; default: any.
    ///
    /// A transport must hold each address that it connects to against it, after the look-up, and must not use a connection
    /// that was made by another policy; one that can't must throw a ``TransportFailure`` of the kind `unsupported`. See
    /// ``TransportCapabilities/guardsAddresses``.
    public var allowedAddresses = AddressPolicy.any
    /// By which others than the waiting task can end the exchange; see ``TransportCapabilities/attachesExchanges``.
    public var ticket: RequestTicket?

    /// Makes a request.
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
        self.deadlines = deadlines
        self.clock = clock
    }
}

/// By when each phase of an exchange must be done; the transport enforces them.
public struct TransportDeadlines: Sendable, Hashable {
    /// How long to wait for a connection of a busy pool; `nil` waits on.
    public var poolWait: Duration?
    /// How long name look-up, connecting and the TLS handshake may take together; `nil` waits on.
    public var connect: Duration?
    /// How long the peer may stay silent: no response head after the request was sent, or no byte of a body either way.
    ///
    /// Bytes of a head and informational responses count as signs of life only if ``response`` bounds the wait.
    public var idle: Duration?
    /// From the request's last byte to the whole head of the response, informational ones included; `nil` is ``idle``.
    public var response: Duration?
    /// The least that must move while a body is under way; `nil` is no limit.
    public var minimumRate: MinimumRate?
    /// When the exchange must be over, its body included; `nil` is never.
    public var total: ContinuousClock.Instant? {
        get { end?.instant }
        set { end = newValue.map { Moment($0) } }
    }
    /// The same, as it is kept.
    package var end: Moment?
    /// How long the whole call may take, of which the exchange has what is left; for messages.
    package var whole: Duration?

    /// Names the deadlines; all are off unless given.
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

    /// The same, without an instant on the way.
    init(
        poolWait: Duration?,
        connect: Duration?,
        response: Duration?,
        idle: Duration?,
        minimumRate: MinimumRate?,
        end: Moment?,
        whole: Duration?
    ) {
        self.poolWait = poolWait
        self.connect = connect
        self.response = response
        self.idle = idle
        self.minimumRate = minimumRate
        self.end = end
        self.whole = whole
    }
}

extension TransportRequest: CustomStringConvertible, CustomReflectable {
    /// Method, origin and path, without secrets.
    public var description: String { "\(method.rawValue) \(origin)\(target.before("?"))" }
    /// Shows the same as the description.
    public var customMirror: Mirror { Mirror(self, children: ["request": description]) }
}

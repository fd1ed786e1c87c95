// SPDX-License-Identifier: Apache-2.0

/// A transport's observations of one exchange.
///
/// A value that the transport can't observe is `nil` or zero.
public struct ExchangeFacts: Sendable, Hashable {
    /// The duration of each phase; a reused connection has no `lookup`, `connect` or `tls`.
    public struct Phases: Sendable, Hashable {
        /// The time spent waiting for a free connection from the pool.
        public var queue: Duration?
        /// The time for looking up the host's name; `nil` if it is part of `connect`.
        public var lookup: Duration?
        /// The time to connect.
        public var connect: Duration?
        /// The time for the TLS handshake.
        public var tls: Duration?
        /// The time from the start of the exchange to the first byte of the response.
        public var firstByte: Duration?
        /// The time from the start of the exchange to its last byte.
        public var lastByte: Duration?

        /// Creates phases without values.
        public init() {}
    }

    /// The duration of each phase.
    public var phases = Phases()
    /// Whether the connection had carried an exchange before.
    public var isReused = false
    /// The local address and port.
    public var localAddress: String?
    /// The peer's address and port; if a proxy is used, the proxy's address and port.
    public var remoteAddress: String?
    /// The proxy of the exchange; `nil` if the connection was direct.
    public var proxy: Proxy?
    /// The protocol, as in ALPN and the status line: `HTTP/1.1`, `h2`.
    public var protocolName: String?
    /// The TLS properties of the connection to the origin, even through a proxy's tunnel; `nil` if TLS isn't used.
    public var tls: TLSFacts?
    /// The number of bytes written for this exchange: head, framing and body, before TLS.
    public var bytesSent: Int64 = 0
    /// The number of bytes read for this exchange: head, framing and body, after TLS.
    public var bytesReceived: Int64 = 0

    /// Whether the response was complete before the whole body was sent, so that the remaining bytes were not sent.
    public var isBodyCut = false

    /// Names of response fields that were dropped because of white space before their colons (RFC 9112 section 5.1).
    public var droppedFields: [String] = []

    /// Creates facts without values.
    public init() {}
}

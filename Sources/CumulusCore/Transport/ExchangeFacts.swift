// SPDX-License-Identifier: Apache-2.0

/// What a transport observed of one exchange.
///
/// What a transport can't tell is `nil` or zero; see ``TransportCapabilities/reportsConnections``.
public struct ExchangeFacts: Sendable, Hashable {
    /// How long each phase took; a reused connection has no `lookup`, `connect` or `tls`.
    public struct Phases: Sendable, Hashable {
        /// Waiting for a free connection of the pool.
        public var queue: Duration?
        /// Looking up the host's name; `nil` even if it is part of `connect`.
        public var lookup: Duration?
        /// Connecting.
        public var connect: Duration?
        /// The TLS handshake.
        public var tls: Duration?
        /// From the start of the exchange to the first byte of the response.
        public var firstByte: Duration?
        /// From the start of the exchange to its last byte.
        public var lastByte: Duration?

        /// Makes phases of which nothing is known.
        public init() {}
    }

    /// How long each phase took.
    public var phases = Phases()
    /// Whether the connection had carried an exchange before.
    public var isReused = false
    /// This side's address and port.
    public var localAddress: String?
    /// The peer's address and port; the proxy's where there is one.
    public var remoteAddress: String?
    /// The proxy that the exchange went by; `nil` if it went directly.
    public var proxy: Proxy?
    /// The protocol, as ALPN and the status line name it: `HTTP/1.1`, `h2`.
    public var protocolName: String?
    /// Bytes written for this exchange: head, framing and body, before TLS.
    public var bytesSent: Int64 = 0
    /// Bytes read for this exchange: head, framing and body, after TLS.
    public var bytesReceived: Int64 = 0

    /// Names of response fields that were left out, since white space stood before their colons (RFC 9112 section 5.1).
    public var droppedFields: [String] = []

    /// Makes facts of which nothing is known.
    public init() {}
}

// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives

/// The reason why an exchange failed, as the transport reports it.
///
/// The pipeline wraps it in a ``CumulusError``, which adds the request and the stage.
public struct TransportFailure: Error, Sendable {
    /// A phase that has a time limit.
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum Phase: String, Sendable, Hashable {
        /// Waiting for a connection from a busy pool.
        case poolWait
        /// Name lookup, connecting and TLS.
        case connect
        /// Waiting for the response's head.
        case response
        /// Waiting for more bytes of a body, in either direction.
        case idle
        /// Transferring a body more slowly than the minimum rate.
        case rate
        /// Waiting for a permit from the rate limit of an origin, for longer than ``RateLimit/maxWait``.
        case rateLimit
        /// The whole exchange.
        case total
    }

    /// The kinds of failure.
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum Kind: Sendable, Hashable {
        /// The request can't be sent: an invalid method, target, field or length.
        case invalidRequest
        /// The transport or the server lacks a feature that the request needs.
        case unsupported
        /// The host's name could not be resolved.
        case lookup
        /// No connection could be established, or it broke during the TLS handshake.
        case connect
        /// The request may not connect to any address of the host; `cause` is an ``AddressRefusal``.
        case forbiddenAddress
        /// A proxy refused the request, or violated its protocol; `cause` is a ``ProxyRefusal`` if it refused the
        /// request.
        case proxy
        /// The TLS handshake failed with a definite error, such as an alert, or the certificate was not trusted.
        case tls
        /// A time limit passed.
        case timeout(Phase)
        /// The connection ended before a response head arrived.
        case connectionClosed
        /// The body ended before the end that its framing indicates.
        case truncated
        /// The peer's bytes are not valid HTTP.
        case malformedResponse
        /// The response's header exceeds the limits.
        case headerTooLarge
        /// The request's body could not be produced; `cause` is the reason.
        case requestBody
        /// The transport has been shut down.
        case shutdown
        /// A body was used against its contract.
        case invalidUse
        /// Any other failure; see `message` and `cause`.
        case other
    }

    /// The known fate of a request, which decides whether it may be sent again.
    public enum Fate: Sendable, Hashable {
        /// None of the request was sent: it is safe to send again.
        case unsent
        /// The server reported that it has not processed the request (RFC 9113 section 8.7), which is safe to send
        /// again.
        case unprocessed
        /// Some or all of the request may have arrived: only an idempotent request is safe to send again (RFC 9110
        /// section 9.2.2).
        case unknown
    }

    /// The kind.
    public let kind: Kind
    /// A description of the problem and its location.
    public let message: String
    /// The known fate of the request.
    public let fate: Fate
    /// Whether the connection was a reused one, which ended or was refused before a byte of this response arrived.
    ///
    /// The pipeline then immediately sends the request again on a different connection, if its fate and its method
    /// permit that, since a connection in the pool may close at any moment. It is set only for failures of the kind
    /// ``Kind/connectionClosed``. Default: false.
    public var connectionHadServed = false
    /// The reason, if a program can act on it; `nil` if the kind is sufficient, or the transport doesn't know the
    /// reason.
    public var reason: Reason?
    /// The time that was allowed, for a time limit.
    public let limit: Duration?
    /// The time that had passed, for a time limit.
    public let elapsed: Duration?
    /// The underlying error, if any.
    public let cause: (any Error)?

    /// Creates a failure.
    ///
    /// - Parameters:
    ///   - kind: The kind.
    ///   - message: A description of the problem and its location.
    ///   - fate: The known fate of the request; by default, it is unsent if this kind of failure occurs before sending,
    ///     such as when there is no connection; otherwise, it is unknown.
    ///   - limit: The time that was allowed, for a time limit.
    ///   - elapsed: The time that had passed, for a time limit.
    ///   - cause: The underlying error.
    public init(
        _ kind: Kind,
        _ message: String,
        fate: Fate? = nil,
        limit: Duration? = nil,
        elapsed: Duration? = nil,
        cause: (any Error)? = nil
    ) {
        self.kind = kind
        self.message = PeerText.printable(message, limit: PeerText.longestMessage)
        self.fate = fate ?? kind.usualFate
        self.limit = limit
        self.elapsed = elapsed
        self.cause = cause
    }
}

extension TransportFailure.Kind {
    /// The fate of a request that met a failure of this kind, unless a transport states it.
    fileprivate var usualFate: TransportFailure.Fate {
        switch self {
        case .invalidRequest, .unsupported, .lookup, .connect, .forbiddenAddress, .tls: .unsent
        case .timeout(.poolWait), .timeout(.connect), .timeout(.rateLimit): .unsent
        case .proxy, .timeout, .connectionClosed, .truncated, .malformedResponse, .headerTooLarge, .requestBody,
            .shutdown, .invalidUse, .other:
            .unknown
        }
    }
}

extension TransportFailure: Redacted {
    /// The kind and message.
    public var description: String { "\(kind): \(message)" }
}

extension TransportFailure.Kind: CustomStringConvertible {
    /// The kind's name, with the phase for a time limit.
    public var description: String {
        switch self {
        case .invalidRequest: "invalidRequest"
        case .unsupported: "unsupported"
        case .lookup: "lookup"
        case .connect: "connect"
        case .forbiddenAddress: "forbiddenAddress"
        case .proxy: "proxy"
        case .tls: "tls"
        case .timeout(let phase): "timeout (\(phase))"
        case .connectionClosed: "connectionClosed"
        case .truncated: "truncated"
        case .malformedResponse: "malformedResponse"
        case .headerTooLarge: "headerTooLarge"
        case .requestBody: "requestBody"
        case .shutdown: "shutdown"
        case .invalidUse: "invalidUse"
        case .other: "other"
        }
    }
}

extension TransportFailure.Phase: CustomStringConvertible {
    /// A description of the phase's activity.
    public var description: String {
        switch self {
        case .poolWait: "waiting for a connection from the pool"
        case .connect: "connecting"
        case .response: "waiting for the response's head"
        case .idle: "waiting for more bytes"
        case .rate: "below the minimum rate"
        case .rateLimit: "waiting for a permit from the rate limit"
        case .total: "the whole call"
        }
    }
}

extension TransportFailure {
    /// The failure of a transport that doesn't support proxies.
    package static func noProxies(_ proxy: Proxy, _ transport: any Transport.Type) -> TransportFailure {
        TransportFailure(.unsupported, "\(transport) can't use a different proxy for each request, such as \(proxy)")
    }
}

extension TransportFailure {
    /// Returns the failure for a host if the request may not connect to any of its addresses; `nil` if no address was
    /// refused.
    public static func forbidden(_ refusals: [AddressRefusal]) -> TransportFailure? {
        guard let first = refusals.first else { return nil }
        let all = refusals.map(\.description).joined(separator: "; ")
        return TransportFailure(.forbiddenAddress, all, cause: first)
    }

    /// Creates the failure for an address that the request may not connect to; nothing was sent.
    public static func forbidden(_ refusal: AddressRefusal) -> TransportFailure {
        TransportFailure(.forbiddenAddress, "\(refusal)", cause: refusal)
    }

    /// The failure if a transport doesn't see which addresses it connects to.
    package static func noAddressGuard(_ transport: any Transport.Type) -> TransportFailure {
        TransportFailure(
            .unsupported,
            "\(transport) can't check which addresses it connects to, so it can't enforce `allowedAddresses`; "
                + "use NIOTransport"
        )
    }
}

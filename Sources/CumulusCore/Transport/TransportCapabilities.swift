// SPDX-License-Identifier: Apache-2.0

/// The features of a transport, and its deviations from the contract.
///
/// The default describes a transport that fulfills the whole contract.
public struct TransportCapabilities: Sendable, Hashable {
    /// Whether the transport repeats requests without reporting it, for example after an idle connection has closed.
    ///
    /// There may then be more requests than attempt records.
    ///
    /// Default: false.
    public var repeats = false
    /// Whether the transport decodes content codings itself (gzip, ...), so that the bytes differ from those on the
    /// wire.
    ///
    /// Default: false.
    public var decodesContent = false
    /// Whether the transport sends a body while it is produced, and holds back the producer if the peer is slow.
    ///
    /// Default: true.
    public var streamsRequestBodies = true
    /// Whether the transport holds back the peer if the body is read slowly, so that memory use stays bounded.
    ///
    /// Default: true.
    public var limitsUnreadBytes = true
    /// Whether the transport uses the request's proxy (``TransportRequest/proxy``).
    ///
    /// Default: true.
    public var usesProxies = true
    /// Whether the transport checks each address that it connects to against the request's policy
    /// (``TransportRequest/allowedAddresses``).
    ///
    /// If false, requests with a policy fail before they reach the transport. Default: false, so that a transport that
    /// doesn't know the policy is never mistaken for one that does.
    public var guardsAddresses = false
    /// Whether the transport sends the trailers of a request's body (``StreamBody/trailers``).
    ///
    /// If false, requests with trailers fail before they reach the transport. Default: false, so that a transport that
    /// doesn't know trailers never omits them silently.
    public var sendsTrailers = false
    /// Whether the transport connects all requests to the same target, such as a Unix domain socket.
    ///
    /// It then receives no proxy.
    ///
    /// Default: false.
    public var ignoresProxies = false
    /// Whether the transport attaches each exchange to the request's listing before it begins, so that cancelling it
    /// needs no task.
    ///
    /// Default: false.
    public var attachesExchanges = false

    /// Whether the transport sends nothing and creates all responses itself, so that an authorizer needn't request a
    /// token.
    ///
    /// Default: false. It is also false for a stub, since a test may be about the token.
    public var sendsNothing = false

    /// Creates the capabilities of a transport that fulfills the whole contract.
    public init() {}
}

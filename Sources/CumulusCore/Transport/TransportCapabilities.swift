// SPDX-License-Identifier: Apache-2.0

/// What a transport can do, and where it departs from the contract.
///
/// The default describes a transport that keeps the whole contract.
public struct TransportCapabilities: Sendable, Hashable {
    /// Decodes content codings itself (gzip, ...), so that the bytes differ from those on the wire.
    ///
    /// Default: false.
    public var decodesContent = false
    /// Sends a body while it is produced, and holds back the producer if the peer is slow.
    ///
    /// Default: true.
    public var streamsRequestBodies = true
    /// Holds back the peer if the body is read slowly, so that memory stays bounded.
    ///
    /// Default: true.
    public var limitsUnreadBytes = true
    /// Delivers trailer fields (RFC 9110 section 6.5).
    ///
    /// Default: true.
    public var deliversTrailers = true
    /// Delivers informational (1xx) responses.
    ///
    /// Default: true.
    public var deliversInformational = true
    /// Delivers a response that arrives before the request body has been sent.
    ///
    /// Default: true.
    public var deliversEarlyResponses = true
    /// Refuses responses that break the grammar of RFC 9112.
    ///
    /// Default: true.
    public var isStrict = true
    /// Sends the target and the header fields exactly as given.
    ///
    /// Default: true.
    public var sendsVerbatim = true
    /// Sends the caller's `Host` field instead of its own.
    ///
    /// Default: true.
    public var sendsOwnHost = true
    /// Reports addresses, reuse and bytes on the wire in ``ExchangeFacts``.
    ///
    /// Default: true.
    public var reportsConnections = true
    /// Accepts trust roots for servers instead of the system's authorities.
    ///
    /// Default: true.
    public var acceptsTrustRoots = true
    /// Can present a client certificate to servers that ask for one.
    ///
    /// Default: true.
    public var acceptsClientCertificates = true
    /// Can require certain public keys of a host, in addition to a trusted certificate.
    ///
    /// Default: true.
    public var acceptsPinnedKeys = true
    /// Can be restricted to certain versions of TLS.
    ///
    /// Default: true.
    public var acceptsTLSVersions = true
    /// Uses the request's proxy (``TransportRequest/proxy``).
    ///
    /// Default: true.
    public var usesProxies = true
    /// Checks each address that it connects to against the request's policy (``TransportRequest/allowedAddresses``).
    ///
    /// If false, requests with a policy fail before they reach the transport. Default: false, so that a transport that
    /// doesn't know the policy is never mistaken for one that does.
    public var guardsAddresses = false
    /// Connects all requests to the same place regardless of their proxy, as over a Unix domain socket; it is given
    /// none.
    ///
    /// Default: false.
    public var ignoresProxies = false
    /// Attaches each exchange to the request's listing before it begins, so that cancelling it needs no task.
    ///
    /// Default: false.
    public var attachesExchanges = false

    /// Makes the capabilities of a transport that keeps the whole contract.
    public init() {}
}

// SPDX-License-Identifier: Apache-2.0

/// What a transport can do, and where it departs from the contract.
///
/// The default is a transport that keeps the whole contract.
public struct TransportCapabilities: Sendable, Hashable {
    /// Decodes content codings itself (gzip, ...), so that the bytes differ from those on the wire.
    ///
    /// Default: false.
    public var decodesContent = false
    /// Sends a body as it is produced, holding back the producer when the peer is slow.
    ///
    /// Default: true.
    public var streamsRequestBodies = true
    /// Holds back the peer when the body is read slowly, so that memory stays bounded.
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
    /// Delivers a response that comes before the request body has been sent.
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
    /// Sends one `Host` field of the caller's instead of its own.
    ///
    /// Default: true.
    public var sendsOwnHost = true
    /// Tells addresses, reuse and bytes on the wire in ``ExchangeFacts``.
    ///
    /// Default: true.
    public var reportsConnections = true
    /// Can be told whose certificates vouch for servers, in the place of the system's authorities.
    ///
    /// Default: true.
    public var acceptsTrustRoots = true
    /// Can prove by a certificate who the client is, to servers that ask for one.
    ///
    /// Default: true.
    public var acceptsClientCertificates = true
    /// Can be told which keys a host must have, besides a certificate that is trusted.
    ///
    /// Default: true.
    public var acceptsPinnedKeys = true
    /// Can be told which versions of TLS to speak.
    ///
    /// Default: true.
    public var acceptsTLSVersions = true
    /// Goes by the proxy that a request names (``TransportRequest/proxy``).
    ///
    /// Default: true.
    public var usesProxies = true
    /// Holds each address that it connects to against the request's policy (``TransportRequest/allowedAddresses``).
    ///
    /// Where it doesn't, requests with a policy fail before they reach the transport. Default: false, so that a transport
    /// that knows nothing of the policy never stands in for one that does.
    public var guardsAddresses = false
    /// Takes all requests to one place whatever proxy they name, as over a Unix domain socket: none is named to it.
    ///
    /// Default: false.
    public var ignoresProxies = false
    /// Attaches each exchange to the request's ticket before it begins, so that no task is needed to cancel it by.
    ///
    /// Default: false.
    public var attachesExchanges = false

    /// Makes the capabilities of a transport that keeps the whole contract.
    public init() {}
}

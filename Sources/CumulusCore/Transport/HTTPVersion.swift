// SPDX-License-Identifier: Apache-2.0

/// The HTTP version for an exchange.
#if hasAttribute(nonexhaustive)
@nonexhaustive
#endif
public enum HTTPVersion: String, Sendable, Hashable, CaseIterable {
    /// The best version that both sides support: over TLS, the server's choice (ALPN, RFC 7301); otherwise HTTP/1.1.
    case automatic
    /// HTTP/1.1 (RFC 9112) only.
    case http1
    /// HTTP/2 (RFC 9113) only: negotiated by ALPN over TLS; otherwise used immediately, with "prior knowledge" of the
    /// server's support.
    case http2
}

// SPDX-License-Identifier: Apache-2.0

/// Which version of HTTP an exchange is to use.
public enum HTTPVersion: String, Sendable, Hashable, CaseIterable {
    /// The best that both sides know: over TLS what the server chooses (ALPN, RFC 7301), else HTTP/1.1.
    case automatic
    /// HTTP/1.1 (RFC 9112) only.
    case http1
    /// HTTP/2 (RFC 9113) only: over TLS by ALPN, else at once, which a server must know of ("prior knowledge").
    case http2
}

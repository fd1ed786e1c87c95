// SPDX-License-Identifier: Apache-2.0

extension TransportFailure {
    /// A reason for a failure that a program or its user can act on, more specific than the kind.
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum Reason: String, Sendable, Hashable, CaseIterable {
        /// The certificate is self-signed or its issuer is not trusted.
        case untrustedIssuer
        /// The certificate has expired.
        case expiredCertificate
        /// The certificate's validity begins in the future.
        case certificateNotYetValid
        /// The certificate is not valid for the host.
        case hostNameMismatch
        /// The server's key is not one of the keys that are pinned for its host.
        case unpinnedKey
        /// The peer requires a client certificate, and none was sent.
        ///
        /// With TLS 1.2, this is a guess, since a server that refuses a handshake doesn't report why.
        case missingClientCertificate
        /// The peer does not accept the client certificate.
        case refusedClientCertificate
        /// The server supports none of the application protocols that were offered, such as `h2` (RFC 7301).
        case noApplicationProtocol
        /// The peer's response to the handshake is not TLS; a plain HTTP server responds like this.
        case notTLS
        /// The response does not begin with `HTTP/1.`; a server that supports only HTTP/2 responds like this.
        case notHTTP1
        /// The server violated the rules of HTTP/2 (RFC 9113).
        case invalidHTTP2
    }
}

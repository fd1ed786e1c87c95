// SPDX-License-Identifier: Apache-2.0

import NIOSSL

/// A loopback server's identity for TLS.
public struct ServerTLS: Sendable {
    /// A version of the protocol.
    public enum Version: Sendable {
        /// TLS 1.2 (RFC 5246).
        case tls12
        /// TLS 1.3 (RFC 8446).
        case tls13
    }

    /// The certificate chain and its key.
    public var identity: TestCertificateAuthority.Identity
    /// The root that a client must trust to accept this server, in PEM.
    public var rootPEM: String
    /// The protocols offered in the handshake (ALPN), best first; if empty, none are offered.
    public var applicationProtocols: [String] = ["http/1.1"]
    /// The newest version that the server supports.
    ///
    /// `.tls12` simulates an old server.
    public var maximumVersion = Version.tls13

    /// The root of client certificates, in PEM; `nil` doesn't request any.
    public var clientRootPEM: String?

    /// Creates an identity with a self-signed certificate.
    public static func selfSigned(
        hosts: [String] = ["localhost", "127.0.0.1"],
        validity: TestCertificateAuthority.Validity = .current
    ) throws -> Self {
        let identity = try TestCertificateAuthority.selfSigned(hosts: hosts, validity: validity)
        return Self(identity: identity, rootPEM: identity.certificatesPEM[0])
    }

    /// Creates an identity with a certificate from an authority.
    ///
    /// For a certificate with a wrong host, pass `hosts` other than the server's own.
    public static func issued(
        by authority: TestCertificateAuthority,
        hosts: [String] = ["localhost", "127.0.0.1"],
        validity: TestCertificateAuthority.Validity = .current
    ) throws -> Self {
        Self(identity: try authority.issue(hosts: hosts, validity: validity), rootPEM: authority.rootPEM)
    }

    /// A certificate from an authority for clients only.
    package static func issuedForClients(by authority: TestCertificateAuthority) throws -> Self {
        let identity = try authority.issue(hosts: ["localhost", "127.0.0.1"], isForServers: false)
        return Self(identity: identity, rootPEM: authority.rootPEM)
    }

    func makeContext() throws -> NIOSSLContext {
        let chain = try identity.certificatesPEM.flatMap { try NIOSSLCertificate.fromPEMBytes(Array($0.utf8)) }
        let key = try NIOSSLPrivateKey(bytes: Array(identity.privateKeyPEM.utf8), format: .pem)
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: chain.map { .certificate($0) },
            privateKey: .privateKey(key)
        )
        configuration.applicationProtocols = applicationProtocols
        configuration.maximumTLSVersion = maximumVersion == .tls12 ? .tlsv12 : .tlsv13
        if let clientRootPEM {
            configuration.trustRoots = .certificates(try NIOSSLCertificate.fromPEMBytes(Array(clientRootPEM.utf8)))
            configuration.certificateVerification = .noHostnameVerification
        }
        return try NIOSSLContext(configuration: configuration)
    }
}

// SPDX-License-Identifier: Apache-2.0

public import CumulusCore

extension URLSessionTransport {
    /// The TLS settings of a transport: the trusted servers, and the client certificates.
    ///
    /// These settings work only on Apple's systems. FoundationNetworking has no equivalent, so on Linux, each request
    /// fails as `unsupported` if any setting differs from the default. If a setting can't be used, each request fails
    /// as `tls`. Set the oldest version of TLS in the session's configuration (`tlsMinimumSupportedProtocolVersion`).
    public struct TLS: Sendable, Hashable {
        /// A certificate with its private key.
        public struct Identity: Sendable, Hashable {
            /// The certificate, its key, and the certificates of its issuers: the contents of a `.p12` file (PKCS#12).
            public var pkcs12: [UInt8]
            /// The password of the file.
            public var password: Secret<String>

            /// Creates an identity from the contents of a `.p12` file.
            public init(pkcs12: some Sequence<UInt8>, password: String) {
                self.pkcs12 = Array(pkcs12)
                self.password = Secret(password)
            }
        }

        /// The certificate authorities that are trusted for servers.
        ///
        /// Default: the system's.
        ///
        /// App Transport Security also requires an authority that the system trusts, unless Info.plist has an exception
        /// for the domain (`NSExceptionDomains`).
        public var trustRoots = TrustRoots.system
        /// The client certificates for servers that request one, by the origins that may receive them.
        ///
        /// Default: none.
        ///
        /// After a redirect from one origin to another, no certificate may be sent (`TransportRequest.offersIdentity`).
        /// URLSession has no option for that, so after such a redirect, a request to an origin with a certificate fails
        /// as `unsupported`.
        public var identities: [Origin: Identity] = [:]
        /// The public keys that hosts must have, in addition to a trusted certificate.
        ///
        /// Default: any.
        ///
        /// A name applies to that host, `*.example.com` applies to every host below it, and `*` applies to every host.
        /// The closest name applies. Also add a backup key, in case the server changes its key. The server's own key is
        /// checked, not the keys of the authorities above it.
        public var pins: [String: Set<PublicKeyPin>] = [:]

        /// Creates the default settings: the system's authorities, no client certificates, and any key.
        public init() {}
    }
}

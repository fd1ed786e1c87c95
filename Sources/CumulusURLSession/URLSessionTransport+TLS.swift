// SPDX-License-Identifier: Apache-2.0

public import CumulusCore

extension URLSessionTransport {
    /// Which servers are trusted, and the certificates that they get from the client.
    ///
    /// On Apple's systems only: FoundationNetworking can't do any of it, so there a transport with other settings than the
    /// default fails each request as `unsupported`. A setting that can't be used fails each request as `tls`. The oldest
    /// version of TLS is set in the session's configuration (`tlsMinimumSupportedProtocolVersion`).
    public struct TLS: Sendable, Hashable {
        /// A certificate with its private key.
        public struct Identity: Sendable, Hashable {
            /// Certificate, key, and the certificates of the issuers, in PKCS#12: the contents of a `.p12` file.
            public var pkcs12: [UInt8]
            /// The password that encrypts them.
            public var password: Secret<String>

            /// Makes an identity from the contents of a `.p12` file.
            public init(pkcs12: some Sequence<UInt8>, password: String) {
                self.pkcs12 = Array(pkcs12)
                self.password = Secret(password)
            }
        }

        /// The certificate authorities that are trusted for servers; default: the system's.
        ///
        /// App Transport Security also demands one that the system trusts, unless Info.plist makes an exception for the
        /// domain (`NSExceptionDomains`).
        public var trustRoots = TrustRoots.system
        /// The client certificates for servers that request one, by the origins that may get them; default: none.
        ///
        /// After a redirect to another origin, or back from one, no certificate may be sent
        /// (`TransportRequest.offersIdentity`). URLSession has no option for that, so a request to an origin with a
        /// certificate fails as `unsupported` then.
        public var identities: [Origin: Identity] = [:]
        /// The public keys that hosts must have, in addition to a trusted certificate; default: any.
        ///
        /// A name applies to itself, `*.example.com` to every host below it, `*` to every host; the closest one counts.
        /// Also add a backup key, for the day on which the server changes its key. The server's own key is compared,
        /// not those of the authorities above it.
        public var pins: [String: Set<PublicKeyPin>] = [:]

        /// Makes the default settings: the system's authorities, no client certificate, any key.
        public init() {}
    }
}

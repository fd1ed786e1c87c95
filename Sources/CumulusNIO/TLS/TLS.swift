// SPDX-License-Identifier: Apache-2.0

public import CumulusCore

extension NIOTransport.Configuration {
    /// How TLS connections are made and whom they trust.
    public struct TLS: Sendable, Hashable {
        /// Whose certificates are trusted to vouch for a server.
        public enum TrustRoots: Sendable, Hashable {
            /// Those of the system.
            case system
            /// Those in the PEM text, and no others.
            ///
            /// For a development server with a self-signed certificate, that certificate itself.
            case pem([UInt8])
            /// Those of the system and those in the PEM text: your own authority beside the public ones.
            case systemAnd(pem: [UInt8])
            /// Those in the PEM files, and no others.
            case files([String])

            /// Those in the PEM files, by path or `file:` URL, and no others.
            public static func files(_ files: [any Locator]) -> TrustRoots { .files(files.map(\.locatorText)) }
        }

        /// Whether a server has to prove who it is.
        public enum Verification: Sendable, Hashable {
            /// Its certificate must be trusted, valid now, and made out to the host of the URL.
            case full
            /// Anyone may answer and read everything: for a test server on your own machine only.
            ///
            /// The transport says so on standard error when it is made.
            case none
        }

        /// A certificate with its private key.
        public struct Identity: Sendable, Hashable {
            /// The certificate, followed by those that lead to its root, in PEM.
            public var certificateChain: [UInt8]
            /// The unencrypted private key, in PEM.
            public var privateKey: [UInt8]

            /// Puts a certificate and its key together.
            public init(certificateChain: [UInt8], privateKey: [UInt8]) {
                self.certificateChain = certificateChain
                self.privateKey = privateKey
            }
        }

        /// A version of the protocol.
        public enum Version: Sendable, Hashable {
            /// TLS 1.2 (RFC 5246).
            case tls12
            /// TLS 1.3 (RFC 8446).
            case tls13
        }

        /// Whose certificates are trusted; default: the system's.
        public var trustRoots = TrustRoots.system
        /// Whether servers have to prove who they are; default: fully.
        public var verification = Verification.full
        /// Whether the transport says on standard error that it verifies nobody; the command says so itself.
        package var warnsOfMissingVerification = true
        /// Who this client is to servers that ask, by the origins that may know; default: nobody.
        ///
        /// A redirect to another origin, or back from one, gets to see none (`TransportRequest.offersIdentity`).
        public var identities: [Origin: Identity] = [:]
        /// The oldest version to speak; default: TLS 1.2.
        public var minimumVersion = Version.tls12

        /// Which public keys hosts must have, besides a certificate that passes ``verification``; default: any.
        ///
        /// A name stands for itself, `*.example.com` for every host below it, `*` for every host; the closest one counts.
        /// Name a backup key, too, for the day on which the server changes its key. The server's own key is compared,
        /// not those of the authorities above it.
        public var pins: [String: Set<PublicKeyPin>] = [:]

        /// Makes the default: the system's roots, full verification.
        public init() {}
    }
}

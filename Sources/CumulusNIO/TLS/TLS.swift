// SPDX-License-Identifier: Apache-2.0

public import CumulusCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension NIOTransport.Configuration {
    /// The settings of TLS connections, including the servers that they trust.
    public struct TLS: Sendable, Hashable {
        /// The certificate authorities that are trusted for servers.
        public typealias TrustRoots = CumulusCore.TrustRoots
        /// The SHA-256 digest of a public key.
        public typealias PublicKeyPin = CumulusCore.PublicKeyPin

        /// How a server's certificate is checked.
        public enum Verification: Sendable, Hashable {
            /// The certificate must be trusted, currently valid, and issued for the host of the URL.
            case full
            /// The certificate is not checked: anyone can pose as the server and read everything. Use it only for a
            /// test server on your own machine.
            ///
            /// The transport prints a warning on standard error when it is created.
            case none
        }

        /// A certificate with its private key.
        public struct Identity: Sendable, Hashable {
            /// The certificate in PEM, followed by those of its issuers, or a PKCS#12 file (RFC 7292), which also
            /// contains the key.
            ///
            /// PKCS#12 is decrypted by OpenSSL 3 (`libcrypto.so.3`), which is loaded from the system on first use.
            public var certificateChain: [UInt8]
            /// The private key, in PEM; ignored if the chain is a PKCS#12 file.
            public var privateKey: [UInt8]
            /// The passphrase of an encrypted key, in ASCII, or of a PKCS#12 file; `nil` for a key that is not
            /// encrypted.
            public var passphrase: Secret<String>?

            /// Creates an identity from a certificate and its key.
            public init(certificateChain: [UInt8], privateKey: [UInt8], passphrase: Secret<String>? = nil) {
                self.certificateChain = certificateChain
                self.privateKey = privateKey
                self.passphrase = passphrase
            }
        }

        /// A version of the protocol.
        public enum Version: Sendable, Hashable {
            /// TLS 1.2 (RFC 5246).
            case tls12
            /// TLS 1.3 (RFC 8446).
            case tls13
        }

        /// The trusted certificate authorities.
        ///
        /// Default: the system's.
        public var trustRoots = TrustRoots.system
        /// How servers are verified.
        ///
        /// Default: full.
        public var verification = Verification.full
        /// Whether the transport warns on standard error if it verifies no server; the command prints its own warning.
        package var warnsOfMissingVerification = true
        /// The client certificates for servers that request one, by the origins that may receive them.
        ///
        /// Default: none.
        ///
        /// After a redirect to a different origin, or back from one, no certificate is sent
        /// (`TransportRequest.offersIdentity`).
        public var identities: [Origin: Identity] = [:]
        /// The oldest accepted version.
        ///
        /// Default: TLS 1.2.
        public var minimumVersion = Version.tls12
        /// The newest accepted version.
        ///
        /// Default: TLS 1.3.
        public var maximumVersion = Version.tls13
        /// The TLS 1.2 cipher suites that are offered, in order of preference.
        ///
        /// Default: empty, which offers the usual suites.
        ///
        /// TLS 1.3 cipher suites can't be chosen.
        public var cipherSuites: [TLSCipherSuite] = []

        /// The public keys that hosts must have, in addition to a certificate that passes ``verification``.
        ///
        /// Default: empty, so any key is accepted.
        ///
        /// A name applies to that host, `*.example.com` applies to every host below it, and `*` applies to every host.
        /// The closest name applies. Also add a backup key, in case the server changes its key. The server's own key is
        /// checked, not the keys of the authorities above it.
        public var pins: [String: Set<PublicKeyPin>] = [:]

        /// Creates the default settings: the system's roots, with full verification.
        public init() {}
    }
}

extension NIOTransport.Configuration.TLS.Identity {
    /// Creates an identity from a certificate and its key in PEM files, or from a PKCS#12 file.
    ///
    /// - Parameters:
    ///   - certificateFile: The certificate in PEM, followed by those of its issuers, or a PKCS#12 file.
    ///   - keyFile: The private key; `nil` means the same file.
    ///   - passphrase: The passphrase of an encrypted key, or of the PKCS#12 file.
    /// - Throws: The system's error if a file can't be read. The files' contents are checked when the first TLS
    ///   connection is opened.
    public init(
        certificateFile: some Locator,
        keyFile: (any Locator)? = nil,
        passphrase: Secret<String>? = nil
    ) throws {
        let chain = try Data(contentsOf: URL(filePath: certificateFile.locatorText))
        let key = try keyFile.map { try Data(contentsOf: URL(filePath: $0.locatorText)) } ?? chain
        self.init(certificateChain: Array(chain), privateKey: Array(key), passphrase: passphrase)
    }
}

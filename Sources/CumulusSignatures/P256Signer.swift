// SPDX-License-Identifier: Apache-2.0

import Crypto
public import CumulusCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Signs messages with ECDSA over the curve P-256 and SHA-256 (RFC 9421 section 3.3.4).
public struct P256Signer: MessageSigner {
    private let key: P256.Signing.PrivateKey

    /// `ecdsa-p256-sha256`.
    public let algorithm = "ecdsa-p256-sha256"

    /// Creates a signer from a key of 32 bytes.
    ///
    /// - Throws: ``SignatureKeyProblem``.
    public init(_ bytes: Secret<[UInt8]>) throws {
        guard let key = try? P256.Signing.PrivateKey(rawRepresentation: bytes.revealed) else {
            throw SignatureKeyProblem("the bytes are not a P-256 key, which has 32 bytes")
        }
        self.key = key
    }

    /// Creates a signer from a key in OpenSSL's format (PKCS #8, or `EC PRIVATE KEY` of RFC 5915).
    ///
    /// - Throws: ``SignatureKeyProblem``, without any of the text.
    public init(pem: Secret<String>) throws {
        guard let key = try? P256.Signing.PrivateKey(pemRepresentation: pem.revealed) else {
            throw SignatureKeyProblem("the PEM document contains no private key on the curve P-256")
        }
        self.key = key
    }

    /// Creates a signer with a new key, whose ``publicKey`` you give to the server.
    public static func generate() -> P256Signer { P256Signer(P256.Signing.PrivateKey()) }

    private init(_ key: P256.Signing.PrivateKey) { self.key = key }

    /// The public key as a point, 65 bytes that begin with 4 (X9.63).
    public var publicKey: [UInt8] { [UInt8](key.publicKey.x963Representation) }

    /// Whether a signature may take a long time: false, since the signer only computes.
    public var mayWait: Bool { false }

    /// Returns the signature's two numbers, 32 bytes each.
    public func signature(of base: [UInt8]) throws -> [UInt8] {
        [UInt8](try key.signature(for: base).rawRepresentation)
    }
}

extension P256Signer: CustomStringConvertible, CustomReflectable {
    /// The algorithm, without the key.
    public var description: String { algorithm }
    /// A mirror that shows the same text as the description.
    public var customMirror: Mirror { Mirror(self, children: ["algorithm": algorithm]) }
}

extension MessageSigner where Self == P256Signer {
    /// Creates an ECDSA signer over the curve P-256 with a key in PEM.
    public static func p256(pem: Secret<String>) throws -> P256Signer { try P256Signer(pem: pem) }
}

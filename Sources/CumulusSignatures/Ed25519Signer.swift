// SPDX-License-Identifier: Apache-2.0

import Crypto
public import CumulusCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Signs messages with Ed25519 (RFC 9421 section 3.3.6).
public struct Ed25519Signer: MessageSigner {
    private let key: Curve25519.Signing.PrivateKey

    /// `ed25519`.
    public let algorithm = "ed25519"

    /// Creates a signer from a key of 32 bytes (RFC 8032 section 5.1.5).
    ///
    /// - Throws: ``SignatureKeyProblem``.
    public init(_ bytes: Secret<[UInt8]>) throws {
        guard let key = try? Curve25519.Signing.PrivateKey(rawRepresentation: bytes.revealed) else {
            throw SignatureKeyProblem("an Ed25519 key has 32 bytes, not \(bytes.revealed.count)")
        }
        self.key = key
    }

    /// Creates a signer from a key in the format of `openssl genpkey -algorithm ed25519` (PKCS #8, RFC 8410).
    ///
    /// - Throws: ``SignatureKeyProblem``, without any of the text.
    public init(pem: Secret<String>) throws {
        let bytes = try KeyDocument.bytes(inPEM: pem.revealed, labeled: "PRIVATE KEY")
        // Version, algorithm, and an octet string that contains another with the key; version 2 differs only in the
        // length, and in what follows the key.
        let algorithm: [UInt8] = [0x30, 0x05, 0x06, 0x03, 0x2B, 0x65, 0x70, 0x04, 0x22, 0x04, 0x20]
        guard bytes.count >= 48, bytes[0] == 0x30, bytes[2...3] == [0x02, 0x01], bytes[5..<16].elementsEqual(algorithm)
        else { throw SignatureKeyProblem("the PEM document contains no Ed25519 key in PKCS #8") }
        try self.init(Secret(Array(bytes[16..<48])))
    }

    /// Creates a signer with a new key, whose ``publicKey`` you give to the server.
    public static func generate() -> Ed25519Signer { Ed25519Signer(Curve25519.Signing.PrivateKey()) }

    private init(_ key: Curve25519.Signing.PrivateKey) { self.key = key }

    /// The public key's 32 bytes.
    public var publicKey: [UInt8] { [UInt8](key.publicKey.rawRepresentation) }

    /// Whether a signature may take a long time: false, since the signer only computes.
    public var mayWait: Bool { false }

    /// Returns the 64 bytes of the signature.
    public func signature(of base: [UInt8]) throws -> [UInt8] { [UInt8](try key.signature(for: base)) }
}

extension Ed25519Signer: CustomStringConvertible, CustomReflectable {
    /// The algorithm, without the key.
    public var description: String { algorithm }
    /// A mirror that shows the same text as the description.
    public var customMirror: Mirror { Mirror(self, children: ["algorithm": algorithm]) }
}

extension MessageSigner where Self == Ed25519Signer {
    /// Creates an Ed25519 signer with a key in PEM.
    public static func ed25519(pem: Secret<String>) throws -> Ed25519Signer { try Ed25519Signer(pem: pem) }
}

// SPDX-License-Identifier: Apache-2.0

/// A key that signs messages (RFC 9421 section 3.3).
///
/// ``HMACSigner`` is here; CumulusSignatures has Ed25519 and ECDSA. One of your own may keep its key in hardware.
public protocol MessageSigner: Sendable {
    /// The algorithm's name in the registry of RFC 9421 section 6.2.
    var algorithm: String { get }

    /// Signs.
    ///
    /// - Parameter base: The signature base, in ASCII.
    /// - Returns: The signature, as RFC 9421 section 3.3 has it for the algorithm.
    /// - Throws: Anything; the request fails with ``CumulusError/Code/authorization``.
    func signature(of base: [UInt8]) async throws -> [UInt8]
}

extension MessageSigner where Self == HMACSigner {
    /// HMAC with SHA-256 and a secret that both sides know.
    public static func hmac(_ secret: Secret<[UInt8]>) -> HMACSigner { HMACSigner(secret) }

    /// HMAC with SHA-256 and a text, in UTF-8, that both sides know.
    public static func hmac(_ secret: Secret<String>) -> HMACSigner { HMACSigner(Secret(Array(secret.revealed.utf8))) }
}

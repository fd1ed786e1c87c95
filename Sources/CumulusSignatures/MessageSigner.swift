// SPDX-License-Identifier: Apache-2.0

public import CumulusCore

/// A key that signs messages (RFC 9421 section 3.3).
///
/// ``HMACSigner``, ``Ed25519Signer`` and ``P256Signer`` keep their keys in memory; your own signer may keep its key in
/// hardware.
public protocol MessageSigner: Sendable {
    /// The algorithm's name in the registry of RFC 9421 section 6.2.
    var algorithm: String { get }

    /// Whether a signature may take a long time: for a key in hardware, or on a different machine.
    ///
    /// Default: true. The requests that the signer signs run in their own tasks, so that cancellation and deadlines
    /// reach the signer. A signer that only computes returns false.
    var mayWait: Bool { get }

    /// Signs a message.
    ///
    /// - Parameter base: The signature base, in ASCII.
    /// - Returns: The signature, in the format that RFC 9421 section 3.3 defines for the algorithm.
    /// - Throws: Any error; the request fails with `CumulusError.Code.authorization`.
    func signature(of base: [UInt8]) async throws -> [UInt8]
}

extension MessageSigner {
    /// The default: true, since signing may take a long time.
    public var mayWait: Bool { true }
}

extension MessageSigner where Self == HMACSigner {
    /// Creates a signer that uses HMAC with SHA-256 and a shared secret.
    public static func hmac(_ secret: Secret<[UInt8]>) -> HMACSigner { HMACSigner(secret) }

    /// Creates a signer that uses HMAC with SHA-256 and a shared text, in UTF-8.
    public static func hmac(_ secret: Secret<String>) -> HMACSigner { HMACSigner(Secret(Array(secret.revealed.utf8))) }
}

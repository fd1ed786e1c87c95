// SPDX-License-Identifier: Apache-2.0

public import CumulusCore
import CumulusPrimitives

/// Signs with HMAC and SHA-256 (RFC 9421 section 3.3.3): anyone who can verify a signature can also create one.
public struct HMACSigner: MessageSigner {
    private let key: HMAC

    /// `hmac-sha256`.
    public let algorithm = "hmac-sha256"

    /// Creates a signer from a secret.
    public init(_ secret: Secret<[UInt8]>) { key = HMAC(.sha256, key: secret.revealed) }

    /// Whether a signature may take a long time: false, since the signer only computes.
    public var mayWait: Bool { false }

    /// Returns the HMAC of the signature base.
    public func signature(of base: [UInt8]) -> [UInt8] { key.code(of: base) }
}

extension HMACSigner: Redacted {
    /// The algorithm, without the key.
    public var description: String { algorithm }
}

// SPDX-License-Identifier: Apache-2.0

/// Signs by HMAC with SHA-256 (RFC 9421 section 3.3.3): anybody who can verify can also sign.
public struct HMACSigner: MessageSigner {
    private let key: HMAC

    /// `hmac-sha256`.
    public let algorithm = "hmac-sha256"

    /// Takes the secret in.
    public init(_ secret: Secret<[UInt8]>) { key = HMAC(.sha256, key: secret.revealed) }

    /// The code of the base.
    public func signature(of base: [UInt8]) -> [UInt8] { key.code(of: base) }
}

extension HMACSigner: CustomStringConvertible, CustomReflectable {
    /// The algorithm, nothing of the key.
    public var description: String { algorithm }
    /// Shows the same as the description.
    public var customMirror: Mirror { Mirror(self, children: ["algorithm": algorithm]) }
}

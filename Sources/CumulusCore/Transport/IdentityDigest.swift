// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives

/// The SHA-256 of an identity's parts, so that identities can be compared and stored without their secrets.
struct IdentityDigest: Sendable, Hashable {
    private let words: SIMD4<UInt64>

    /// Hashes a message's bytes.
    init(_ message: IdentityMessage) {
        let digest = MessageDigest.sha256(of: message.bytes)
        words = digest.withUnsafeBytes { $0.loadUnaligned(as: SIMD4<UInt64>.self) }
    }

    /// The 32 bytes of the digest.
    var bytes: [UInt8] { withUnsafeBytes(of: words, Array.init) }
}

extension IdentityMessage {
    /// Adds a part that is a digest.
    mutating func add(_ kind: StaticString, _ digest: IdentityDigest) {
        add(kind, [])
        add(bytes: digest.bytes)
    }
}

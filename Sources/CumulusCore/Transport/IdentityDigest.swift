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

/// The bytes of an identity's parts: no two lists of parts have the same bytes.
struct IdentityMessage: Sendable, Hashable {
    private(set) var bytes: [UInt8] = []

    /// Adds a part, which consists of its kind and its values.
    ///
    /// Each text follows its length, and each list of values its count.
    mutating func add(_ kind: StaticString, _ values: [String]) {
        add(count: kind.utf8CodeUnitCount)
        kind.withUTF8Buffer { bytes += $0 }
        add(count: values.count)
        for value in values {
            add(count: value.utf8.count)
            bytes += value.utf8
        }
    }

    /// Adds a part that is a digest.
    mutating func add(_ kind: StaticString, _ digest: IdentityDigest) {
        add(kind, [])
        bytes += digest.bytes
    }

    /// Adds bytes whose number is in the part before.
    mutating func add(bytes more: [UInt8]) { bytes += more }

    private mutating func add(count: Int) {
        withUnsafeBytes(of: UInt64(count).littleEndian) { bytes.append(contentsOf: $0) }
    }
}

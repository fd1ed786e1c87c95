// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A checksum sent as a trailer after a payload in signed chunks; S3 stores it with the object.
public enum AWSTrailingChecksum: String, Sendable, Hashable, CaseIterable {
    /// CRC-32.
    case crc32
    /// CRC-32C.
    case crc32c
    /// SHA-1.
    case sha1
    /// SHA-256.
    case sha256

    /// The trailer field's name.
    package var name: String { "x-amz-checksum-\(rawValue)" }

    /// The digest's length in Base64.
    var length: Int64 {
        switch self {
        case .crc32, .crc32c: 8
        case .sha1: 28
        case .sha256: 44
        }
    }

    /// The checksum of the bytes so far.
    struct Running: Sendable {
        private var check: CyclicRedundancyCheck?
        private var digest: MessageDigest?

        init(_ checksum: AWSTrailingChecksum) {
            switch checksum {
            case .crc32: check = CyclicRedundancyCheck(castagnoli: false)
            case .crc32c: check = CyclicRedundancyCheck(castagnoli: true)
            case .sha1: digest = MessageDigest(.sha1)
            case .sha256: digest = MessageDigest(.sha256)
            }
        }

        mutating func update(_ bytes: UnsafeRawBufferPointer) {
            check?.update(bytes)
            digest?.update(bytes)
        }

        var base64: String { Data(check?.digest ?? digest?.bytes ?? []).base64EncodedString() }
    }
}

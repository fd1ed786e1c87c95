// SPDX-License-Identifier: Apache-2.0

import CZlib

/// An incremental 32-bit CRC: zlib's, or the one with Castagnoli's polynomial (RFC 3385).
package struct CyclicRedundancyCheck: Sendable {
    private let isCastagnoli: Bool
    private var value: UInt32 = 0

    package init(castagnoli: Bool) { isCastagnoli = castagnoli }

    package mutating func update(_ bytes: UnsafeRawBufferPointer) {
        guard isCastagnoli else {
            var rest = bytes[...]
            while !rest.isEmpty {
                // zlib counts in 32 bits.
                let piece = UnsafeRawBufferPointer(rebasing: rest.prefix(1 << 30))
                value = UInt32(
                    crc32(UInt(value), piece.baseAddress?.assumingMemoryBound(to: UInt8.self), UInt32(piece.count))
                )
                rest = rest.dropFirst(piece.count)
            }
            return
        }
        value = CyclicRedundancyCheck.castagnoli(value, bytes)
    }

    /// The digest, most significant byte first.
    package var digest: [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) } }

    /// Eight tables, so that eight bytes are processed at a time.
    private static let tables: [UInt32] = {
        var tables = [UInt32](repeating: 0, count: 8 * 256)
        for index in 0..<256 {
            var value = UInt32(index)
            for _ in 0..<8 { value = value & 1 == 1 ? value >> 1 ^ 0x82F6_3B78 : value >> 1 }
            tables[index] = value
        }
        for index in 0..<256 {
            for table in 1..<8 {
                let last = tables[(table - 1) * 256 + index]
                tables[table * 256 + index] = last >> 8 ^ tables[Int(last & 255)]
            }
        }
        return tables
    }()

    private static func castagnoli(_ start: UInt32, _ bytes: UnsafeRawBufferPointer) -> UInt32 {
        tables.withUnsafeBufferPointer { tables in
            var value = ~start
            var index = 0
            while index + 8 <= bytes.count {
                let word = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self))
                let mixed = word ^ UInt64(value)
                value = 0
                for byte in 0..<8 {
                    value ^= tables[(7 - byte) * 256 + Int(mixed >> (8 * UInt64(byte)) & 255)]
                }
                index += 8
            }
            while index < bytes.count {
                value = value >> 8 ^ tables[Int((value ^ UInt32(bytes[index])) & 255)]
                index += 1
            }
            return ~value
        }
    }
}

// SPDX-License-Identifier: Apache-2.0

import CDigests
import Testing

/// The length at a message's end, of messages that nobody can wait for.
struct DigestLengthTests {
    /// In bytes; whole blocks of each algorithm.
    private static let lengths: [UInt64] = [
        1 << 29, (1 << 32) - 128, 1 << 32, (1 << 32) + 128, 1 << 40, (1 << 61) - 128, 1 << 61, (1 << 61) + 128,
        (1 << 63) + (1 << 40), .max - 127,
    ]

    @Test("Messages of 2^32 bytes and more end with their length in bits", arguments: Variant.all)
    func lengths(variant: Variant) {
        for length in DigestLengthTests.lengths {
            var digest = variant.begin()
            digest.count = length
            // The last block as the standards describe it, taken in as if it were data: the chaining value is the digest.
            var byHand = variant.begin()
            byHand.update(lastBlock(of: variant.algorithm, length: length))
            #expect(digest.read() == chainingValue(of: byHand, variant.algorithm), "\(length) bytes")
        }
    }

    @Test("The count goes on beyond 32 bits", arguments: Variant.all)
    func counting(variant: Variant) {
        var digest = variant.begin()
        digest.count = (1 << 32) - 64
        digest.update([UInt8](repeating: 7, count: 200))
        #expect(digest.count == (1 << 32) + 136)
        // 72 or 8 bytes are in the begun block; the digest can be read and gone on with.
        let before = digest.read()
        #expect(digest.read() == before)
        digest.update([7])
        #expect(digest.read() != before)
    }

    private func lastBlock(of algorithm: Variant.Algorithm, length: UInt64) -> [UInt8] {
        let bits = UInt64(8).multipliedFullWidth(by: length)
        var field = bytes(bits.low, of: algorithm)
        if algorithm.isWide { field = bytes(bits.high, of: algorithm) + field }
        let zeros = [UInt8](repeating: 0, count: algorithm.blockSize - 1 - field.count)
        return [0x80] + zeros + field
    }

    private func chainingValue(of digest: CDigest, _ algorithm: Variant.Algorithm) -> [UInt8] {
        let value =
            if algorithm.isWide {
                withUnsafeBytes(of: digest.wide) { words in
                    words.bindMemory(to: UInt64.self).flatMap { bytes($0, of: algorithm) }
                }
            } else {
                withUnsafeBytes(of: digest.narrow) { words in
                    words.bindMemory(to: UInt32.self).flatMap { bytes($0, of: algorithm) }
                }
            }
        return Array(value.prefix(algorithm.reference([]).count))
    }

    /// MD5 writes its words from their end.
    private func bytes(_ word: some FixedWidthInteger, of algorithm: Variant.Algorithm) -> [UInt8] {
        withUnsafeBytes(of: algorithm == .md5 ? word.littleEndian : word.bigEndian) { Array($0) }
    }
}

// SPDX-License-Identifier: Apache-2.0

import CDigests
import Testing

/// What comes in pieces has the digest of the whole, and a digest is a value.
struct DigestUpdateTests {
    private static let bytes: [UInt8] = {
        var numbers = SeededNumbers(seed: 14)
        return (0..<2000).map { _ in UInt8.random(in: 0...255, using: &numbers) }
    }()

    /// Lengths around the borders of blocks, and around those of the padding.
    private static let lengths = [64, 128].flatMap { size in
        [0, 1, 2, 3].flatMap { blocks in [-17, -16, -9, -8, -1, 0, 1].map { blocks * size + $0 } }
    }.filter { $0 >= 0 }

    @Test("Each message in two pieces, split anywhere, has the digest of the whole", arguments: Variant.all)
    func splits(variant: Variant) {
        for length in Set(DigestUpdateTests.lengths) {
            let message = DigestUpdateTests.bytes.prefix(length)
            let expected = variant.algorithm.reference(message)
            #expect(variant.digest(message) == expected, "\(length) bytes")
            for split in 0...length {
                var digest = variant.begin()
                digest.update(message.prefix(split))
                digest.update(message.dropFirst(split))
                #expect(digest.read() == expected, "\(length) bytes, split at \(split)")
            }
        }
    }

    @Test("Pieces of any size have swift-crypto's digest, which can be read after each", arguments: Variant.all)
    func pieces(variant: Variant) {
        var numbers = SeededNumbers(seed: 180_4)
        for _ in 0..<20 {
            var digest = variant.begin()
            var rest = DigestUpdateTests.bytes.prefix(Int.random(in: 0...2000, using: &numbers))
            let message = rest
            while !rest.isEmpty {
                let piece = rest.prefix(Int.random(in: 0...300, using: &numbers))
                digest.update(piece)
                rest = rest.dropFirst(piece.count)
                #expect(digest.read() == variant.algorithm.reference(message[..<rest.startIndex]))
            }
            #expect(digest.read() == variant.algorithm.reference(message))
        }
    }

    @Test("Bytes may begin at any address", arguments: Variant.all)
    func addresses(variant: Variant) {
        DigestUpdateTests.bytes.withUnsafeBytes { all in
            for offset in 0..<16 {
                let message = UnsafeRawBufferPointer(rebasing: all[offset..<(offset + 400)])
                var digest = variant.begin()
                cdigest_update(&digest, message.baseAddress, message.count)
                #expect(digest.read() == variant.algorithm.reference(message))
            }
        }
    }

    @Test("No bytes change nothing, whether or not there is an address", arguments: Variant.all)
    func nothing(variant: Variant) {
        var digest = variant.begin()
        cdigest_update(&digest, nil, 0)
        #expect(digest.read() == variant.algorithm.reference([]))
        digest.update(DigestUpdateTests.bytes.prefix(100))
        cdigest_update(&digest, nil, 0)
        digest.update([])
        #expect(digest.count == 100)
        #expect(digest.read() == variant.algorithm.reference(DigestUpdateTests.bytes.prefix(100)))
    }

    @Test("A copy goes its own way", arguments: Variant.all)
    func copies(variant: Variant) {
        var digest = variant.begin()
        digest.update([1, 2, 3])
        var copy = digest
        copy.update([4])
        digest.update([5])
        #expect(copy.read() == variant.algorithm.reference([1, 2, 3, 4]))
        #expect(digest.read() == variant.algorithm.reference([1, 2, 3, 5]))
    }

    @Test("Long messages at once, by instructions and without, have swift-crypto's digest", arguments: Variant.all)
    func longMessages(variant: Variant) {
        let message = (0..<50).flatMap { _ in DigestUpdateTests.bytes }
        #expect(variant.digest(message) == variant.algorithm.reference(message))
    }
}

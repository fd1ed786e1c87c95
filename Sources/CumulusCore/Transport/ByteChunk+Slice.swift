// SPDX-License-Identifier: Apache-2.0

extension ByteChunk {
    /// Some of the bytes, held where they are.
    func slice(_ range: Range<Int>) -> ByteChunk {
        range == 0..<count ? self : ByteChunk(ChunkSlice(whole: self, range: range))
    }
}

/// Some bytes of a chunk, which it keeps.
private struct ChunkSlice: ByteStorage {
    let whole: ByteChunk
    let range: Range<Int>

    var count: Int { range.count }

    func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try whole.withUnsafeBytes { try body(UnsafeRawBufferPointer(rebasing: $0[range])) }
    }
}

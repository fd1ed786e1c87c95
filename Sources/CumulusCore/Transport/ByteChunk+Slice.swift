// SPDX-License-Identifier: Apache-2.0

extension ByteChunk {
    /// A part of the bytes, in the same storage.
    func slice(_ range: Range<Int>) -> ByteChunk {
        range == 0..<count ? self : ByteChunk(ChunkSlice(whole: self, range: range))
    }
}

/// A part of a chunk's bytes, which keeps the chunk alive.
private struct ChunkSlice: ByteStorage {
    let whole: ByteChunk
    let range: Range<Int>

    var count: Int { range.count }

    func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try whole.withUnsafeBytes { try body(UnsafeRawBufferPointer(rebasing: $0[range])) }
    }
}

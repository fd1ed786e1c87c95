// SPDX-License-Identifier: Apache-2.0

/// Puts a body's bytes into the part file, in order, and counts them into the digests.
///
/// Of bytes that are there already it makes sure that they are the same, so that a server that can't do ranges costs no
/// bytes; where they differ it goes on with those that come.
struct DownloadWriter {
    private let part: PartFile
    /// Where the file begins and ends in the body's own counting of the remote file.
    private let base: Int64
    private let end: Int64
    /// Up to where the file has bytes that may be right.
    private var kept: Int64
    /// Where the next byte goes in the file.
    private(set) var position: Int64
    private(set) var digest: RunningDigest
    private var scratch: [UInt8] = []

    init(_ part: PartFile, base: Int64, end: Int64?, position: Int64, kept: Int64, digest: RunningDigest) {
        self.part = part
        self.base = base
        self.end = end ?? .max
        self.position = position
        self.kept = kept
        self.digest = digest
    }

    /// Takes a piece of the remote file.
    ///
    /// - Returns: Whether more is wanted.
    mutating func take(_ chunk: ByteChunk, at offset: Int64) throws(FileProblem) -> Bool {
        // Of the whole instead of a range, what is before and behind the range.
        let skipped = max(0, base + position - offset)
        guard skipped < chunk.count else { return true }
        let count = Int(max(skipped, min(Int64(chunk.count), end - offset)))
        let result = chunk.withUnsafeBytes { bytes -> Result<Void, FileProblem> in
            Result { () throws(FileProblem) in
                try self.put(UnsafeRawBufferPointer(rebasing: bytes[Int(skipped)..<count]))
            }
        }
        try result.get()
        return base + position < end
    }

    private mutating func put(_ bytes: UnsafeRawBufferPointer) throws(FileProblem) {
        if position < kept {
            if try isThere(bytes) {
                advance(bytes)
                return
            }
            try part.truncate(to: position)
            kept = 0
        }
        try part.write(bytes, at: position)
        advance(bytes)
    }

    private mutating func advance(_ bytes: UnsafeRawBufferPointer) {
        position += Int64(bytes.count)
        if !digest.isEmpty { digest.update(bytes) }
    }

    private mutating func isThere(_ bytes: UnsafeRawBufferPointer) throws(FileProblem) -> Bool {
        guard position + Int64(bytes.count) <= kept else { return false }
        if scratch.count < bytes.count { scratch = [UInt8](repeating: 0, count: bytes.count) }
        let (part, position) = (part, position)
        let result = scratch.withUnsafeMutableBytes { buffer -> Result<Bool, FileProblem> in
            Result { () throws(FileProblem) in
                let there = UnsafeMutableRawBufferPointer(rebasing: buffer[..<bytes.count])
                return try part.read(into: there, at: position) == bytes.count
                    && UnsafeRawBufferPointer(there).elementsEqual(bytes)
            }
        }
        return try result.get()
    }
}

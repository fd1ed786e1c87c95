// SPDX-License-Identifier: Apache-2.0

/// Writes a body's bytes to the part file, in order, and updates the digests.
///
/// It compares existing bytes with the received ones, so that nothing is lost if a server doesn't support ranges; where
/// they differ, it continues with the received ones, unless they must be the same.
struct DownloadWriter {
    private let part: PartFile
    /// The range of the file within the remote file.
    private let base: Int64
    private let end: Int64
    /// The end of the existing bytes that may be right.
    private var kept: Int64
    /// Whether a difference ends the download.
    var mustMatch = false
    /// Whether bytes that must be the same differ.
    private(set) var differs = false
    /// The offset of the next byte in the file.
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

    /// Processes a piece of the remote file.
    ///
    /// - Returns: Whether more is wanted.
    mutating func take(_ chunk: ByteChunk, at offset: Int64) throws(FileProblem) -> Bool {
        // If the whole file was sent instead of a range, the bytes before and after the range are skipped.
        let skipped = max(0, base + position - offset)
        guard skipped < chunk.count else { return true }
        let count = Int(max(skipped, min(Int64(chunk.count), end - offset)))
        let result = chunk.withUnsafeBytes { bytes -> Result<Void, FileProblem> in
            Result { () throws(FileProblem) in
                try self.put(UnsafeRawBufferPointer(rebasing: bytes[Int(skipped)..<count]))
            }
        }
        try result.get()
        return !differs && base + position < end
    }

    private mutating func put(_ bytes: UnsafeRawBufferPointer) throws(FileProblem) {
        if position < kept {
            if Int64(bytes.count) > kept - position {
                let count = Int(kept - position)
                try put(UnsafeRawBufferPointer(rebasing: bytes[..<count]))
                if differs { return }
                return try put(UnsafeRawBufferPointer(rebasing: bytes[count...]))
            }
            if try matches(bytes) {
                advance(bytes)
                return
            }
            if mustMatch {
                differs = true
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

    private mutating func matches(_ bytes: UnsafeRawBufferPointer) throws(FileProblem) -> Bool {
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

// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives

/// Bytes of an upload that are sent in one request.
struct UploadPiece: Sendable {
    /// Their positions in the whole.
    var range: Range<Int64>
    /// Whether they are the last ones.
    var isLast: Bool
    var body: RequestBody
    /// Computes their digest.
    var digest: @Sendable (MessageDigest.Algorithm) throws -> [UInt8]
}

/// The bytes of an upload.
protocol UploadSource {
    /// The number of bytes; `nil` while it is unknown.
    var length: Int64? { get }
    /// The file's path; `nil` for other bytes.
    var path: String? { get }
    /// Whether all bytes can be read again.
    var canStartOver: Bool { get }
    /// The bytes from an offset on, at most `limit`; `nil` if they can't be read any more.
    mutating func piece(at offset: Int64, limit: Int64) async throws -> UploadPiece?
    /// Checks that the bytes are the same as before.
    func check() throws
    /// Whether the bytes are known to be others than before.
    var hasChanged: Bool { get }
}

/// The bytes of a file.
struct FileSource: UploadSource {
    let file: SourceFile

    var length: Int64? { file.size }
    var path: String? { file.path }
    var canStartOver: Bool { true }

    func piece(at offset: Int64, limit: Int64) -> UploadPiece? {
        guard offset >= 0, offset <= file.size else { return nil }
        let end = offset + min(limit, file.size - offset)
        let range = offset..<end
        return UploadPiece(
            range: range,
            isLast: end == file.size,
            body: range.isEmpty
                ? .none
                : .file(FileBody(path: file.path, offset: offset, length: end - offset, wholeLength: file.size)),
            digest: { [file] in try file.digest(of: range, by: $0) }
        )
    }

    func check() throws { try file.check() }

    var hasChanged: Bool { file.hasChanged }
}

/// Bytes that can be read once; those that the server has not acknowledged are in memory.
struct StreamSource<Chunks: AsyncSequence>: UploadSource where Chunks.Element: ByteStorage {
    private var iterator: Chunks.AsyncIterator
    private var bytes: [UInt8] = []
    /// The position of the first of them.
    private var start: Int64 = 0
    private var hasEnded = false

    init(_ chunks: Chunks) { iterator = chunks.makeAsyncIterator() }

    var length: Int64? { hasEnded ? start + Int64(bytes.count) : nil }
    var path: String? { nil }
    var canStartOver: Bool { start == 0 }

    mutating func piece(at offset: Int64, limit: Int64) async throws -> UploadPiece? {
        guard offset >= start, offset - start <= Int64(bytes.count) else { return nil }
        bytes.removeFirst(Int(offset - start))
        start = offset
        // One byte more shows whether these are the last ones.
        while !hasEnded, Int64(bytes.count) <= limit {
            guard let chunk = try await iterator.next(isolation: #isolation) else {
                hasEnded = true
                break
            }
            chunk.withUnsafeBytes { bytes.append(contentsOf: $0) }
        }
        let piece = Array(bytes.prefix(Int(clamping: limit)))
        return UploadPiece(
            range: offset..<offset + Int64(piece.count),
            isLast: hasEnded && piece.count == bytes.count,
            body: piece.isEmpty ? .none : .bytes(ByteChunk(piece)),
            digest: { MessageDigest.bytes(of: piece, by: $0) }
        )
    }

    func check() {}

    var hasChanged: Bool { false }
}

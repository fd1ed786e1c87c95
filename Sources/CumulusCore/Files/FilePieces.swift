// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives

/// A range of a file, read in pieces.
struct FilePieces: Sendable {
    /// The size of a piece: smaller ones cost more switches, larger ones waste memory.
    static let size = 256 * 1_024

    private let file: FileBody

    init(_ file: FileBody) { self.file = file }

    /// Writes the range from an offset; each call opens the file again.
    ///
    /// - Throws: ``UploadProblem`` if the file can't be read, ends before the range, or doesn't have its expected size.
    func write(from start: Int64, to writer: BodyWriter) async throws {
        do {
            try await write(OpenedFile(file.path), from: start, to: writer)
        } catch let refusal as OpenedFile.Refusal {
            throw UploadProblem(refusal)
        }
    }

    private func write(_ opened: borrowing OpenedFile, from start: Int64, to writer: BodyWriter) async throws {
        let (end, isTooFar) = file.offset.addingReportingOverflow(file.length)
        guard file.offset >= 0, file.length >= 0, !isTooFar else {
            throw problem(.changed, "has no valid range of \(file.length) bytes from byte \(file.offset)")
        }
        var position = file.offset + start
        repeat {
            // Checked before each piece, so that the last one of a changed file is never sent.
            try check(opened)
            let piece = try opened.read(at: position, count: Int(min(Int64(FilePieces.size), end - position)))
            if piece.isEmpty, position < end { throw problem(.changed, "ended \(end - position) bytes early") }
            if !piece.isEmpty { try await writer.write(ByteChunk(piece)) }
            position += Int64(piece.count)
        } while position < end
    }

    private func check(_ opened: borrowing OpenedFile) throws {
        guard let expected = file.wholeLength else { return }
        let size = try opened.size()
        if size != expected {
            throw problem(.changed, "changed: it had \(expected) bytes when the request was made, and now has \(size)")
        }
    }

    private func problem(_ kind: UploadProblem.Kind, _ reason: String) -> UploadProblem {
        UploadProblem(kind, path: file.path, reason)
    }
}

// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// A range of a file, read piece by piece.
struct FilePieces: Sendable {
    private let file: FileBody

    init(_ file: FileBody) { self.file = file }

    /// Writes the range from an offset on.
    ///
    /// - Throws: ``TransportFailure`` if the file can't be read, or ends sooner than the range.
    func write(from start: Int64, pieceSize: Int, to writer: BodyWriter) async throws {
        let descriptor = open(file.path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure("can't be opened: \(systemReason())") }
        defer { close(descriptor) }
        var position = file.offset + start
        let end = file.offset + file.length
        while position < end {
            let wanted = Int(min(Int64(pieceSize), end - position))
            let piece = try read(wanted, at: position, from: descriptor)
            try await writer.write(ByteChunk(piece))
            position += Int64(piece.count)
        }
    }

    private func read(_ count: Int, at position: Int64, from descriptor: CInt) throws -> [UInt8] {
        let piece = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            filled = max(0, pread(descriptor, buffer.baseAddress, count, off_t(position)))
        }
        guard !piece.isEmpty else { throw failure("ends \(file.offset + file.length - position) bytes too early") }
        return piece
    }

    private func failure(_ problem: String) -> TransportFailure {
        TransportFailure(.requestBody, "the file \(file.path) \(problem)", sent: .something)
    }

    private func systemReason() -> String { String(cString: strerror(errno)) }
}

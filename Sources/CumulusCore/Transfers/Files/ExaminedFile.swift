// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives

/// A file that was examined before: a link, or another file that has its name by now, is refused.
struct ExaminedFile: Sendable {
    let path: FilePath
    let identity: FileIdentity?

    /// The number of bytes that are read before the task may be cancelled.
    private static let step: Int64 = 64 << 20

    /// Opens the file; blocks.
    ///
    /// - Throws: ``FileProblem``, ``PartFile/InUse``.
    func open() throws -> PartFile {
        let file = try PartFile(reading: path)
        guard file.identity == identity else { throw changed }
        return file
    }

    private var changed: FileProblem { FileProblem("continue with", path.text, because: "it has changed") }

    /// Reads the beginning of the open file in pieces, until one is refused.
    ///
    /// - Parameters:
    ///   - file: The open file.
    ///   - count: The number of bytes.
    ///   - queue: The queue for blocking work.
    ///   - take: Takes a piece and its position; false ends the reading.
    /// - Returns: Whether all pieces were taken.
    /// - Throws: ``FileProblem``, also for a file that is shorter; what `take` throws; `CancellationError`.
    func read(
        _ file: PartFile,
        _ count: Int64,
        on queue: DiskQueue,
        _ take: @escaping @Sendable (UnsafeRawBufferPointer, Int64) throws -> Bool
    ) async throws -> Bool {
        var position: Int64 = 0
        while position < count {
            try Task.checkCancellation()
            let range = position..<position + min(count - position, ExaminedFile.step)
            guard try await queue.run({ try read(file, range, take) }) else { return false }
            position = range.upperBound
        }
        return true
    }

    private func read(
        _ file: PartFile,
        _ range: Range<Int64>,
        _ take: (UnsafeRawBufferPointer, Int64) throws -> Bool
    ) throws -> Bool {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: FilePieces.size, alignment: 16)
        defer { buffer.deallocate() }
        var position = range.lowerBound
        while position < range.upperBound {
            let piece = UnsafeMutableRawBufferPointer(
                rebasing: buffer[..<Int(min(Int64(buffer.count), range.upperBound - position))]
            )
            guard try file.read(into: piece, at: position) == piece.count else { throw changed }
            guard try take(UnsafeRawBufferPointer(piece), position) else { return false }
            position += Int64(piece.count)
        }
        return true
    }
}

// SPDX-License-Identifier: Apache-2.0

extension RequestBody {
    /// Reads the body from its start, in pieces of at most 256 KiB as far as the library makes them: for a digest that
    /// is sent before it, or for a transport of your own.
    ///
    /// A stream that can be produced only once can be read only once: a transport can't send it afterwards
    /// (``isReplayable``).
    ///
    /// - Parameter take: Called with one piece after the other.
    /// - Throws: ``BodyAlreadySent``, ``UploadProblem`` for a file, any error of the stream or of `take`, or
    ///   `CancellationError`.
    public func read(_ take: @escaping @Sendable (ByteChunk) async throws -> Void) async throws {
        try await pieces?.contents(
            0,
            BodyWriter { piece in
                try Task.checkCancellation()
                try await take(piece)
            }
        )
    }

    /// The body as a stream of pieces, so that code between it and the transport sees them; `nil` for none.
    var pieces: StreamBody? {
        switch self {
        case .none: return nil
        case .stream(let stream): return stream
        case .bytes(let bytes):
            return StreamBody(length: Int64(bytes.count), replay: .seekable) { start, writer in
                var position = Int(start)
                while position < bytes.count {
                    let end = Swift.min(position + FilePieces.size, bytes.count)
                    try await writer.write(bytes.slice(position..<end))
                    position = end
                }
            }
        case .file(let file):
            return StreamBody(length: file.length, replay: .seekable) { start, writer in
                try await FilePieces(file).write(from: start, to: writer)
            }
        }
    }
}

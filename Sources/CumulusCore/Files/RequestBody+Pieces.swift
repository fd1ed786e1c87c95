// SPDX-License-Identifier: Apache-2.0

import Synchronization

extension RequestBody {
    /// Reads the body from its start; the library's own pieces are at most 256 KiB long.
    ///
    /// Use it for a digest that is sent before the body, or in your own transport.
    ///
    /// A stream that can be produced only once can be read only once: a transport can't send it afterwards
    /// (``isReplayable``).
    ///
    /// - Parameter take: A function that is called with each piece, in order.
    /// - Returns: The number of bytes read.
    /// - Throws: The error of `take`, `CancellationError`, or ``TransportFailure`` if the body can't be produced. Its
    ///   cause is the stream's own error, ``UploadProblem`` or ``BodyAlreadySent``, or `nil` for a stream that is
    ///   longer or shorter than its ``length``.
    @discardableResult
    public func read(_ take: @escaping @Sendable (ByteChunk) async throws -> Void) async throws -> Int64 {
        let reading = Mutex<(count: Int64, refusal: (any Error)?)>((0, nil))
        do {
            try await pieces?.contents(
                0,
                BodyWriter { [length] piece in
                    try Task.checkCancellation()
                    let total = reading.withLock { reading in
                        reading.count += Int64(piece.count)
                        return reading.count
                    }
                    if let length, total > length {
                        throw TransportFailure(.requestBody, "the body is longer than its declared \(length) bytes")
                    }
                    do { try await take(piece) } catch {
                        reading.withLock { $0.refusal = error }
                        throw error
                    }
                }
            )
        } catch {
            if let refusal = reading.withLock(\.refusal) { throw refusal }
            if error is CancellationError || error is TransportFailure { throw error }
            throw TransportFailure(.requestBody, "the body's producer failed", cause: error)
        }
        // A producer may have passed it over.
        if let refusal = reading.withLock(\.refusal) { throw refusal }
        let total = reading.withLock(\.count)
        if let length, total != length {
            throw TransportFailure(.requestBody, "the body has \(total) bytes instead of its declared \(length)")
        }
        return total
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

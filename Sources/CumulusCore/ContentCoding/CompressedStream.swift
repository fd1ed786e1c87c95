// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// A stream that is compressed while it is sent; only one piece and the encoder's state are in memory.
final class CompressedStream: Sendable {
    private static let pieceSize = 65_536

    private struct State {
        var compression: Compression
        var taken: Int64 = 0
    }

    private let state: Mutex<State>
    private let writer: BodyWriter

    init(_ coding: ContentCoding, to writer: BodyWriter) throws(ContentCodingProblem) {
        state = Mutex(State(compression: try Compression(coding)))
        self.writer = writer
    }

    /// Compresses the stream's output, in pieces of limited size.
    func take(_ chunk: ByteChunk) async throws {
        var position = 0
        while position < chunk.count {
            let end = min(position + CompressedStream.pieceSize, chunk.count)
            try await write(chunk.slice(position..<end), isLast: false)
            position = end
        }
    }

    /// Ends the stream.
    ///
    /// - Throws: ``ContentCodingProblem`` if the stream's length differs from the announced one.
    func finish(announced: Int64?) async throws {
        let taken = state.withLock { $0.taken }
        if let announced, announced != taken {
            throw ContentCodingProblem("the stream announced \(announced) bytes, but produced \(taken)")
        }
        try await write(.empty, isLast: true)
    }

    private func write(_ chunk: ByteChunk, isLast: Bool) async throws {
        let bytes = try state.withLock { state in
            state.taken += Int64(chunk.count)
            return try state.compression.compress(chunk, isLast: isLast)
        }
        if let bytes, !bytes.isEmpty { try await writer.write(ByteChunk(bytes)) }
    }
}

extension StreamBody {
    /// The compressed stream, whose length is known only at the end; it can be produced again if this one can.
    func compressed(by coding: ContentCoding) -> StreamBody {
        let length = length
        return recoded { writer, own in
            let stream = try CompressedStream(coding, to: writer)
            try await own(0, BodyWriter { try await stream.take($0) })
            try await stream.finish(announced: length)
        }
    }
}

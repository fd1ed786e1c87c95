// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// A section of a multipart body with one source of bytes.
enum MultipartSegment: Sendable {
    case bytes(ByteChunk)
    case file(MultipartFile)
    case stream(StreamBody, part: Int)

    /// The length in bytes; `nil` if it is known only at the end.
    var length: Int64? {
        switch self {
        case .bytes(let chunk): Int64(chunk.count)
        case .file(let file): file.length
        case .stream(let stream, _): stream.length
        }
    }

    /// Whether it can be produced again; from an offset only if its length is known, too.
    var replay: StreamBody.Replay {
        switch self {
        case .bytes, .file: .seekable
        case .stream(let stream, _): stream.replay == .seekable && stream.length == nil ? .restartable : stream.replay
        }
    }

    /// Writes the bytes from an offset.
    func write(from offset: Int64, to writer: BodyWriter) async throws {
        switch self {
        case .bytes(let chunk):
            if offset == 0 { return try await writer.write(chunk) }
            let rest = chunk.withUnsafeBytes { [UInt8]($0.dropFirst(Int(offset))) }
            try await writer.write(ByteChunk(rest))
        case .file(let file): try await file.write(from: offset, to: writer)
        case .stream(let stream, let part): try await Self.write(stream, from: offset, to: writer, part: part)
        }
    }

    /// Counts a stream's bytes: a part that is longer or shorter than announced would break the framing.
    private static func write(
        _ stream: StreamBody,
        from offset: Int64,
        to writer: BodyWriter,
        part: Int
    ) async throws {
        guard let length = stream.length else { return try await stream.contents(offset, writer) }
        let written = Mutex(offset)
        let counted = BodyWriter { chunk in
            let count = written.withLock { count in
                count += Int64(chunk.count)
                return count
            }
            guard count <= length else {
                throw MultipartProblem(
                    .length,
                    part: part,
                    "the stream produced more than the \(length) bytes announced"
                )
            }
            try await writer.write(chunk)
        }
        try await stream.contents(offset, counted)
        let count = written.withLock { $0 }
        guard count == length else {
            throw MultipartProblem(.length, part: part, "the stream produced \(count) of the \(length) bytes announced")
        }
    }
}

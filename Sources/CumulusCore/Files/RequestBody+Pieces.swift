// SPDX-License-Identifier: Apache-2.0

extension RequestBody {
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

// SPDX-License-Identifier: Apache-2.0

import CumulusCore

/// The transport of `--chunked`: bodies are sent in chunks, without their length.
struct ChunkedTransport: Transport {
    let inner: any Transport

    var capabilities: TransportCapabilities { inner.capabilities }
    var isOnOwnThread: Bool { inner.isOnOwnThread }

    func identity(at origin: Origin) -> TransportIdentity { inner.identity(at: origin) }

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        var request = request
        switch request.body {
        case .none: break
        case .bytes(let bytes):
            request.body = .stream(StreamBody(replay: .restartable) { _, writer in try await writer.write(bytes) })
        case .file:
            let file = request.body
            request.body = .stream(
                StreamBody(replay: .restartable) { _, writer in try await file.read { try await writer.write($0) } }
            )
        case .stream(let stream):
            if stream.length == nil { break }
            request.body = .stream(StreamBody(replay: stream.replay, contents: stream.contents))
        }
        return try await inner.send(request)
    }
}

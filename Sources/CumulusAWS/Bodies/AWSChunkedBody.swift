// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import Synchronization

/// Divides a payload into signed chunks of one size, regardless of the sizes in which it arrives.
final class AWSChunkedBody: Sendable {
    private struct State: Sendable {
        var signer: AWSChunkSigner
        var buffer: [UInt8] = []
    }

    private let state: Mutex<State>

    private init(_ signer: AWSChunkSigner) { state = Mutex(State(signer: signer)) }

    /// A payload in signed chunks; `nil` if its length with frames overflows.
    static func body(
        of payload: RequestBody,
        length: Int64,
        _ signer: AWSSigner,
        seed: String,
        trailer: AWSTrailingChecksum?
    ) -> StreamBody? {
        guard let whole = AWSChunkSigner.length(of: length, trailer: trailer) else { return nil }
        let first = AWSChunkSigner(signer, seed: seed, trailer: trailer)
        // The signatures are chained, so the body can only restart from its beginning.
        return StreamBody(length: whole, replay: payload.isReplayable ? .restartable : .once) { _, writer in
            let body = AWSChunkedBody(first)
            try await payload.read { try await body.take($0, writer) }
            for frame in body.rest() { try await writer.write(ByteChunk(frame)) }
        }
    }

    private func take(_ bytes: ByteChunk, _ writer: BodyWriter) async throws {
        var position = 0
        while position < bytes.count {
            guard let frame = next(of: bytes, from: &position) else { return }
            try await writer.write(ByteChunk(frame))
        }
    }

    /// The next full chunk in its frame; `nil` if the bytes don't fill one, and are kept for later.
    private func next(of bytes: ByteChunk, from position: inout Int) -> [UInt8]? {
        state.withLock { state in
            bytes.withUnsafeBytes { all in
                let end = min(position + AWSChunkSigner.size - state.buffer.count, all.count)
                let piece = UnsafeRawBufferPointer(rebasing: all[position..<end])
                position = end
                if piece.count == AWSChunkSigner.size { return state.signer.chunk(piece) }
                state.buffer += piece
                guard state.buffer.count == AWSChunkSigner.size else { return nil }
                defer { state.buffer.removeAll(keepingCapacity: true) }
                return state.buffer.withUnsafeBytes { state.signer.chunk($0) }
            }
        }
    }

    private func rest() -> [[UInt8]] {
        state.withLock { state in
            var frames: [[UInt8]] = []
            if !state.buffer.isEmpty {
                frames.append(state.buffer.withUnsafeBytes { state.signer.chunk($0) })
                state.buffer = []
            }
            frames.append(state.signer.end())
            return frames
        }
    }
}

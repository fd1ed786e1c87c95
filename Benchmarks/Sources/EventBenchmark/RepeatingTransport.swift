// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import Foundation
import HTTPTypes
import Synchronization

/// A transport whose responses are bytes in memory, again and again, in pieces of 64 KiB.
final class RepeatingTransport: Transport {
    private let pieces: [ByteChunk]
    private let times: Int

    init(_ bytes: Data, _ times: Int) {
        self.times = times
        pieces = stride(from: 0, to: bytes.count, by: 65_536).map {
            ByteChunk(Array(bytes[$0..<min($0 + 65_536, bytes.count)]))
        }
    }

    var capabilities: TransportCapabilities { .init() }

    func identity(at origin: Origin) -> TransportIdentity { .anonymous }

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        let head = ResponseHead(status: .ok, headers: [.contentType: "text/event-stream"])
        return TransportResponse(head: head, body: ResponseBody(expectedLength: nil, source: Body(pieces, times)))
    }

    private final class Body: ResponseBodySource {
        private let pieces: [ByteChunk]
        private let left: Mutex<(piece: Int, times: Int)>

        init(_ pieces: [ByteChunk], _ times: Int) {
            self.pieces = pieces
            left = Mutex((0, times))
        }

        func next() async throws -> ResponseBodyElement {
            let index = left.withLock { left -> Int? in
                guard left.times > 0 else { return nil }
                defer {
                    left.piece += 1
                    if left.piece == pieces.count { left = (0, left.times - 1) }
                }
                return left.piece
            }
            return index.map { .bytes(pieces[$0]) } ?? .end(ExchangeEnd())
        }

        func cancel() {}
    }
}

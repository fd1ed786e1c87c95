// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import Synchronization

/// Another transport, whose first bodies break off after so many bytes each.
final class CuttingTransport: Transport {
    private let base: any Transport
    private let cuts: Mutex<[Int]>

    init(_ base: any Transport, after cuts: [Int]) {
        self.base = base
        self.cuts = Mutex(cuts)
    }

    var capabilities: TransportCapabilities { base.capabilities }

    func identity(at origin: Origin) -> TransportIdentity { base.identity(at: origin) }

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        let response = try await base.send(request)
        guard let room = cuts.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) else { return response }
        let body = Body(response.body, room: room)
        return TransportResponse(
            head: response.head,
            body: ResponseBody(expectedLength: response.body.expectedLength, source: body)
        )
    }

    private final class Body: ResponseBodySource {
        private let body: ResponseBody
        private let room: Mutex<Int>

        init(_ body: ResponseBody, room: Int) {
            self.body = body
            self.room = Mutex(room)
        }

        func next() async throws -> ResponseBodyElement {
            let left = room.withLock(\.self)
            guard left > 0 else { throw TransportFailure(.truncated, "the cable was pulled out") }
            guard let chunk = try await body.next() else { return .end(body.end ?? ExchangeEnd()) }
            room.withLock { $0 -= chunk.count }
            if chunk.count < left { return .bytes(chunk) }
            body.cancel()
            return .bytes(ByteChunk(Array(chunk.bytes.prefix(left))))
        }

        func cancel() { body.cancel() }
    }
}

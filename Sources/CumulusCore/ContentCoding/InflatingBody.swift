// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// A body with one of its codings removed, decoded as it is read; it holds one piece of input and zlib's window.
final class InflatingBody: ResponseBodySource {
    private let body: ResponseBody
    private let wire: WireCount
    /// Whether `body` is the body as received.
    private let isOutermost: Bool
    private let inflation: Mutex<Inflation>

    init(_ body: ResponseBody, _ coding: ContentCoding, wire: WireCount, isOutermost: Bool) {
        self.body = body
        self.wire = wire
        self.isOutermost = isOutermost
        inflation = Mutex(Inflation(coding))
    }

    func next() async throws -> ResponseBodyElement {
        while true {
            // A little input can produce much output without any suspension.
            try Task.checkCancellation()
            let received = wire.value
            if case .bytes(let chunk) = try inflation.withLock({ try $0.step(received: received) }) {
                return .bytes(chunk)
            }
            guard let chunk = try await body.next() else {
                try inflation.withLock { try $0.finish() }
                return .end(body.end ?? ExchangeEnd())
            }
            if isOutermost { wire.add(chunk.count) }
            inflation.withLock { $0.feed(chunk) }
        }
    }

    func cancel() { body.cancel() }
}

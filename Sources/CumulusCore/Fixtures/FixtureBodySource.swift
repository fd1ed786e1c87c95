// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// A fixture's body, given in pieces as a transport's is.
final class FixtureBodySource: ResponseBodySource {
    private static let pieceSize: Int64 = 16_384

    private let content: FixtureContent
    private let range: Range<Int64>
    private let facts: ExchangeFacts
    private let clock: any RequestClock
    private let started: ContinuousClock.Instant
    private let position: Mutex<Int64>

    init(_ content: FixtureContent, _ range: Range<Int64>, _ facts: ExchangeFacts, _ clock: any RequestClock) {
        self.content = content
        self.range = range
        self.facts = facts
        self.clock = clock
        started = clock.now
        position = Mutex(range.lowerBound)
    }

    func next() async throws -> ResponseBodyElement {
        try Task.checkCancellation()
        let start = position.withLock { position in
            defer { position = min(position + FixtureBodySource.pieceSize, range.upperBound) }
            return position
        }
        guard start < range.upperBound else {
            var facts = facts
            facts.bytesReceived = Int64(range.count)
            facts.phases.lastByte = clock.now - started
            return .end(ExchangeEnd(facts: facts))
        }
        do {
            return .bytes(try content.read(start..<min(start + FixtureBodySource.pieceSize, range.upperBound)))
        } catch {
            throw TransportFailure(.truncated, "\(error)", sent: .something, cause: error)
        }
    }

    // Nothing runs between two calls of `next`.
    func cancel() {}
}

// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives
import Synchronization

/// A fixture's body, delivered in pieces like a transport's.
final class FixtureBodySource: ResponseBodySource {
    private static let largestPiece: Int64 = 16_384
    /// The minimum number of pieces of a body with a duration.
    private static let pieces: Int64 = 50

    private let content: FixtureContent
    private let range: Range<Int64>
    private let facts: ExchangeFacts
    private let clock: any RequestClock
    private let end: ContinuousClock.Instant?
    /// How long a piece may take.
    private let idle: Duration?
    private let pause: StubPause
    /// The call's whole time.
    private let limit: Duration?
    private let duration: Duration
    private let pieceSize: Int64
    private let started: ContinuousClock.Instant
    private let position: Mutex<Int64>

    init(
        _ content: FixtureContent,
        _ range: Range<Int64>,
        _ facts: ExchangeFacts,
        _ request: TransportRequest,
        over duration: Duration
    ) {
        self.content = content
        self.range = range
        self.facts = facts
        self.duration = duration
        clock = request.clock
        end = request.deadlines.total
        idle = request.deadlines.idle
        pause = StubPause(request: request, started: clock.now, answerer: "fixture")
        limit = request.deadlines.whole
        let part = max(1, Int64(range.count) / FixtureBodySource.pieces)
        pieceSize = duration > .zero ? min(part, FixtureBodySource.largestPiece) : FixtureBodySource.largestPiece
        started = clock.now
        position = Mutex(range.lowerBound)
    }

    func next() async throws -> ResponseBodyElement {
        try Task.checkCancellation()
        let start = position.withLock { position in
            defer { position = min(position + pieceSize, range.upperBound) }
            return position
        }
        guard start < range.upperBound else {
            var facts = facts
            facts.bytesReceived = Int64(range.count)
            facts.phases.lastByte = clock.now - started
            return .end(ExchangeEnd(facts: facts))
        }
        let next = min(start + pieceSize, range.upperBound)
        if duration > .zero {
            try await wait(until: started + duration * (Double(next - range.lowerBound) / Double(range.count)))
        }
        do {
            return .bytes(try content.read(start..<next))
        } catch {
            throw TransportFailure(.truncated, "\(error)", fate: .unknown, cause: error)
        }
    }

    /// Waits for a piece, but not beyond the call's time limits.
    private func wait(until due: ContinuousClock.Instant) async throws {
        let goesSilent = idle.map { clock.now + $0 < end ?? due } ?? false
        guard let end, end < due, !goesSilent else {
            return try await pause.wait(clock.now.duration(to: due), phase: .idle)
        }
        try await clock.sleep(until: end)
        throw TransportFailure.timeout(
            .total,
            "the call, whose fixture delivers its body over \(SpokenDuration(duration)),",
            limit: limit,
            elapsed: limit.map { clock.now - (end - $0) } ?? (clock.now - started),
            fate: .unknown
        )
    }

    // Nothing is running between two calls of `next`.
    func cancel() {}
}

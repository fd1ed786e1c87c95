// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// A response's body that is read no faster than a rate.
final class ThrottledBody: ResponseBodySource {
    private struct Held {
        /// Received bytes that were not passed on yet.
        var rest: ByteChunk?
        /// The end of the last piece in the line of the rate.
        var place: Double?
    }

    private let body: ResponseBody
    private let rate: Bandwidth
    private let clock: any RequestClock
    private let end: Moment?
    private let started: Moment
    private let signal = BandwidthSignal()
    private let held = Mutex(Held())

    /// A body whose waits end at the deadline of a call that began at `started`; the transport enforces the other
    /// limits.
    init(
        _ body: ResponseBody,
        rate: Bandwidth,
        clock: any RequestClock,
        before end: Moment?,
        since started: Moment
    ) {
        self.body = body
        self.rate = rate
        self.clock = clock
        self.end = end
        self.started = started
    }

    func next() async throws -> ResponseBodyElement {
        // A piece is paid for before the next is taken: received bytes are never withheld from the reader.
        if let place = held.withLock(\.place) { try await hold(until: place) }
        let rest = held.withLock { held -> ByteChunk? in
            defer { held.rest = nil }
            return held.rest
        }
        guard let chunk = try await received(after: rest) else { return .end(body.end ?? ExchangeEnd()) }
        let count = min(chunk.count, rate.pieceSize)
        let place = rate.ask(count, on: clock).upperBound
        held.withLock { held in
            held.place = place
            if count < chunk.count { held.rest = chunk.slice(count..<chunk.count) }
        }
        return .bytes(chunk.slice(0..<count))
    }

    func cancel() {
        body.cancel()
        signal.close()
    }

    private func hold(until place: Double) async throws {
        guard let end else { return try await rate.hold(until: place, on: clock, waking: signal) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { [self] in try await rate.hold(until: place, on: clock, waking: signal) }
            group.addTask { [clock, started] in
                try await clock.sleep(until: end.instant)
                throw TransportFailure.timeout(
                    .total,
                    "the call, whose body is limited by `bandwidth`,",
                    limit: end - started,
                    elapsed: clock.moment - started,
                    fate: .unknown
                )
            }
            defer { group.cancelAll() }
            try await group.next()
        }
    }

    private func received(after rest: ByteChunk?) async throws -> ByteChunk? {
        if let rest { return rest }
        return try await body.next()
    }
}

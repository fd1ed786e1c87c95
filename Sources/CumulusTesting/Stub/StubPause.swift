// SPDX-License-Identifier: Apache-2.0

import CumulusCore

/// Waits on a request's clock, no longer than its deadlines allow.
struct StubPause: Sendable {
    let request: TransportRequest
    let started: ContinuousClock.Instant

    /// Waits; throws the timeout that comes first.
    func wait(_ time: Duration, phase: TransportFailure.Phase) async throws {
        let clock = request.clock
        let begun = clock.now
        let done = begun.advanced(by: time)
        let idle = request.deadlines.idle.map { begun.advanced(by: $0) }
        if let total = request.deadlines.total, total < done, total <= idle ?? total {
            try await clock.sleep(until: total)
            throw failure(.total, "the exchange was not over in time", limit: started.duration(to: total))
        }
        if let idle, idle < done {
            try await clock.sleep(until: idle)
            throw failure(phase, "the stub stayed silent", limit: request.deadlines.idle)
        }
        if time > .zero { try await clock.sleep(until: done) }
    }

    private func failure(_ phase: TransportFailure.Phase, _ message: String, limit: Duration?) -> TransportFailure {
        TransportFailure(
            .timeout(phase),
            message,
            sent: .something,
            limit: limit,
            elapsed: started.duration(to: request.clock.now)
        )
    }
}

// SPDX-License-Identifier: Apache-2.0

import CumulusCore

/// Waits on a request's clock, no longer than its deadlines allow.
struct StubPause: Sendable {
    let request: TransportRequest
    let started: ContinuousClock.Instant
    /// What answers, in messages.
    var answerer = "stub"

    /// Waits; throws the timeout that comes first.
    func wait(_ time: Duration, phase: TransportFailure.Phase) async throws {
        let clock = request.clock
        let begun = clock.now
        let done = begun.advanced(by: time)
        let idle = request.deadlines.idle.map { begun.advanced(by: $0) }
        if let total = request.deadlines.total, total < done, total <= idle ?? total {
            try await clock.sleep(until: total)
            throw failure(.total, "the call", limit: started.duration(to: total))
        }
        if let idle, idle < done {
            try await clock.sleep(until: idle)
            throw failure(phase, name(phase), limit: request.deadlines.idle)
        }
        if time > .zero { try await clock.sleep(until: done) }
    }

    private func name(_ phase: TransportFailure.Phase) -> String {
        phase == .response ? "waiting for the \(answerer)'s response" : "waiting for more bytes from the \(answerer)"
    }

    private func failure(_ phase: TransportFailure.Phase, _ subject: String, limit: Duration?) -> TransportFailure {
        .timeout(
            phase,
            subject,
            limit: limit,
            elapsed: started.duration(to: request.clock.now),
            fate: .unknown
        )
    }
}

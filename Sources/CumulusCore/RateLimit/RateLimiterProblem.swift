// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives

/// The reason why a request doesn't wait for a permit, or stops waiting.
struct RateLimiterProblem: Sendable {
    enum Reason: Sendable {
        /// The server's quota requires a longer wait than allowed.
        case excess(Duration, allowed: Duration)
        /// Its permit would come after the deadline.
        case tooLate(Duration, Deadline)
        /// The deadline passed while it waited.
        case deadline(Deadline, waited: Duration)
    }

    /// The time that the whole call may take, and the part of it that has passed.
    struct Deadline: Sendable {
        let limit: Duration
        let elapsed: Duration

        init(_ end: Moment, since started: Moment, now: Moment) {
            limit = end - started
            elapsed = now - started
        }
    }

    private let reason: Reason
    private let origin: Origin

    init(_ reason: Reason, _ origin: Origin) {
        self.reason = reason
        self.origin = origin
    }

    /// The failure that the caller receives.
    var failure: TransportFailure {
        switch reason {
        case .excess(let wait, let allowed):
            TransportFailure(
                .timeout(.rateLimit),
                "\(origin) accepts no requests for \(SpokenDuration(wait)), longer than the "
                    + "\(SpokenDuration(allowed)) that the rate limit allows",
                limit: allowed,
                elapsed: .zero
            )
        case .tooLate(let wait, let deadline):
            TransportFailure(
                .timeout(.total),
                "the rate limit of \(origin) requires a wait of \(SpokenDuration(wait)), but the call's deadline of "
                    + "\(SpokenDuration(deadline.limit)) leaves \(SpokenDuration(deadline.limit - deadline.elapsed))",
                fate: .unsent,
                limit: deadline.limit,
                elapsed: deadline.elapsed
            )
        case .deadline(let deadline, let waited):
            TransportFailure(
                .timeout(.total),
                "the call's deadline of \(SpokenDuration(deadline.limit)) passed after the request had waited "
                    + "\(SpokenDuration(waited)) for a permit from the rate limit of \(origin)",
                fate: .unsent,
                limit: deadline.limit,
                elapsed: deadline.elapsed
            )
        }
    }
}

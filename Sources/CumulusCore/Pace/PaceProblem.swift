// SPDX-License-Identifier: Apache-2.0

/// Why a request doesn't wait for its turn, or stops waiting.
struct PaceProblem: Sendable {
    enum Reason: Sendable {
        /// The server's quota requires a longer wait than allowed.
        case excess(Duration, allowed: Duration)
        /// Its turn would come after the deadline.
        case tooLate(Duration, left: Duration)
        /// The deadline passed while it waited.
        case deadline(Duration, limit: Duration)
    }

    private let reason: Reason
    private let origin: Origin

    init(_ reason: Reason, _ origin: Origin) {
        self.reason = reason
        self.origin = origin
    }

    /// The failure that the caller gets.
    var failure: TransportFailure {
        switch reason {
        case .excess(let wait, let allowed):
            TransportFailure(
                .timeout(.pace),
                "\(origin) accepts no requests for \(SpokenDuration(wait)), longer than the "
                    + "\(SpokenDuration(allowed)) that the pace allows",
                limit: allowed,
                elapsed: .zero
            )
        case .tooLate(let wait, let left):
            TransportFailure(
                .timeout(.total),
                "the pace of \(origin) asks to wait \(SpokenDuration(wait)), and the call's deadline leaves "
                    + SpokenDuration(left).description,
                limit: left,
                elapsed: .zero
            )
        case .deadline(let waited, let limit):
            TransportFailure(
                .timeout(.total),
                "the call's deadline passed while it waited for its turn at the pace of \(origin), for "
                    + SpokenDuration(waited).description,
                limit: limit,
                elapsed: waited
            )
        }
    }
}

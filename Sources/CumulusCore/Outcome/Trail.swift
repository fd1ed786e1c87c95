// SPDX-License-Identifier: Apache-2.0

/// What a call has been through before its present attempt.
struct Trail: Sendable {
    /// The redirects that were followed.
    private(set) var hops: [Response.Hop] = []
    /// The attempts before the present one.
    private(set) var attempts: [AttemptRecord] = []
    /// Whether any hop led away from where the call began; credentials are not picked up again.
    private(set) var hasLeftOrigin = false
    /// Why the present attempt is made.
    private(set) var reason = AttemptRecord.Reason.call
    /// When it was begun; `nil` for the first, which begins with the call.
    private var began: Moment?

    /// Notes how the present attempt ended, and why there is another.
    mutating func add(
        _ outcome: AttemptRecord.Outcome,
        of request: EncodedRequest,
        at now: Moment,
        _ started: Moment,
        then next: AttemptRecord.Reason
    ) {
        attempts.append(record(outcome, of: request, at: now, started))
        reason = next
    }

    /// Notes a redirect.
    mutating func follow(_ hop: Response.Hop, to next: EncodedRequest) {
        hops.append(hop)
        if next.origin != hop.request.origin { hasLeftOrigin = true }
    }

    /// How many attempts were made for a reason, the present one among them.
    func count(of reason: AttemptRecord.Reason) -> Int {
        attempts.count { $0.reason == reason } + (self.reason == reason ? 1 : 0)
    }

    /// The next attempt begins.
    mutating func begin(at now: Moment) { began = now }

    /// The present attempt, ended so.
    func record(_ outcome: AttemptRecord.Outcome, of request: EncodedRequest, at now: Moment, _ started: Moment)
        -> AttemptRecord
    {
        AttemptRecord(reason: reason, request: request, outcome: outcome, elapsed: now - (began ?? started))
    }
}

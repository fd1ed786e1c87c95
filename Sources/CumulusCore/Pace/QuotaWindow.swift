// SPDX-License-Identifier: Apache-2.0

/// What is left of a server's quota, counted on between its answers: no clock, no lock.
///
/// A server counts what it has received; what is under way counts here as well, until its answer says the number.
struct QuotaWindow: Sendable {
    /// Whether a request may go out.
    enum Readiness: Sendable, Hashable {
        case now
        case at(Moment)
        /// Once one of those that are under way is answered.
        case afterAnswer
    }

    /// How many go out at once, after a pause, before they are no longer counted.
    private static let rampEnd = 32

    /// How many may go out; `nil` is any number.
    private(set) var left: Int64?
    private var limit: Int64?
    private var resetsAt: Moment?
    private var pausedUntil: Moment?
    /// How many good answers have come since a pause; `nil` if there was none.
    private var ramp: Int?

    mutating func readiness(inFlight: Int, at now: Moment) -> Readiness {
        if let until = pausedUntil {
            if now < until { return .at(until) }
            pausedUntil = nil
        }
        if let resetsAt, now >= resetsAt { renew(inFlight) }
        guard let left, left <= 0 else { return .now }
        if let resetsAt { return .at(resetsAt) }
        return inFlight > 0 ? .afterAnswer : .now
    }

    /// A request goes out.
    mutating func send() { left = left.map { max(0, $0 - 1) } }

    /// One that went out isn't sent after all.
    mutating func giveBack() { if let left, left < .max { self.left = left + 1 } }

    /// An answer has come, and so many others are under way; one that says nothing of the quota changes little.
    mutating func answered(_ quota: RequestQuota?, inFlight: Int, at now: Moment) {
        if let wait = quota?.retryAfter {
            pausedUntil = max(pausedUntil ?? now, now + wait)
            return begin()
        }
        guard let quota, let remaining = quota.remaining else { return climb() }
        left = max(0, remaining - Int64(inFlight))
        limit = quota.limit ?? limit
        if let span = quota.resetsAfter { resetsAt = now + span }
        ramp = nil
    }

    /// A new window: the whole of it, if it is known how much that is.
    private mutating func renew(_ inFlight: Int) {
        guard let limit else { return begin() }
        resetsAt = nil
        left = max(1, limit - Int64(inFlight))
    }

    /// One goes first, to see whether there is quota again.
    private mutating func begin() {
        (resetsAt, left, ramp) = (nil, 1, 0)
    }

    /// After a good answer two more may go, which doubles them with each round.
    private mutating func climb() {
        guard pausedUntil == nil, let passed = ramp else { return }
        if passed < QuotaWindow.rampEnd {
            (left, ramp) = ((left ?? 0) + 2, passed + 1)
        } else {
            (left, ramp) = (nil, nil)
        }
    }
}

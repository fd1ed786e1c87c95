// SPDX-License-Identifier: Apache-2.0

/// The remaining quota of a server, which is also updated between responses.
///
/// It has neither a clock nor a lock.
///
/// A server counts received requests. Requests in flight are also counted here, until their response contains the
/// number.
struct QuotaWindow: Sendable {
    /// Whether a request may be sent.
    enum Readiness: Sendable, Hashable {
        case now
        case at(Moment)
        /// After the response to one of the requests in flight has arrived.
        case afterResponse
    }

    /// After a pause, the number of successful responses after which requests are no longer limited.
    private static let rampEnd = 32

    /// The number of requests that may be sent; `nil` means any number.
    private(set) var left: Int64?
    private var limit: Int64?
    private var resetsAt: Moment?
    private var pausedUntil: Moment?
    /// The number of successful responses since a pause; `nil` without a pause.
    private var ramp: Int?

    mutating func readiness(inFlight: Int, at now: Moment) -> Readiness {
        if let until = pausedUntil {
            if now < until { return .at(until) }
            pausedUntil = nil
        }
        if let resetsAt, now >= resetsAt { renew(inFlight) }
        guard let left, left <= 0 else { return .now }
        if let resetsAt { return .at(resetsAt) }
        return inFlight > 0 ? .afterResponse : .now
    }

    /// Records that a request is sent.
    mutating func send() { left = left.map { max(0, $0 - 1) } }

    /// Records that a request isn't sent after all.
    mutating func giveBack() { if let left, left < .max { self.left = left + 1 } }

    /// Records a response, and the number of other requests in flight.
    ///
    /// A response without a quota only counts after a pause, when it allows more requests.
    mutating func record(_ quota: RequestQuota?, inFlight: Int, at now: Moment) {
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

    /// Starts a new window with the whole quota, if it is known.
    private mutating func renew(_ inFlight: Int) {
        guard let limit else { return begin() }
        resetsAt = nil
        left = max(1, limit - Int64(inFlight))
    }

    /// Allows one request, to find out whether the server accepts requests again.
    private mutating func begin() {
        (resetsAt, left, ramp) = (nil, 1, 0)
    }

    /// Allows two more requests after a successful response, which doubles their number with each round.
    private mutating func climb() {
        guard pausedUntil == nil, let passed = ramp else { return }
        if passed < QuotaWindow.rampEnd {
            (left, ramp) = ((left ?? 0) + 2, passed + 1)
        } else {
            (left, ramp) = (nil, nil)
        }
    }
}

// SPDX-License-Identifier: Apache-2.0

/// The state of a line at a rate limit, of an origin or of a user's quota there: which requests wait, which is next, and when it may start.
///
/// It has neither a clock nor a lock.
struct RateLimiterState: Sendable {
    private var meter: RequestMeter?
    private var window: QuotaWindow?
    private var maxWait: Duration?
    private var queue = WaitingQueue()
    private(set) var inFlight = 0
    /// The latest quota that the server reported.
    private(set) var quota: RequestQuota?

    var waiting: Int { queue.count }

    /// Whether removing it would only lose the server's quota.
    var isIdle: Bool { queue.isEmpty && inFlight == 0 }

    /// Changes the rate limit.
    mutating func change(to rateLimit: RateLimit?, at now: Moment) {
        maxWait = rateLimit?.maxWait
        let rate = rateLimit?.rate.flatMap { $0.interval > .zero ? $0 : nil }
        if let rate, meter != nil { meter?.change(to: rate, at: now) } else { meter = rate.map(RequestMeter.init) }
        if rateLimit?.heedsQuota != true { window = nil } else if window == nil { window = QuotaWindow() }
    }

    /// Starts a request if it may start now, and no other one waits.
    mutating func enterIfFree(at now: Moment) -> Bool {
        guard queue.isEmpty, opening(at: now) == .now else { return false }
        begin(at: now)
        return true
    }

    /// Joins the line, and returns the request's number.
    mutating func append() -> UInt64 { queue.append() }

    /// The earliest instant, as far as known, at which a new request may start; `nil` means now.
    mutating func estimate(at now: Moment) -> Moment? {
        let byRate = meter?.opening(after: queue.count, at: now)
        guard case .at(let byQuota) = window?.readiness(inFlight: inFlight, at: now) else { return byRate }
        return max(byRate ?? byQuota, byQuota)
    }

    /// The wait that the quota requires and the allowed one, if the allowed one is shorter.
    mutating func excess(at now: Moment) -> RateLimiterProblem.Reason? {
        guard let maxWait, case .at(let instant) = window?.readiness(inFlight: inFlight, at: now),
            instant - now > maxWait
        else { return nil }
        return .excess(instant - now, allowed: maxWait)
    }

    /// The time when the first request in the line may start.
    mutating func opening(at now: Moment) -> QuotaWindow.Readiness {
        let byRate = meter?.opening(at: now)
        switch window?.readiness(inFlight: inFlight, at: now) ?? .now {
        case .now: return byRate.map { .at($0) } ?? .now
        case .at(let instant): return .at(max(instant, byRate ?? instant))
        case .afterResponse: return .afterResponse
        }
    }

    /// Removes and starts the first request in the line, if it may start now.
    mutating func admitNext(at now: Moment) -> UInt64? {
        guard !queue.isEmpty, opening(at: now) == .now, let number = queue.popFirst() else { return nil }
        begin(at: now)
        return number
    }

    /// Removes the first request in the line, which won't get a permit.
    mutating func dismissNext() -> UInt64? { queue.popFirst() }

    /// Leaves the line; false if the request has started, or has already left.
    mutating func giveUp(_ number: UInt64) -> Bool { queue.remove(number) }

    /// Undoes the start of a request that isn't sent after all.
    mutating func giveBack() {
        inFlight -= 1
        meter?.giveBack()
        window?.giveBack()
    }

    /// Records that a request has ended without a response.
    mutating func fail() { inFlight -= 1 }

    /// Records a response; returns whether the quota has changed.
    mutating func record(_ reported: RequestQuota?, at now: Moment) -> Bool {
        inFlight -= 1
        window?.record(reported, inFlight: inFlight, at: now)
        guard let reported else { return false }
        let known = quota?.updated(by: reported) ?? reported
        defer { quota = known }
        return quota != known
    }

    private mutating func begin(at now: Moment) {
        inFlight += 1
        meter?.take(at: now)
        window?.send()
    }
}

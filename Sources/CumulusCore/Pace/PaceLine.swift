// SPDX-License-Identifier: Apache-2.0

/// The bookkeeping of an origin's line at a pace: who waits, who is next, and when; no clock, no lock.
struct PaceLine: Sendable {
    private var meter: RequestMeter?
    private var window: QuotaWindow?
    private var maxWait: Duration?
    private var queue = TurnQueue()
    private(set) var inFlight = 0
    /// What the server said last of its quota.
    private(set) var quota: RequestQuota?

    var waiting: Int { queue.count }

    /// Whether nothing of it would be missed but what the server said.
    var isIdle: Bool { queue.isEmpty && inFlight == 0 }

    /// Goes on by another pace.
    mutating func change(to pace: RequestPace?, at now: Moment) {
        maxWait = pace?.maxWait
        let rate = pace?.rate.flatMap { $0.interval > .zero ? $0 : nil }
        if let rate, meter != nil { meter?.change(to: rate, at: now) } else { meter = rate.map(RequestMeter.init) }
        if pace?.heedsQuota != true { window = nil } else if window == nil { window = QuotaWindow() }
    }

    /// Begins a request if it may begin now, and nobody waits.
    mutating func enterIfFree(at now: Moment) -> Bool {
        guard queue.isEmpty, opening(at: now) == .now else { return false }
        begin(at: now)
        return true
    }

    /// Takes a place in the line; its number is returned.
    mutating func append() -> UInt64 { queue.append() }

    /// The earliest instant at which one may begin who comes now, as far as is known; `nil` is now.
    mutating func estimate(at now: Moment) -> Moment? {
        let byRate = meter?.opening(after: queue.count, at: now)
        guard case .at(let byQuota) = window?.readiness(inFlight: inFlight, at: now) else { return byRate }
        return max(byRate ?? byQuota, byQuota)
    }

    /// How long the quota makes everybody wait, and how long it may, where that is less.
    mutating func excess(at now: Moment) -> PaceProblem.Reason? {
        guard let maxWait, case .at(let instant) = window?.readiness(inFlight: inFlight, at: now),
            instant - now > maxWait
        else { return nil }
        return .excess(instant - now, allowed: maxWait)
    }

    /// When the first of the line may begin.
    mutating func opening(at now: Moment) -> QuotaWindow.Readiness {
        let byRate = meter?.opening(at: now)
        switch window?.readiness(inFlight: inFlight, at: now) ?? .now {
        case .now: return byRate.map { .at($0) } ?? .now
        case .at(let instant): return .at(max(instant, byRate ?? instant))
        case .afterAnswer: return .afterAnswer
        }
    }

    /// The first of the line, if it may begin now: it has begun.
    mutating func admitNext(at now: Moment) -> UInt64? {
        guard !queue.isEmpty, opening(at: now) == .now, let number = queue.popFirst() else { return nil }
        begin(at: now)
        return number
    }

    /// The first of the line, which won't have its turn.
    mutating func dismissNext() -> UInt64? { queue.popFirst() }

    /// Leaves the line; false for one that has begun, or has left before.
    mutating func giveUp(_ number: UInt64) -> Bool { queue.remove(number) }

    /// A request that was begun isn't sent after all.
    mutating func giveBack() {
        inFlight -= 1
        meter?.giveBack()
        window?.giveBack()
    }

    /// A request has ended without an answer.
    mutating func fail() { inFlight -= 1 }

    /// A request is answered; whether what is known of the quota has changed.
    mutating func answer(_ said: RequestQuota?, at now: Moment) -> Bool {
        inFlight -= 1
        window?.answered(said, inFlight: inFlight, at: now)
        guard let said else { return false }
        let known = quota?.updated(by: said) ?? said
        defer { quota = known }
        return quota != known
    }

    private mutating func begin(at now: Moment) {
        inFlight += 1
        meter?.take(at: now)
        window?.send()
    }
}

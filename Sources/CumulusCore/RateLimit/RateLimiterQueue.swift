// SPDX-License-Identifier: Apache-2.0

/// A line of an origin, or of a user's quota there, with its waiting requests, and the alarm that wakes them; protected by its limiter's lock.
struct RateLimiterQueue: Sendable {
    var line = RateLimiterState()
    var waiters = WaitingContinuations()
    /// Wakes the line when its first request may start.
    private var alarm: (at: Moment, task: Task<Void, Never>)?
    private(set) var usedAt: Moment

    init(_ rateLimit: RateLimit?, at now: Moment) {
        usedAt = now
        line.change(to: rateLimit, at: now)
    }

    /// Whether removing it would only lose the server's quota.
    var isIdle: Bool { line.isIdle && waiters.isEmpty }

    /// Starts a request if no other one waits and it may start now.
    mutating func enterIfFree(at now: Moment) -> Bool {
        usedAt = now
        return line.enterIfFree(at: now)
    }

    /// Admits the requests that may start now, and sets an alarm for the next.
    mutating func settle(
        _ origin: Origin,
        at now: Moment,
        setting makeAlarm: (Moment) -> Task<Void, Never>
    ) -> RateLimiterEffects {
        var effects = RateLimiterEffects()
        while let number = line.admitNext(at: now) {
            if let waiter = waiters.settle(number, .success(())) { effects.admitted.append(waiter) }
        }
        if line.waiting > 0, let excess = line.excess(at: now) {
            let problem = RateLimiterProblem(excess, origin)
            effects.problem = problem
            while let number = line.dismissNext() {
                if let waiter = waiters.settle(number, .failure(problem.failure)) { effects.dismissed.append(waiter) }
            }
        }
        guard line.waiting > 0 else {
            effects.alarm = alarm?.task
            alarm = nil
            return effects
        }
        guard case .at(let instant) = line.opening(at: now) else { return effects }
        // An alarm that fires too early sets another.
        if let alarm, alarm.at <= instant, alarm.at > now { return effects }
        effects.alarm = alarm?.task
        alarm = (instant, makeAlarm(instant))
        return effects
    }
}

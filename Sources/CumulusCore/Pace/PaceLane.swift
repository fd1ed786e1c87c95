// SPDX-License-Identifier: Apache-2.0

/// An origin's line with those who wait in it, and what wakes them; kept under the lock of its gate.
struct PaceLane: Sendable {
    var line = PaceLine()
    var waiters = TurnWaiters()
    /// Wakes the line when its first may begin.
    private var alarm: (at: Moment, task: Task<Void, Never>)?
    private(set) var usedAt: Moment

    init(_ pace: RequestPace?, at now: Moment) {
        usedAt = now
        line.change(to: pace, at: now)
    }

    /// Whether nothing of it would be missed but what the server said.
    var isIdle: Bool { line.isIdle && waiters.isEmpty }

    /// Begins a request if nobody waits and it may begin now.
    mutating func enterIfFree(at now: Moment) -> Bool {
        usedAt = now
        return line.enterIfFree(at: now)
    }

    /// Lets those go on whose turn it is, and has an alarm set for the next.
    mutating func settle(
        _ origin: Origin,
        at now: Moment,
        setting makeAlarm: (Moment) -> Task<Void, Never>
    ) -> PaceEffects {
        var effects = PaceEffects()
        while let number = line.admitNext(at: now) {
            if let waiter = waiters.settle(number, .success(())) { effects.admitted.append(waiter) }
        }
        if line.waiting > 0, let excess = line.excess(at: now) {
            let problem = PaceProblem(excess, origin)
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
        // One that rings too early sets another.
        if let alarm, alarm.at <= instant, alarm.at > now { return effects }
        effects.alarm = alarm?.task
        alarm = (instant, makeAlarm(instant))
        return effects
    }
}

// SPDX-License-Identifier: Apache-2.0

/// The effects of a change to a line, for after its lock is released.
struct RateLimiterEffects: Sendable {
    /// The requests whose turn it is.
    var admitted: [TurnWaiters.Continuation] = []
    /// The requests that won't get a turn, because of the problem.
    var dismissed: [TurnWaiters.Continuation] = []
    var problem: RateLimiterProblem?
    /// The alarm that is no longer needed.
    var alarm: Task<Void, Never>?

    func run() {
        alarm?.cancel()
        for waiter in admitted { waiter.resume() }
        if let problem { for waiter in dismissed { waiter.resume(throwing: problem.failure) } }
    }
}

// SPDX-License-Identifier: Apache-2.0

/// What a change of a line brings about, once its lock is given back.
struct PaceEffects: Sendable {
    /// Those whose turn it is.
    var admitted: [TurnWaiters.Continuation] = []
    /// Those who wait in vain, because of the problem.
    var dismissed: [TurnWaiters.Continuation] = []
    var problem: PaceProblem?
    /// What nobody waits for any more.
    var alarm: Task<Void, Never>?

    func run() {
        alarm?.cancel()
        for waiter in admitted { waiter.resume() }
        if let problem { for waiter in dismissed { waiter.resume(throwing: problem.failure) } }
    }
}

// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Where the requests of a subtree wait while as many as are allowed are running; first come, first served.
final class LimitGate: Sendable {
    private enum Waiter {
        case waiting(UnsafeContinuation<Void, any Error>)
        /// Its turn came, or it gave up, before it had begun to wait.
        case settled(Result<Void, any Error>)
    }

    private struct State {
        var line = LimitLine()
        var waiters: [UInt64: Waiter] = [:]
    }

    private let state = Mutex(State())

    /// How many may run at once; changing it touches none that runs.
    var limit: Int {
        get { state.withLock(\.line.limit) }
        set { admit { $0.line.limit = newValue } }
    }

    /// How many run, and how many wait.
    var counts: (running: Int, waiting: Int) { state.withLock { ($0.line.running, $0.line.waiting) } }

    /// Takes a slot, waiting for one if need be.
    ///
    /// `attach` is given the wait as it begins, to end it from outside; false says that it is over already.
    ///
    /// - Throws: `CancellationError` when the task, or the wait from outside, is cancelled;
    ///   ``TransportFailure`` when its time is up.
    func enter(
        until end: Moment? = nil,
        on clock: any RequestClock = SystemClock(),
        attach: (@Sendable (any CancellableExchange) -> Bool)? = nil
    ) async throws {
        guard let number = state.withLock({ $0.line.enter() }) else { return }
        let wait = LimitWait(gate: self, number: number)
        var timer: Task<Void, Never>?
        if let end { timer = self.timer(number, until: end, on: clock) }
        defer { timer?.cancel() }
        try await withTaskCancellationHandler {
            try await withUnsafeThrowingContinuation { continuation in
                let outcome = state.withLock { state -> Result<Void, any Error>? in
                    if case .settled(let outcome)? = state.waiters.removeValue(forKey: number) { return outcome }
                    state.waiters[number] = .waiting(continuation)
                    return nil
                }
                if let outcome { continuation.resume(with: outcome) }
                if let attach, !attach(wait) { wait.cancelExchange() }
            }
        } onCancel: {
            wait.cancelExchange()
        }
    }

    /// Takes a slot if there is one and nobody waits.
    func enterIfFree() -> Bool { state.withLock { $0.line.enterIfFree() } }

    /// Whether a request would have to wait now.
    var isFull: Bool { state.withLock { $0.line.isFull } }

    /// Gives a slot back.
    func leave() { admit { $0.line.leave() } }

    fileprivate func giveUp(_ number: UInt64, because error: any Error = CancellationError()) {
        let waiter = state.withLock { state -> Waiter? in
            guard state.line.giveUp(number) else { return nil }
            return settle(number, .failure(error), in: &state)
        }
        if case .waiting(let continuation)? = waiter { continuation.resume(throwing: error) }
    }

    /// Ends a wait at an instant; only who waits has one.
    private func timer(_ number: UInt64, until end: Moment, on clock: any RequestClock) -> Task<Void, Never> {
        let began = clock.moment
        return Task { [weak self] in
            do { try await clock.sleep(until: end.instant) } catch { return }
            let waited = clock.moment - began
            self?.giveUp(
                number,
                because: TransportFailure(
                    .timeout(.total),
                    "the call's deadline passed while it waited in the line of maxConcurrentRequests, for "
                        + "\(SpokenDuration(waited))",
                    limit: end - began,
                    elapsed: waited
                )
            )
        }
    }

    private func admit(_ change: (inout State) -> Void) {
        let admitted = state.withLock { state -> [UnsafeContinuation<Void, any Error>] in
            change(&state)
            var admitted: [UnsafeContinuation<Void, any Error>] = []
            while let number = state.line.admitNext() {
                if case .waiting(let waiter)? = settle(number, .success(()), in: &state) { admitted.append(waiter) }
            }
            return admitted
        }
        for waiter in admitted { waiter.resume() }
    }

    /// Takes out a waiter, or leaves word for one that is about to wait.
    private func settle(_ number: UInt64, _ outcome: Result<Void, any Error>, in state: inout State) -> Waiter? {
        if let waiter = state.waiters.removeValue(forKey: number) { return waiter }
        state.waiters[number] = .settled(outcome)
        return nil
    }
}

/// One request that waits at a gate.
private final class LimitWait: CancellableExchange {
    private let gate: LimitGate
    private let number: UInt64

    init(gate: LimitGate, number: UInt64) {
        self.gate = gate
        self.number = number
    }

    func cancelExchange() { gate.giveUp(number) }
}

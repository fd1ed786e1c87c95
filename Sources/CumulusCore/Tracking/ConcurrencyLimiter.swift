// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives
import Synchronization

/// The limiter where the requests of a subtree wait while the allowed number is running; first come, first served.
final class ConcurrencyLimiter: Sendable {
    private struct State {
        var line = ConcurrencyLimiterState()
        /// The version of the rules that contain the limit.
        var version: UInt64 = 0
        var waiters = WaitingContinuations()
    }

    private let state = Mutex(State())

    /// Changes the number of requests that may run at once, without affecting running ones; 0 or less for no limit.
    ///
    /// A limit of older rules than the limiter has seen is ignored.
    func change(to most: Int, asOf version: UInt64 = 0) {
        admit { state in
            guard version >= state.version else { return }
            (state.version, state.line.limit) = (version, most)
        }
    }

    /// The number of running requests, and of waiting ones.
    var counts: (running: Int, waiting: Int) { state.withLock { ($0.line.running, $0.line.waiting) } }

    /// Takes a slot, waiting for one if necessary.
    ///
    /// `attach` receives the wait when it begins, to cancel it from outside; it returns false if it is already
    /// cancelled. The time until `end` counts from `started`, or from now.
    ///
    /// - Throws: `CancellationError` when the task, or the wait from outside, is cancelled; ``TransportFailure`` when
    ///   its time is over.
    func enter(
        until end: Moment? = nil,
        since started: Moment? = nil,
        on clock: any RequestClock = SystemClock(),
        attach: (@Sendable (any CancellableExchange) -> Bool)? = nil
    ) async throws {
        guard let number = state.withLock({ $0.line.enter() }) else { return }
        let wait = LimitWait(limiter: self, number: number)
        var timer: Task<Void, Never>?
        if let end { timer = self.timer(number, until: end, since: started, on: clock) }
        defer { timer?.cancel() }
        try await withTaskCancellationHandler {
            try await withUnsafeThrowingContinuation { continuation in
                let outcome = state.withLock { $0.waiters.begin(number, continuation) }
                if let outcome { continuation.resume(with: outcome) }
                if let attach, !attach(wait) { wait.cancelExchange() }
            }
        } onCancel: {
            wait.cancelExchange()
        }
    }

    /// Takes a slot if one is free and no other request waits.
    func enterIfFree() -> Bool { state.withLock { $0.line.enterIfFree() } }

    /// Whether a request would have to wait now.
    var isFull: Bool { state.withLock { $0.line.isFull } }

    /// Releases a slot.
    func leave() { admit { $0.line.leave() } }

    fileprivate func giveUp(_ number: UInt64, because error: any Error = CancellationError()) {
        let waiter = state.withLock { state in
            state.line.giveUp(number) ? state.waiters.settle(number, .failure(error)) : nil
        }
        waiter?.resume(throwing: error)
    }

    /// Ends a wait at an instant; only a waiting request has a timer.
    private func timer(
        _ number: UInt64,
        until end: Moment,
        since started: Moment?,
        on clock: any RequestClock
    ) -> Task<Void, Never> {
        let began = clock.moment
        let start = started ?? began
        return Task { [weak self] in
            do { try await clock.sleep(until: end.instant) } catch { return }
            let now = clock.moment
            self?.giveUp(
                number,
                because: TransportFailure(
                    .timeout(.total),
                    "the call's deadline of \(SpokenDuration(end - start)) passed after the request had waited "
                        + "\(SpokenDuration(now - began)) for a slot (maxConcurrentRequests)",
                    fate: .unsent,
                    limit: end - start,
                    elapsed: now - start
                )
            )
        }
    }

    private func admit(_ change: (inout State) -> Void) {
        let admitted = state.withLock { state in
            change(&state)
            var admitted: [WaitingContinuations.Continuation] = []
            while let number = state.line.admitNext() {
                if let waiter = state.waiters.settle(number, .success(())) { admitted.append(waiter) }
            }
            return admitted
        }
        for waiter in admitted { waiter.resume() }
    }
}

/// A request that waits at a limiter.
private final class LimitWait: CancellableExchange {
    private let limiter: ConcurrencyLimiter
    private let number: UInt64

    init(limiter: ConcurrencyLimiter, number: UInt64) {
        self.limiter = limiter
        self.number = number
    }

    func cancelExchange() { limiter.giveUp(number) }
}

extension Resource.Settings {
    /// Unavailable: a limit is set for a place, not for a copy.
    @available(*, unavailable, message: "a limit is set for a place, not for a copy: use `setRules { }`")
    public var maxConcurrentRequests: Int {
        get { self[key: MaxConcurrentRequestsKey.self] }
        set {}
    }
}

/// The key of ``Resource/Rules/maxConcurrentRequests``.
enum MaxConcurrentRequestsKey: HarmlessSettingKey {
    /// No limit.
    static var defaultValue: Int { 0 }
}

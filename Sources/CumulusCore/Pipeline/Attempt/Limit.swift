// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The concurrency limit of a subtree.
///
/// Before each transmission, it waits until fewer requests are running than are allowed.
///
/// A slot is taken after everything that may wait or run user code. It is held until the body has been received, or,
/// for a streamed body, until its reader has finished.
struct Limit: Sendable {
    let limiter: ConcurrencyLimiter?

    /// Takes a slot.
    ///
    /// A request that may not wait throws ``LimitReached`` if none is free.
    ///
    /// - Throws: `CancellationError`, or the deadline's ``TransportFailure`` if the deadline passes during the wait.
    func enter(_ call: CallContext, on clock: any RequestClock, mayWait: Bool = true) async throws -> Slot? {
        guard let limiter else { return nil }
        guard mayWait else {
            guard limiter.enterIfFree() else { throw LimitReached() }
            return Slot(limiter)
        }
        try await limiter.enter(until: call.end, since: call.started, on: clock, attach: call.listing?.attach)
        return Slot(limiter)
    }

    /// Takes a slot if one is free; `nil` if the request would have to wait.
    func slotIfFree() -> Slot? { limiter.flatMap { $0.enterIfFree() ? Slot($0) : nil } }

    /// A slot that was taken from a limiter without waiting.
    func slot(of limiter: ConcurrencyLimiter) -> Slot { Slot(limiter) }

    /// Takes a slot for a body that released its own; `attach` receives the wait, if there is one.
    func reenter(
        _ call: CallContext,
        on clock: any RequestClock,
        attach: @escaping @Sendable (any CancellableExchange) -> Bool
    ) async throws -> Slot? {
        guard let limiter else { return nil }
        try await limiter.enter(until: call.end, since: call.started, on: clock, attach: attach)
        return Slot(limiter)
    }

    /// A slot, released once: explicitly, or with its last reference.
    final class Slot: Sendable {
        private let limiter: Mutex<ConcurrencyLimiter?>

        fileprivate init(_ limiter: ConcurrencyLimiter) { self.limiter = Mutex(limiter) }

        deinit { leave() }

        func leave() {
            let held = limiter.withLock { limiter in
                defer { limiter = nil }
                return limiter
            }
            held?.leave()
        }
    }
}

// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Stage 3d, before each transmission: waits while the subtree has its allowed number of running requests.
///
/// A slot is taken after everything that may wait or run user code, and held until the body has been received; for a
/// streamed body, until its reader has finished.
struct Limit: Sendable {
    let limiter: ConcurrencyLimiter?

    /// There is no free slot for a request that doesn't wait.
    struct Full: UnstagedError {}

    /// Takes a slot; a request that may not wait gets ``Full`` if none is free.
    ///
    /// - Throws: `CancellationError`, or the deadline's ``TransportFailure`` if it passes in the line.
    func enter(_ call: CallContext, on clock: any RequestClock, mayWait: Bool = true) async throws -> Slot? {
        guard let limiter else { return nil }
        guard mayWait else {
            guard limiter.enterIfFree() else { throw Full() }
            return Slot(limiter)
        }
        try await limiter.enter(until: call.end, since: call.started, on: clock, attach: call.listing?.attach)
        return Slot(limiter)
    }

    /// Takes a slot if one is free; `nil` if a request would have to wait.
    func slotIfFree() -> Slot? { limiter.flatMap { $0.enterIfFree() ? Slot($0) : nil } }

    /// A slot that was taken from a limiter without waiting.
    func slot(of limiter: ConcurrencyLimiter) -> Slot { Slot(limiter) }

    /// Takes a slot for a body that released its own; `attach` gets the wait, if there is one.
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

// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Stage 3d, before each transmission: waits while the subtree has its allowed number of running requests.
///
/// A slot is taken after everything that may wait or run user code, and held until the body has been received; for a
/// streamed body, until its reader has finished.
struct Limit: Sendable {
    let gate: LimitGate?

    /// There is no free slot for a request that doesn't wait.
    struct Full: UnstagedError {}

    /// Takes a slot; a request that may not wait gets ``Full`` if none is free.
    ///
    /// - Throws: `CancellationError`, or the deadline's ``TransportFailure`` if it passes in the line.
    func enter(_ call: CallContext, on clock: any RequestClock, mayWait: Bool = true) async throws -> Slot? {
        guard let gate else { return nil }
        guard mayWait else {
            guard gate.enterIfFree() else { throw Full() }
            return Slot(gate)
        }
        try await gate.enter(until: call.end, since: call.started, on: clock, attach: call.ticket?.attach)
        return Slot(gate)
    }

    /// A slot that was taken from a gate without waiting.
    func slot(of gate: LimitGate) -> Slot { Slot(gate) }

    /// Takes a slot for a body that released its own; `attach` gets the wait, if there is one.
    func reenter(
        _ call: CallContext,
        on clock: any RequestClock,
        attach: @escaping @Sendable (any CancellableExchange) -> Bool
    ) async throws -> Slot? {
        guard let gate else { return nil }
        try await gate.enter(until: call.end, since: call.started, on: clock, attach: attach)
        return Slot(gate)
    }

    /// A slot, released once: explicitly, or with its last reference.
    final class Slot: Sendable {
        private let gate: Mutex<LimitGate?>

        fileprivate init(_ gate: LimitGate) { self.gate = Mutex(gate) }

        deinit { leave() }

        func leave() {
            let held = gate.withLock { gate in
                defer { gate = nil }
                return gate
            }
            held?.leave()
        }
    }
}

// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Stage 3d, before each transmission: waits until fewer requests of the subtree are running than it allows.
///
/// A slot is taken after all that may wait or run user code, and held until the body has been received; the one who
/// reads a streamed body holds it meanwhile.
struct Limit: Sendable {
    let gate: LimitGate?

    /// There is no slot for a request that doesn't wait.
    struct Full: UnstagedError {}

    /// Takes a slot; one who may not stand in the line gets ``Full`` thrown where it would have to.
    ///
    /// - Throws: `CancellationError`, or the deadline's ``TransportFailure`` where it passes in the line.
    func enter(_ call: Call, on clock: any RequestClock, mayWait: Bool = true) async throws -> Slot? {
        guard let gate else { return nil }
        guard mayWait else {
            guard gate.enterIfFree() else { throw Full() }
            return Slot(gate)
        }
        try await gate.enter(until: call.end, on: clock, attach: call.ticket?.attach)
        return Slot(gate)
    }

    /// A slot that was taken of a gate without waiting.
    func slot(of gate: LimitGate) -> Slot { Slot(gate) }

    /// Takes a slot for a body that gave its own back; `attach` is given the wait, if there is one.
    func reenter(
        _ call: Call,
        on clock: any RequestClock,
        attach: @escaping @Sendable (any CancellableExchange) -> Bool
    ) async throws -> Slot? {
        guard let gate else { return nil }
        try await gate.enter(until: call.end, on: clock, attach: attach)
        return Slot(gate)
    }

    /// A slot, given back once: when told so, or when nobody holds it.
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

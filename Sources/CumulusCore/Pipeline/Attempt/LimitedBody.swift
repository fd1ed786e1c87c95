// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// A body whose request holds a slot of a limit until it ends or is dropped.
///
/// While user code has the response, including between two reads, the slot is released, since that code may send its
/// own requests. When the body is read, it waits in line for a slot again.
final class LimitedBody: ResponseBodySource {
    private enum State {
        case holding(Limit.Slot)
        case paused
        /// The reader waits for a slot.
        case waiting(any CancellableExchange)
        case over
    }

    private let body: ResponseBody
    private let limit: Limit
    private let call: CallContext
    private let clock: any RequestClock
    private let held: HeldResponses?
    private let state: Mutex<State>

    /// Whether the current task reads bodies only to save their connections.
    ///
    /// It then takes a slot if one is free, but doesn't wait.
    @TaskLocal static var isDraining = false

    init(
        _ body: ResponseBody,
        _ slot: Limit.Slot,
        of limit: Limit,
        _ call: CallContext,
        on clock: any RequestClock,
        held: HeldResponses?
    ) {
        self.body = body
        self.limit = limit
        self.call = call
        self.clock = clock
        self.held = held
        state = Mutex(.holding(slot))
        held?.note(self)
    }

    /// Releases the slot until the body is read.
    func pause() {
        leave { if case .holding = $0 { .paused } else { $0 } }
    }

    func next() async throws -> ResponseBodyElement {
        try await enter()
        do {
            if let chunk = try await body.next() {
                if held?.isOpen == true { pause() }
                return .bytes(chunk)
            }
            leave { _ in .over }
            return .end(body.end ?? ExchangeEnd())
        } catch {
            leave { _ in .over }
            throw error
        }
    }

    func cancel() {
        body.cancel()
        // In one step: a reader that is about to wait is either found waiting, or finds the body cancelled.
        let (slot, wait) = state.withLock { state -> (Limit.Slot?, (any CancellableExchange)?) in
            defer { state = .over }
            return switch state {
            case .holding(let slot): (slot, nil)
            case .waiting(let wait): (nil, wait)
            case .paused, .over: (nil, nil)
            }
        }
        slot?.leave()
        wait?.cancelExchange()
    }

    /// Takes a slot if the body doesn't hold one.
    private func enter() async throws {
        guard state.withLock({ if case .paused = $0 { true } else { false } }), !body.hasArrived else { return }
        if Self.isDraining {
            guard let slot = limit.slotIfFree() else {
                cancel()
                throw CancellationError()
            }
            return hold(slot)
        }
        // The wait isn't attached to the call's listing: a cancellation reaches a body that is being read through the
        // body itself.
        let taken: Limit.Slot?
        do {
            taken = try await limit.reenter(call, on: clock) { [self] wait in
                state.withLock { state in
                    guard case .paused = state else { return false }
                    state = .waiting(wait)
                    return true
                }
            }
        } catch {
            // Without a slot, nothing may be read.
            cancel()
            throw error
        }
        if let slot = taken { hold(slot) }
    }

    /// Holds a slot that was taken for a read, unless the body was cancelled in the meantime.
    private func hold(_ slot: Limit.Slot) {
        let isOver = state.withLock { state in
            switch state {
            case .paused, .waiting:
                state = .holding(slot)
                return false
            case .holding, .over: return true
            }
        }
        if isOver { slot.leave() }
    }

    /// Changes the state, and releases its slot outside the lock.
    private func leave(_ change: (State) -> State) {
        let slot = state.withLock { state -> Limit.Slot? in
            defer { state = change(state) }
            if case .holding(let slot) = state { return slot }
            return nil
        }
        slot?.leave()
    }
}

// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// A body whose request holds a slot of a limit until it ends or is dropped.
///
/// While the user's code has the answer the slot is given back: that code may send requests of its own. It is taken
/// again, in line with others, when the body is read.
final class LimitedBody: ResponseBodySource {
    private enum State {
        case holding(Limit.Slot)
        case paused
        case over
    }

    private let body: ResponseBody
    private let limit: Limit
    private let call: Call
    private let clock: any RequestClock
    private let state: Mutex<State>

    init(_ body: ResponseBody, _ slot: Limit.Slot, of limit: Limit, _ call: Call, on clock: any RequestClock) {
        self.body = body
        self.limit = limit
        self.call = call
        self.clock = clock
        state = Mutex(.holding(slot))
    }

    /// Gives the slot back until the body is read.
    func pause() {
        leave { if case .holding = $0 { .paused } else { $0 } }
    }

    func next() async throws -> ResponseBodyElement {
        if state.withLock({ if case .paused = $0 { true } else { false } }),
            let slot = try await limit.enter(call, on: clock)
        {
            let isOver = state.withLock { state in
                if case .paused = state {
                    state = .holding(slot)
                    return false
                }
                return true
            }
            if isOver { slot.leave() }
        }
        do {
            if let chunk = try await body.next() { return .bytes(chunk) }
            leave { _ in .over }
            return .end(body.end ?? ExchangeEnd())
        } catch {
            leave { _ in .over }
            throw error
        }
    }

    func cancel() {
        body.cancel()
        leave { _ in .over }
    }

    /// Changes the state; a slot that it held is given back, outside the lock.
    private func leave(_ change: (State) -> State) {
        let slot = state.withLock { state -> Limit.Slot? in
            defer { state = change(state) }
            if case .holding(let slot) = state { return slot }
            return nil
        }
        slot?.leave()
    }
}

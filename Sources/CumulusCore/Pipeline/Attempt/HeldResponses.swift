// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The responses of an attempt that user code holds, whose slots are released in the meantime.
final class HeldResponses: Sendable {
    private struct State {
        var isOpen: Bool
        weak var latest: LimitedBody?
    }

    private let state: Mutex<State>

    /// - Parameter isOpen: Whether user code holds them from the beginning, as interceptors do.
    init(isOpen: Bool) { state = Mutex(State(isOpen: isOpen)) }

    var isOpen: Bool { state.withLock(\.isOpen) }

    /// Records a response's body.
    func note(_ body: LimitedBody) {
        let isOpen = state.withLock { state in
            state.latest = body
            return state.isOpen
        }
        if isOpen { body.pause() }
    }

    /// Releases the slot: code that may send requests receives the response, and holds it until ``keepSlots()``.
    func releaseSlots() {
        let body = state.withLock { state in
            state.isOpen = true
            return state.latest
        }
        body?.pause()
    }

    /// The response is delivered, and its reader holds the slot from now on.
    func keepSlots() { state.withLock { $0.isOpen = false } }
}

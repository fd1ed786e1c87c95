// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Whether the user's code has an attempt's answers in its hands, so that their slots are given back meanwhile.
final class SlotLoan: Sendable {
    private struct State {
        var isOpen: Bool
        weak var latest: LimitedBody?
    }

    private let state: Mutex<State>

    /// - Parameter isOpen: Whether that code has them from the beginning on, as interceptors have.
    init(isOpen: Bool) { state = Mutex(State(isOpen: isOpen)) }

    var isOpen: Bool { state.withLock(\.isOpen) }

    /// Takes note of an answer's body.
    func note(_ body: LimitedBody) {
        let isOpen = state.withLock { state in
            state.latest = body
            return state.isOpen
        }
        if isOpen { body.pause() }
    }

    /// The answer goes into the hands of code that may send requests.
    func begin() {
        let body = state.withLock { state in
            state.isOpen = true
            return state.latest
        }
        body?.pause()
    }

    /// The answer is delivered: who reads it holds its slot.
    func end() { state.withLock { $0.isOpen = false } }
}

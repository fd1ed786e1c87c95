// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Wakes the one who waits at a rate: because it changed, or because there is nothing to wait for any more.
final class RateSignal: Sendable {
    private struct State {
        var isRung = false
        var isClosed = false
        var waiter: CheckedContinuation<Void, Never>?
    }

    private let state = Mutex(State())

    /// Whether there is nothing to wait for any more.
    var isClosed: Bool { state.withLock(\.isClosed) }

    /// Wakes who waits, or who waits next.
    func ring() { wake { $0.isRung = true } }

    /// Wakes who waits, permanently.
    func close() { wake { $0.isClosed = true } }

    /// Waits until it rings, is closed, or the task is cancelled.
    func wait() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state -> Bool in
                    if state.isRung || state.isClosed || Task.isCancelled {
                        state.isRung = false
                        return true
                    }
                    state.waiter = continuation
                    return false
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            wake { _ in }
        }
    }

    private func wake(_ change: (inout State) -> Void) {
        let waiter = state.withLock { state -> CheckedContinuation<Void, Never>? in
            change(&state)
            defer { state.waiter = nil }
            // Who is woken has heard it.
            if state.waiter != nil { state.isRung = false }
            return state.waiter
        }
        waiter?.resume()
    }
}

// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Wakes a waiter at a rate: because the rate has changed, or because the wait is over.
final class BandwidthSignal: Sendable {
    private struct State {
        var isRung = false
        var isClosed = false
        var waiter: CheckedContinuation<Void, Never>?
    }

    private let state = Mutex(State())

    /// Whether the wait is over.
    var isClosed: Bool { state.withLock(\.isClosed) }

    /// Wakes the current or the next waiter.
    func ring() { wake { $0.isRung = true } }

    /// Wakes the waiter, permanently.
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
            // The awakened waiter has received the signal.
            if state.waiter != nil { state.isRung = false }
            return state.waiter
        }
        waiter?.resume()
    }
}

// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// A gate that stays closed until a test opens it, so that tests can order events without sleeping.
///
/// When it opens, all waiting callers continue, and later ones don't wait.
public final class Gate: Sendable {
    private struct State {
        var isOpen = false
        var nextWaiter = 0
        var waiters: [Int: CheckedContinuation<Void, any Error>] = [:]
    }

    private let state = Mutex(State())

    /// Creates a closed gate.
    public init() {}

    /// Whether the gate has been opened.
    public var isOpen: Bool { state.withLock(\.isOpen) }

    /// The number of callers that are waiting.
    public var waiterCount: Int { state.withLock(\.waiters.count) }

    /// Opens the gate for all current and future callers.
    public func open() {
        let waiters = state.withLock { state in
            state.isOpen = true
            let waiters = state.waiters.values
            state.waiters = [:]
            return waiters
        }
        for waiter in waiters { waiter.resume() }
    }

    /// Waits until the gate is open.
    ///
    /// - Throws: `CancellationError` if the task is cancelled first.
    public func wait() async throws {
        let number = state.withLock { state in
            state.nextWaiter += 1
            return state.nextWaiter
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let goesOn: Result<Void, any Error>? = state.withLock { state in
                    if state.isOpen { return .success(()) }
                    // The cancellation callback may have run before this waiter was registered.
                    if Task.isCancelled { return .failure(CancellationError()) }
                    state.waiters[number] = continuation
                    return nil
                }
                if let goesOn { continuation.resume(with: goesOn) }
            }
        } onCancel: {
            state.withLock { $0.waiters.removeValue(forKey: number) }?.resume(throwing: CancellationError())
        }
    }
}

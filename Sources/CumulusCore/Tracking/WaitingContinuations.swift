// SPDX-License-Identifier: Apache-2.0

/// The continuations of requests that wait to be admitted, by number; protected by their limiter's lock.
struct WaitingContinuations: Sendable {
    typealias Continuation = UnsafeContinuation<Void, any Error>

    private enum Waiter {
        case waiting(Continuation)
        /// The request was admitted, or left the line, before the wait began.
        case settled(Result<Void, any Error>)
    }

    private var waiters: [UInt64: Waiter] = [:]

    var isEmpty: Bool { waiters.isEmpty }

    /// Begins to wait; returns the outcome if it was already settled.
    mutating func begin(_ number: UInt64, _ continuation: Continuation) -> Result<Void, any Error>? {
        if case .settled(let outcome)? = waiters.removeValue(forKey: number) { return outcome }
        waiters[number] = .waiting(continuation)
        return nil
    }

    /// Removes the continuation to resume, or stores the outcome for a request that is about to wait.
    mutating func settle(_ number: UInt64, _ outcome: Result<Void, any Error>) -> Continuation? {
        if case .waiting(let continuation)? = waiters.removeValue(forKey: number) { return continuation }
        waiters[number] = .settled(outcome)
        return nil
    }
}

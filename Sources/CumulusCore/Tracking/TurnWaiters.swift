// SPDX-License-Identifier: Apache-2.0

/// The suspended calls of those who wait for their turn, by number; kept under the lock of their gate.
struct TurnWaiters: Sendable {
    typealias Continuation = UnsafeContinuation<Void, any Error>

    private enum Waiter {
        case waiting(Continuation)
        /// Its turn came, or it gave up, before it had begun to wait.
        case settled(Result<Void, any Error>)
    }

    private var waiters: [UInt64: Waiter] = [:]

    var isEmpty: Bool { waiters.isEmpty }

    /// Begins to wait; an outcome, where word was left meanwhile.
    mutating func begin(_ number: UInt64, _ continuation: Continuation) -> Result<Void, any Error>? {
        if case .settled(let outcome)? = waiters.removeValue(forKey: number) { return outcome }
        waiters[number] = .waiting(continuation)
        return nil
    }

    /// Takes out who is to be resumed, or leaves word for one that is about to wait.
    mutating func settle(_ number: UInt64, _ outcome: Result<Void, any Error>) -> Continuation? {
        if case .waiting(let continuation)? = waiters.removeValue(forKey: number) { return continuation }
        waiters[number] = .settled(outcome)
        return nil
    }
}

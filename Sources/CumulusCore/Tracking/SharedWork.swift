// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// A piece of work that several callers wait for: an exchange, a question to a person.
///
/// It runs in its own task, so that cancelling one waiter doesn't affect the others. When nobody waits any more, the
/// task is cancelled, unless the work outlives its waiters.
final class SharedWork<Output: Sendable>: Sendable {
    private struct State {
        var task: Task<Void, Never>?
        var hasBegun = false
        var isAbandoned = false
        var waiters: [Int: CheckedContinuation<Output?, any Error>] = [:]
        var joined = 0
        /// How many callers wait, or are about to wait.
        var present = 1
        var left: Set<Int> = []
        var result: Result<Output, any Error>?
    }

    private let state = Mutex(State())
    private let outlivesWaiters: Bool
    private let onEnd: @Sendable (SharedWork) -> Void

    /// Makes work with one caller, which is about to wait.
    init(outlivesWaiters: Bool = false, onEnd: @escaping @Sendable (SharedWork) -> Void = { _ in }) {
        self.outlivesWaiters = outlivesWaiters
        self.onEnd = onEnd
    }

    /// Adds a caller that is about to wait; false if there are too many.
    func enter(most: Int = .max) -> Bool {
        state.withLock { state in
            guard state.present < most else { return false }
            state.present += 1
            return true
        }
    }

    /// Starts the work, unless it was already started.
    func begin(_ work: @escaping @Sendable () async throws -> Output) {
        let isFirst = state.withLock { state -> Bool in
            defer { state.hasBegun = true }
            return !state.hasBegun
        }
        guard isFirst else { return }
        // In no scope or group: if it ended with its first caller, it would fail for the others.
        let task = RequestMembers.$current.withValue([]) {
            Task { [self] in
                let result: Result<Output, any Error>
                do { result = .success(try await work()) } catch { result = .failure(error) }
                finish(result)
            }
        }
        let isAbandoned = state.withLock { state -> Bool in
            state.task = task
            return state.isAbandoned
        }
        if isAbandoned { task.cancel() }
    }

    var waiterCount: Int { state.withLock(\.waiters.count) }

    /// The work's result; `nil` if it was abandoned before this caller joined it.
    func wait() async throws -> Output? {
        let number = state.withLock { state -> Int in
            state.joined += 1
            return state.joined
        }
        defer {
            state.withLock { state in
                state.present -= 1
                state.left.remove(number)
            }
        }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let ready = state.withLock { state -> Result<Output?, any Error>? in
                    if state.left.contains(number) { return .failure(CancellationError()) }
                    if let result = state.result { return result.map(Optional.some) }
                    if state.isAbandoned { return .success(nil) }
                    state.waiters[number] = continuation
                    return nil
                }
                if let ready { continuation.resume(with: ready) }
            }
        } onCancel: {
            leave(number)
        }
    }

    private func leave(_ number: Int) {
        let (waiter, task, isLast) = state.withLock { state in
            state.left.insert(number)
            let waiter = state.waiters.removeValue(forKey: number)
            // A caller that leaves before it waits may also be the last: nobody else would end the work.
            let isLast = !outlivesWaiters && state.present == state.left.count && state.result == nil
            if isLast { state.isAbandoned = true }
            return (waiter, state.task, isLast)
        }
        if isLast {
            onEnd(self)
            task?.cancel()
        }
        waiter?.resume(throwing: CancellationError())
    }

    private func finish(_ result: Result<Output, any Error>) {
        onEnd(self)
        let waiters = state.withLock { state -> [CheckedContinuation<Output?, any Error>] in
            state.result = result
            defer { state.waiters = [:] }
            return Array(state.waiters.values)
        }
        for waiter in waiters { waiter.resume(with: result.map(Optional.some)) }
    }
}

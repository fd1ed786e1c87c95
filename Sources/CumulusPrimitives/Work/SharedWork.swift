// SPDX-License-Identifier: Apache-2.0

package import Synchronization

/// A piece of work that several callers wait for: an exchange, a question to a person.
///
/// It runs in its own task, so that cancelling one waiter doesn't affect the others. When nobody waits any more, the
/// task is cancelled, unless the work outlives its waiters.
package final class SharedWork<Output: Sendable>: Sendable {
    @usableFromInline struct State {
        @usableFromInline var task: Task<Void, Never>?
        @usableFromInline var hasBegun = false
        @usableFromInline var isAbandoned = false
        @usableFromInline var waiters: [Int: CheckedContinuation<Output?, any Error>] = [:]
        @usableFromInline var joined = 0
        /// How many callers wait, or are about to wait.
        @usableFromInline var present = 1
        @usableFromInline var left: Set<Int> = []
        @usableFromInline var result: Result<Output, any Error>?

        @inlinable init() {}
    }

    @usableFromInline let state = Mutex(State())
    @usableFromInline let outlivesWaiters: Bool
    @usableFromInline let onEnd: @Sendable (SharedWork) -> Void

    /// Creates work with one caller, which is about to wait.
    @inlinable package init(outlivesWaiters: Bool = false, onEnd: @escaping @Sendable (SharedWork) -> Void = { _ in }) {
        self.outlivesWaiters = outlivesWaiters
        self.onEnd = onEnd
    }

    /// Adds a caller that is about to wait; false if there are too many.
    @inlinable package func enter(most: Int = .max) -> Bool {
        state.withLock { state in
            guard state.present < most else { return false }
            state.present += 1
            return true
        }
    }

    /// Starts the work, unless it was already started; its task has the first caller's task-local values.
    @inlinable package func begin(_ work: @escaping @Sendable () async throws -> Output) {
        let isFirst = state.withLock { state -> Bool in
            defer { state.hasBegun = true }
            return !state.hasBegun
        }
        guard isFirst else { return }
        let task = Task { [self] in
            let result: Result<Output, any Error>
            do { result = .success(try await work()) } catch { result = .failure(error) }
            finish(result)
        }
        let isAbandoned = state.withLock { state -> Bool in
            state.task = task
            return state.isAbandoned
        }
        if isAbandoned { task.cancel() }
    }

    @inlinable package var waiterCount: Int { state.withLock(\.waiters.count) }

    /// The work's result; `nil` if it was abandoned before this caller joined it.
    @inlinable package func wait() async throws -> Output? {
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

    @inlinable func leave(_ number: Int) {
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

    @inlinable func finish(_ result: Result<Output, any Error>) {
        onEnd(self)
        let waiters = state.withLock { state -> [CheckedContinuation<Output?, any Error>] in
            state.result = result
            defer { state.waiters = [:] }
            return Array(state.waiters.values)
        }
        for waiter in waiters { waiter.resume(with: result.map(Optional.some)) }
    }
}

// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Exchanges of a tree that several callers may wait for.
final class JoinTable: Sendable {
    /// How many callers may wait for one exchange; who comes later begins another.
    static let mostWaiters = 1024

    private let running = Mutex<[JoinKey: SharedExchange]>([:])

    /// The response of a running exchange that is the same, or of one that is begun now.
    func response(
        for key: JoinKey,
        _ exchange: @escaping @Sendable () async throws -> Response
    ) async throws -> Response {
        while true {
            let shared = running.withLock { running -> SharedExchange in
                if let shared = running[key], shared.enter() { return shared }
                let shared = SharedExchange { [weak self] in self?.forget(key, if: $0) }
                running[key] = shared
                return shared
            }
            shared.begin(exchange)
            // One that all others have left in this moment is not waited for.
            if let response = try await shared.wait() { return response }
            forget(key, if: shared)
        }
    }

    /// How many wait for an exchange; for tests.
    var waiterCount: Int { running.withLock { $0.values.reduce(0) { $0 + $1.waiterCount } } }

    private func forget(_ key: JoinKey, if shared: SharedExchange) {
        running.withLock { if $0[key] === shared { $0[key] = nil } }
    }
}

/// One exchange with several who wait for it.
private final class SharedExchange: Sendable {
    private struct State {
        var task: Task<Void, Never>?
        var hasBegun = false
        var isAbandoned = false
        var waiters: [Int: CheckedContinuation<Response?, any Error>] = [:]
        var joined = 0
        /// How many are on their way to wait, or wait.
        var present = 1
        var left: Set<Int> = []
        var result: Result<Response, any Error>?
    }

    private let state = Mutex(State())
    private let onEnd: @Sendable (SharedExchange) -> Void

    /// Made with one caller, who is about to wait.
    init(onEnd: @escaping @Sendable (SharedExchange) -> Void) { self.onEnd = onEnd }

    /// Notes a caller who is about to wait; false where there are too many.
    func enter() -> Bool {
        state.withLock { state in
            guard state.present < JoinTable.mostWaiters else { return false }
            state.present += 1
            return true
        }
    }

    func begin(_ exchange: @escaping @Sendable () async throws -> Response) {
        let isFirst = state.withLock { state -> Bool in
            defer { state.hasBegun = true }
            return !state.hasBegun
        }
        guard isFirst else { return }
        // Of nobody's scope or group: what ends with the first who asked would fail for the others.
        let task = RequestMembers.$current.withValue([]) {
            Task { [self] in
                let result: Result<Response, any Error>
                do { result = .success(try await exchange()) } catch { result = .failure(error) }
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

    /// The response; `nil` if the exchange was given up before this joined it.
    func wait() async throws -> Response? {
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
                let ready = state.withLock { state -> Result<Response?, any Error>? in
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
            // Also one who leaves before it waits may be the last: nobody else would end the exchange.
            let isLast = state.present == state.left.count && state.result == nil
            if isLast { state.isAbandoned = true }
            return (waiter, state.task, isLast)
        }
        if isLast {
            onEnd(self)
            task?.cancel()
        }
        waiter?.resume(throwing: CancellationError())
    }

    private func finish(_ result: Result<Response, any Error>) {
        onEnd(self)
        let waiters = state.withLock { state -> [CheckedContinuation<Response?, any Error>] in
            state.result = result
            defer { state.waiters = [:] }
            return Array(state.waiters.values)
        }
        for waiter in waiters { waiter.resume(with: result.map(Optional.some)) }
    }
}

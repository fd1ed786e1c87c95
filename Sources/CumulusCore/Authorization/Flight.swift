// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// One fetch for all who need its result at the same time.
///
/// It runs in the task of the first who asks; if that one is cancelled, in another's.
final class Flight<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    /// What one who waits is told: the outcome, or nothing where the one who fetched was cancelled.
    private typealias Outcome = Result<Value?, any Error>

    private struct State {
        /// Those who wait, by what is being fetched.
        var waiting: [Key: [Int: CheckedContinuation<Outcome, Never>]] = [:]
        var nextNumber = 0
    }

    private let state = Mutex(State())

    /// Whether somebody is fetching this.
    func isUnderWay(_ key: Key) -> Bool { state.withLock { $0.waiting[key] != nil } }

    /// Fetches, or waits for who is at it.
    ///
    /// - Throws: What the fetch threw, or `CancellationError`.
    func value(for key: Key, _ fetch: () async throws -> Value) async throws -> Value {
        while true {
            let isFirst = state.withLock { state in
                guard state.waiting[key] == nil else { return false }
                state.waiting[key] = [:]
                return true
            }
            if isFirst { return try await lead(key, fetch) }
            if let value = try await wait(for: key).get() { return value }
            try Task.checkCancellation()
        }
    }

    private func lead(_ key: Key, _ fetch: () async throws -> Value) async throws -> Value {
        do {
            let value = try await fetch()
            end(key, .success(value))
            return value
        } catch {
            end(key, error is CancellationError || Task.isCancelled ? .success(nil) : .failure(error))
            throw error
        }
    }

    private func end(_ key: Key, _ outcome: Outcome) {
        let waiting = state.withLock { $0.waiting.removeValue(forKey: key) }
        for continuation in (waiting ?? [:]).values { continuation.resume(returning: outcome) }
    }

    private func wait(for key: Key) async -> Outcome {
        let number = state.withLock { state in
            state.nextNumber += 1
            return state.nextNumber
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    guard state.waiting[key] != nil, !Task.isCancelled else { return true }
                    state.waiting[key]?[number] = continuation
                    return false
                }
                if isOver { continuation.resume(returning: .success(nil)) }
            }
        } onCancel: {
            let continuation = state.withLock { $0.waiting[key]?.removeValue(forKey: number) }
            continuation?.resume(returning: .failure(CancellationError()))
        }
    }
}

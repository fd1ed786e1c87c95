// SPDX-License-Identifier: Apache-2.0

import Synchronization

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Keeps credentials until they end; many callers at once make one fetch, in the task of the first of them.
final class AWSCredentialCache: Sendable {
    /// Keys that end within this time are fetched anew, by one caller, while the others go on with them.
    private static let margin: Double = 300

    /// What one who waits is told: the outcome, or nothing where the one who fetched was cancelled.
    private typealias Outcome = Result<AWSCredentials?, any Error>

    private struct State {
        var kept: AWSCredentials?
        var isFetching = false
        var nextNumber = 0
        var waiting: [Int: CheckedContinuation<Outcome, Never>] = [:]
    }

    private enum Step {
        case use(AWSCredentials)
        case fetch(orUse: AWSCredentials?)
        case wait
    }

    private let source: AWSCredentialSource
    private let now: @Sendable () -> Date
    private let state = Mutex(State())

    init(_ source: AWSCredentialSource, now: @escaping @Sendable () -> Date) {
        self.source = source
        self.now = now
    }

    /// The credentials, fetched if need be.
    ///
    /// - Throws: What the source threw, or `CancellationError`.
    func credentials() async throws -> AWSCredentials {
        while true {
            switch state.withLock({ step(&$0) }) {
            case .use(let credentials): return credentials
            case .fetch(let old): return try await fetch(orUse: old)
            case .wait: if let credentials = try await waiting().get() { return credentials }
            }
            try Task.checkCancellation()
        }
    }

    /// Forgets keys that were refused, unless others have come since.
    ///
    /// - Returns: Whether another fetch may bring others.
    func forget(_ refused: String?) -> Bool {
        state.withLock { state in
            guard let kept = state.kept, kept.accessKeyID == refused else { return state.kept != nil }
            state.kept = nil
            return true
        }
    }

    private func step(_ state: inout State) -> Step {
        var left = Double.infinity
        if let end = state.kept?.expiration { left = end.timeIntervalSince(now()) }
        if let kept = state.kept, left > Self.margin || left > 0 && state.isFetching { return .use(kept) }
        if state.isFetching { return .wait }
        state.isFetching = true
        return .fetch(orUse: left > 0 ? state.kept : nil)
    }

    private func fetch(orUse old: AWSCredentials?) async throws -> AWSCredentials {
        do {
            let fresh = try await source.load()
            end(with: .success(fresh))
            return fresh
        } catch {
            let isCancelled = error is CancellationError || Task.isCancelled
            end(with: old.map { .success($0) } ?? (isCancelled ? .success(nil) : .failure(error)))
            if let old, !isCancelled { return old }
            throw error
        }
    }

    private func end(with outcome: Outcome) {
        let waiting = state.withLock { state in
            state.isFetching = false
            if case .success(let fresh?) = outcome { state.kept = fresh }
            defer { state.waiting = [:] }
            return state.waiting
        }
        for continuation in waiting.values { continuation.resume(returning: outcome) }
    }

    private func waiting() async -> Outcome {
        let number = state.withLock { state in
            state.nextNumber += 1
            return state.nextNumber
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    guard state.isFetching, !Task.isCancelled else { return true }
                    state.waiting[number] = continuation
                    return false
                }
                if isOver { continuation.resume(returning: .success(nil)) }
            }
        } onCancel: {
            let continuation = state.withLock { $0.waiting.removeValue(forKey: number) }
            continuation?.resume(returning: .failure(CancellationError()))
        }
    }
}

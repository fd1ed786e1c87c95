// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// A body that is resumed if it breaks off, provided that the server still has the same state.
///
/// This is not a follow-up: it asks for other bytes, not for the same again.
final class ResumingBody: ResponseBodySource {
    /// Shorter bodies are not worth resuming.
    static let shortest: Int64 = 65_536

    private struct State {
        var body: ResponseBody
        var received: Int64 = 0
        var failures = 0
        var tries = 0
        var isCancelled = false
    }

    private let state: Mutex<State>
    private let known: RemoteState
    private let pause: @Sendable (Int) async throws -> Bool
    private let reopen: @Sendable (RangeQuestion) async throws -> ResponseBody?

    /// - Parameters:
    ///   - body: The body.
    ///   - known: The state that it is from.
    ///   - pause: Waits before the attempt with a number, from 1; false if there must be none.
    ///   - reopen: Requests the rest; `nil` if the response doesn't contain it.
    init(
        _ body: ResponseBody,
        of known: RemoteState,
        pause: @escaping @Sendable (Int) async throws -> Bool,
        reopen: @escaping @Sendable (RangeQuestion) async throws -> ResponseBody?
    ) {
        state = Mutex(State(body: body))
        self.known = known
        self.pause = pause
        self.reopen = reopen
    }

    /// How often the rest was requested.
    var tries: Int { state.withLock(\.tries) }

    func next() async throws -> ResponseBodyElement {
        while true {
            let body = state.withLock(\.body)
            do {
                let chunk = try await body.next()
                let count = Int64(chunk?.count ?? 0)
                let isMended = state.withLock { state in
                    state.received += count
                    return state.failures > 0
                }
                if isMended { try check(isEnd: chunk == nil) }
                guard let chunk else { return .end(body.end ?? ExchangeEnd()) }
                return .bytes(chunk)
            } catch {
                try await resume(after: error)
            }
        }
    }

    func cancel() {
        let body = state.withLock { state in
            state.isCancelled = true
            return state.body
        }
        body.cancel()
    }

    /// A rest that is not framed by its length may be shorter or longer than its head says.
    private func check(isEnd: Bool) throws {
        guard let length = known.length else { return }
        let received = state.withLock(\.received)
        if isEnd, received < length {
            throw TransportFailure(.truncated, "the body should have \(length) bytes, but has only \(received)")
        }
        if received > length {
            throw TransportFailure(.malformedResponse, "the body has more than the announced \(length) bytes")
        }
    }

    /// Replaces the body with its rest; throws the error if none is available.
    private func resume(after error: any Error) async throws {
        // A wrong use of the body would only be repeated.
        guard let failure = error as? TransportFailure, failure.kind != .invalidUse,
            CumulusError(failure, stage: .delivery, request: nil).isBreak
        else { throw error }
        while true {
            let (failures, received) = state.withLock { state in
                state.failures += 1
                return (state.failures, state.received)
            }
            guard received > 0, try await pause(failures) else { throw error }
            state.withLock { $0.tries += 1 }
            let question = RangeQuestion(start: received, isRanged: true, known: known)
            let rest: ResponseBody?
            do {
                rest = try await reopen(question)
            } catch let problem as CumulusError where problem.isBreak {
                continue
            }
            guard let rest else { throw error }
            let isCancelled = state.withLock { state in
                state.body = rest
                return state.isCancelled
            }
            guard isCancelled else { return }
            rest.cancel()
            throw CancellationError()
        }
    }
}

// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Synchronization

/// A body that is resumed if it breaks off, provided that the server still has the same state.
///
/// It requests only the missing bytes.
final class ResumingBody: ResponseBodySource {
    /// The length of the shortest body that is resumed.
    static let shortest: Int64 = 65_536

    /// The response to a request for the remaining bytes.
    struct Continuation: Sendable {
        /// The number of its exchange in the call's record.
        let number: Int
        /// The memory of the attempts that led to it.
        let memory: Recovery.Memory
        /// Whether the server may have the remaining bytes later, if the response doesn't contain them.
        let mayBeTemporary: Bool
        /// The time when a busy server wants the next request; `nil` if it reports none.
        let timing: ServerTiming?
        /// `nil` if the response doesn't contain the remaining bytes.
        let body: ResponseBody?
    }

    private struct State {
        var body: ResponseBody
        var received: Int64 = 0
        /// The number of the last exchange in the call's record.
        var number: Int
        /// Recovery's memory; each request for the remaining bytes gets a copy.
        var memory: Recovery.Memory
        /// Whether it has broken off, and nothing continues it.
        var isBroken = false
        /// Whether a request for the remaining bytes has got a response.
        var isResumed = false
        var isCancelled = false
        /// The last decision: how the body continues, or why it doesn't.
        var decision: RetryDecision?
        /// Whether the server had reported when to send the next request.
        var isTimed = false
        /// The task that waits for the remaining bytes; `nil` while bytes are read.
        var reopening: Task<Void, any Error>?
    }

    private let state: Mutex<State>
    private let known: RemoteState
    private let request: EncodedRequest
    private let call: CallContext
    private let clock: any RequestClock
    private let decide: @Sendable (Int, ServerTiming?) -> RetryDecision?
    private let pause: @Sendable (RetryDecision, RangeRequest) async throws -> Void
    private let reopen: @Sendable (RangeRequest, Recovery.Memory) async throws -> Continuation

    /// Creates a resumable body.
    ///
    /// - Parameters:
    ///   - body: The body.
    ///   - known: The state of the resource that the body represents.
    ///   - received: The response with this body.
    ///   - clock: The call's clock.
    ///   - decide: Decides whether the call's retry with a number, from 1, requests the remaining bytes, and after
    ///     which wait. The second argument is the wait that the server reported, if any.
    ///   - pause: Reports the decision, and waits before the request.
    ///   - reopen: Requests the remaining bytes, with a copy of recovery's memory.
    init(
        _ body: ResponseBody,
        of known: RemoteState,
        _ received: AttemptLoop.ReceivedResponse,
        on clock: any RequestClock,
        decide: @escaping @Sendable (Int, ServerTiming?) -> RetryDecision?,
        pause: @escaping @Sendable (RetryDecision, RangeRequest) async throws -> Void,
        reopen: @escaping @Sendable (RangeRequest, Recovery.Memory) async throws -> Continuation
    ) {
        state = Mutex(State(body: body, number: received.number, memory: received.memory))
        self.known = known
        request = received.request
        call = received.call
        self.clock = clock
        self.decide = decide
        self.pause = pause
        self.reopen = reopen
    }

    /// The number of the last exchange in the call's record.
    var number: Int { state.withLock(\.number) }
    /// Whether it has broken off and the record contains the break.
    var isBroken: Bool { state.withLock(\.isBroken) }
    /// Recovery's memory, including the requests for the remaining bytes.
    var memory: Recovery.Memory { state.withLock(\.memory) }

    /// The reason why no remaining bytes were requested after the last break, and whether the server had reported when
    /// to send the next request.
    ///
    /// `nil` if they were requested, or if nothing was decided.
    var refusal: (decision: RetryDecision, isTimed: Bool)? {
        state.withLock { state in
            guard let decision = state.decision, decision.obstacle != nil else { return nil }
            return (decision, state.isTimed)
        }
    }

    func next() async throws -> ResponseBodyElement {
        while true {
            let body = state.withLock(\.body)
            do {
                let chunk = try await body.next()
                let count = Int64(chunk?.count ?? 0)
                let isResumed = state.withLock { state in
                    state.received += count
                    return state.isResumed
                }
                if isResumed { try check(isEnd: chunk == nil) }
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
            state.reopening?.cancel()
            return state.body
        }
        body.cancel()
    }

    /// Checks the length, since remaining bytes that aren't framed by a length may be shorter or longer than announced.
    private func check(isEnd: Bool) throws {
        guard let length = known.length else { return }
        let received = state.withLock(\.received)
        if isEnd, received < length {
            throw TransportFailure(.truncated, "the body should have \(length) bytes, but has only \(received)")
        }
        if received > length {
            throw TransportFailure(.malformedResponse, "the body is longer than the announced \(length) bytes")
        }
    }

    /// Replaces the body with its remaining bytes, in a task that ``cancel()`` ends.
    private func resume(after error: any Error) async throws {
        let task = Task { try await reopened(after: error) }
        let isCancelled = state.withLock { state in
            state.reopening = task
            return state.isCancelled
        }
        if isCancelled { task.cancel() }
        defer { state.withLock { $0.reopening = nil } }
        try await withTaskCancellationHandler {
            try await task.value
        } onCancel: {
            task.cancel()
        }
    }

    /// Requests the remaining bytes; throws the error if they are not available.
    private func reopened(after first: any Error) async throws {
        var error = first
        state.withLock { $0.isBroken = true }
        call.record.breakOff(number, Stage.describe(error, .delivery, .transport, request: request), at: clock.moment)
        // An incorrect use of the body would only be repeated.
        guard let failure = error as? TransportFailure, failure.kind != .invalidUse,
            CumulusError(failure, stage: .delivery, request: nil).isResumable()
        else { throw error }
        var timing: ServerTiming?
        while true {
            guard state.withLock(\.received) > 0 else { throw error }
            let response: Continuation?
            do {
                response = try await self.continuation(timing)
            } catch let problem as CumulusError {
                state.withLock { $0.number = problem.exchange ?? $0.number }
                guard problem.isResumable() else { throw problem }
                (error, timing) = (problem, nil)
                continue
            }
            guard let continuation = response else { throw error }
            guard let body = take(continuation) else {
                // A busy server still has the remaining bytes, and reports when to request them, as for a download.
                guard continuation.mayBeTemporary else { throw first }
                (error, timing) = (first, continuation.timing)
                continue
            }
            guard state.withLock(\.isCancelled) else { return }
            body.cancel()
            throw CancellationError()
        }
    }

    /// Waits, and requests the remaining bytes; `nil` if there must be no more requests.
    private func continuation(_ timing: ServerTiming?) async throws -> Continuation? {
        let (received, number, memory) = state.withLock { ($0.received, $0.number, $0.memory) }
        let decision = decide(memory.retries + 1, timing)
        state.withLock { ($0.decision, $0.isTimed) = (decision, timing != nil) }
        guard let decision else { return nil }
        call.record.note(decision, of: number)
        guard decision.delay != nil else { return nil }
        let range = RangeRequest(start: received, isRanged: true, known: known)
        call.record.close(number, at: clock.moment)
        try await pause(decision, range)
        let counted = state.withLock { state in
            state.memory.countRetry()
            return state.memory
        }
        return try await reopen(range, counted)
    }

    /// Continues with the remaining bytes, if the response contains them.
    private func take(_ continuation: Continuation) -> ResponseBody? {
        state.withLock { state in
            state.number = continuation.number
            state.memory.takeChallenges(of: continuation.memory)
            state.isResumed = true
            if let body = continuation.body { (state.body, state.isBroken) = (body, false) }
            return continuation.body
        }
    }
}

// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Synchronization

/// A body that is resumed if it breaks off, provided that the server still has the same state.
///
/// It asks for other bytes, not for the same again.
final class ResumingBody: ResponseBodySource {
    /// Shorter bodies are not worth resuming.
    static let shortest: Int64 = 65_536

    /// The response to a request for the rest.
    struct Rest: Sendable {
        let exchanges: CallExchanges
        let status: HTTPResponse.Status
        /// Whether a response without the rest is of a server that may have it later.
        let mayPass: Bool
        /// When a busy server asks to come again; `nil` if it says nothing of it.
        let timing: ServerTiming?
        /// `nil` if the response doesn't contain the rest.
        let body: ResponseBody?
    }

    private struct State {
        var body: ResponseBody
        var received: Int64 = 0
        var exchanges: CallExchanges
        /// Whether a rest was asked for.
        var isMended = false
        var isCancelled = false
        /// What was decided last: how the body goes on, or why it doesn't.
        var decision: RetryDecision?
        /// Whether the server had said when to come again.
        var isTold = false
        /// What waits for the rest; `nil` while bytes are read.
        var reopening: Task<Void, any Error>?
    }

    private let state: Mutex<State>
    private let known: RemoteState
    private let decide: @Sendable (Int, ServerTiming?) -> RetryDecision?
    private let pause: @Sendable (RetryDecision, RangeQuestion) async throws -> Void
    private let reopen: @Sendable (RangeQuestion, CallHistory) async throws -> Rest
    /// The call's history when its response arrived.
    private let firstHistory: CallHistory
    private let started: Moment
    private let clock: any RequestClock

    /// Makes it.
    ///
    /// - Parameters:
    ///   - body: The body.
    ///   - known: The state that it is from.
    ///   - exchanges: The call's exchanges up to its response.
    ///   - started: When the call began.
    ///   - clock: The call's clock.
    ///   - decide: Whether the call's retry with a number, from 1, asks for the rest, by the server's own wait if it told one.
    ///   - pause: Says what was decided, and waits before it.
    ///   - reopen: Requests the rest, after the call's history.
    init(
        _ body: ResponseBody,
        of known: RemoteState,
        after exchanges: CallExchanges,
        since started: Moment,
        on clock: any RequestClock,
        decide: @escaping @Sendable (Int, ServerTiming?) -> RetryDecision?,
        pause: @escaping @Sendable (RetryDecision, RangeQuestion) async throws -> Void,
        reopen: @escaping @Sendable (RangeQuestion, CallHistory) async throws -> Rest
    ) {
        state = Mutex(State(body: body, exchanges: exchanges))
        self.known = known
        self.decide = decide
        self.pause = pause
        self.reopen = reopen
        firstHistory = exchanges.history
        self.started = started
        self.clock = clock
    }

    /// The call's exchanges so far.
    var exchanges: CallExchanges { state.withLock(\.exchanges) }

    /// Why no rest was asked for after the last break, and whether the server had said when to come again; `nil` if one
    /// was, or if nobody was asked.
    var refusal: (decision: RetryDecision, isTold: Bool)? {
        state.withLock { state in
            guard let decision = state.decision, decision.obstacle != nil else { return nil }
            return (decision, state.isTold)
        }
    }

    func next() async throws -> ResponseBodyElement {
        while true {
            let body = state.withLock(\.body)
            do {
                let chunk = try await body.next()
                let count = Int64(chunk?.count ?? 0)
                let isMended = state.withLock { state in
                    state.received += count
                    return state.isMended
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
            state.reopening?.cancel()
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

    /// Replaces the body with its rest, in a task that ``cancel()`` ends.
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

    /// Asks for the rest; throws the error if none is available.
    private func reopened(after first: any Error) async throws {
        var (error, ended) = (first, clock.moment)
        end(with: error, at: ended, isOnlyNews: true)
        // A wrong use of the body would only be repeated.
        guard let failure = error as? TransportFailure, failure.kind != .invalidUse,
            CumulusError(failure, stage: .delivery, request: nil).isBreak()
        else { throw error }
        var timing: ServerTiming?
        while true {
            guard state.withLock(\.received) > 0 else { throw error }
            let rest: Rest
            do {
                guard let answer = try await asked(after: error, at: ended, timing) else { throw error }
                rest = answer
            } catch let failure as RestFailure {
                guard failure.wasSent, let problem = failure.error as? CumulusError, problem.isBreak() else {
                    throw failure.error
                }
                (error, ended, timing) = (problem, clock.moment, nil)
                continue
            }
            guard let body = take(rest) else {
                // A busy server still has the rest; as for a download, it says when.
                guard rest.mayPass else { throw first }
                (error, ended, timing) = (first, clock.moment, rest.timing)
                continue
            }
            guard state.withLock(\.isCancelled) else { return }
            body.cancel()
            throw CancellationError()
        }
    }

    /// Waits, asks for the rest, and records that; `nil` if there must be no more requests.
    private func asked(after error: any Error, at ended: Moment, _ timing: ServerTiming?) async throws -> Rest? {
        let (received, broken) = state.withLock { ($0.received, $0.exchanges) }
        var history = broken.history
        do {
            let decision = decide(history.retryCount + 1, timing)
            state.withLock { ($0.decision, $0.isTold) = (decision, timing != nil) }
            guard let decision, decision.delay != nil else { return nil }
            let question = RangeQuestion(start: received, isRanged: true, known: known)
            try await pause(decision, question)
            history.note(decision)
            let outcome = AttemptRecord.Outcome.failed(described(error))
            history.add(outcome, of: broken.request, at: ended, started, after: broken.earlier, then: .resume)
            history.restoreRedirects(of: firstHistory)
            history.begin(at: clock.moment)
            return try await reopen(question, history)
        } catch let failure as RestFailure
            where failure.wasSent || failure.exchanges.history.count > history.count
        {
            state.withLock { $0.exchanges = failure.exchanges }
            end(with: failure.error, at: clock.moment)
            throw failure
        } catch let refusal {
            // Nothing was sent: the exchange that broke off was the last one.
            end(with: error, at: ended)
            throw refusal
        }
    }

    /// Goes on with the rest, if the response has it, and records it.
    private func take(_ rest: Rest) -> ResponseBody? {
        var exchanges = rest.exchanges
        exchanges.history.restoreRedirects(of: firstHistory)
        exchanges.history.end(with: .answered(rest.status), at: clock.moment)
        return state.withLock { state in
            state.exchanges = exchanges
            state.isMended = true
            if let body = rest.body { state.body = body }
            return rest.body
        }
    }

    /// Records how the present exchange has ended; `isOnlyNews` for what the call's own error says as well.
    private func end(with error: any Error, at now: Moment, isOnlyNews: Bool = false) {
        let outcome = AttemptRecord.Outcome.failed(described(error))
        state.withLock { state in
            if isOnlyNews, state.exchanges.history.isEmpty { return }
            state.exchanges.history.end(with: outcome, at: now)
        }
    }

    private func described(_ error: any Error) -> any Error {
        Stage.describe(error, .delivery, .transport, request: exchanges.request)
    }
}

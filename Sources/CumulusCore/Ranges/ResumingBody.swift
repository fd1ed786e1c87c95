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
        /// The exchanges of its attempt before the last one.
        let earlier: EarlierExchanges
        let status: HTTPResponse.Status
        /// `nil` if the response doesn't contain the rest.
        let body: ResponseBody?
    }

    private struct State {
        var body: ResponseBody
        var received: Int64 = 0
        var failures = 0
        var breaks = EarlierExchanges()
        var isCancelled = false
        /// What waits for the rest; `nil` while bytes are read.
        var reopening: Task<Void, any Error>?
    }

    private let state: Mutex<State>
    private let known: RemoteState
    private let pause: @Sendable (Int) async throws -> Bool
    private let reopen: @Sendable (RangeQuestion) async throws -> Rest
    private let request: EncodedRequest
    private let clock: any RequestClock

    /// Makes it.
    ///
    /// - Parameters:
    ///   - body: The body.
    ///   - known: The state that it is from.
    ///   - request: The request that it answers, for the record.
    ///   - clock: The call's clock.
    ///   - pause: Waits before the attempt with a number, from 1; false if there must be none.
    ///   - reopen: Requests the rest.
    init(
        _ body: ResponseBody,
        of known: RemoteState,
        to request: EncodedRequest,
        on clock: any RequestClock,
        pause: @escaping @Sendable (Int) async throws -> Bool,
        reopen: @escaping @Sendable (RangeQuestion) async throws -> Rest
    ) {
        state = Mutex(State(body: body))
        self.known = known
        self.pause = pause
        self.reopen = reopen
        self.request = request
        self.clock = clock
    }

    /// The exchanges that broke off, each followed by a request for the rest.
    var breaks: EarlierExchanges { state.withLock(\.breaks) }

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

    /// Records that an exchange broke off, or that the one for the rest failed, and that the rest was requested.
    private func note(_ error: any Error, at ended: Moment, next began: Moment) {
        let failure =
            (error as? TransportFailure).map { CumulusError($0, stage: .delivery, request: request) as any Error }
            ?? error
        let exchange = EarlierExchange(outcome: .failed(failure), ended: ended, nextBegan: began, next: .resume)
        state.withLock { $0.breaks.append(exchange) }
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
            let (question, began) = (RangeQuestion(start: received, isRanged: true, known: known), clock.moment)
            let rest: Rest
            do {
                rest = try await reopen(question)
            } catch let problem as CumulusError {
                // What a hook has refused was never sent.
                if problem.stage == .transmission { note(error, at: ended, next: began) }
                guard problem.isBreak else { throw problem }
                (error, ended) = (problem, clock.moment)
                continue
            }
            note(error, at: ended, next: began)
            guard let body = take(rest) else { throw first }
            guard state.withLock(\.isCancelled) else { return }
            body.cancel()
            throw CancellationError()
        }
    }

    /// Goes on with the rest, if the response has it, and records it.
    private func take(_ rest: Rest) -> ResponseBody? {
        state.withLock { state in
            state.breaks.append(rest.earlier)
            let isRefused = rest.body == nil
            state.breaks.rest = .init(status: rest.status, answered: clock.moment, isRefused: isRefused)
            if let body = rest.body { state.body = body }
            return rest.body
        }
    }
}

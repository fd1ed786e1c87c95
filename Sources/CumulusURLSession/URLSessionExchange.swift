// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import Foundation
import HTTPTypes
import Synchronization

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Drives one exchange: performs its state machine's actions, between URLSession's callbacks and the caller.
final class URLSessionExchange: Sendable {
    private struct State {
        var machine: ExchangeStateMachine
        var task: URLSessionTask?
        var head: ResponseHead?
        var expectedLength: Int64?
        var sender: CheckedContinuation<Void, any Error>?
        var reader: CheckedContinuation<ResponseBodyElement, any Error>?
        var watch: Task<Void, Never>?
        var lastActivity: ContinuousClock.Instant
        /// When bytes were last sent, as far as the session reports.
        var lastSent: ContinuousClock.Instant
        var rateWatch: RateWatch?
        var facts = ExchangeFacts()
    }

    let request: TransportRequest
    private let started: ContinuousClock.Instant
    private let spool: UploadSpool?
    private let state: Mutex<State>

    init(_ request: TransportRequest, spool: UploadSpool?, started: ContinuousClock.Instant, unreadLimit: Int) {
        self.request = request
        self.spool = spool
        self.started = started
        let machine = ExchangeStateMachine(highWatermark: 1024 * 1024, unreadLimit: unreadLimit)
        let rateWatch = RateWatch(request.deadlines.minimumRate)
        let now = request.clock.now
        state = Mutex(State(machine: machine, lastActivity: now, lastSent: now, rateWatch: rateWatch))
    }

    /// Starts the task and waits for the head.
    func run(_ task: URLSessionTask) async throws -> TransportResponse {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                state.withLock { state in
                    state.task = task
                    state.sender = continuation
                }
                // The cancellation may have happened before there was a task to cancel.
                if Task.isCancelled { return fail(CancellationError()) }
                watchDeadlines()
                task.resume()
            }
        } onCancel: {
            fail(CancellationError())
        }
        let (head, length) = state.withLock { ($0.head, $0.expectedLength) }
        guard let head else { throw TransportFailure(.other, "there is no head", fate: .unknown) }
        return TransportResponse(head: head, body: ResponseBody(expectedLength: length, source: BodySource(self)))
    }

    /// The session delivered a response.
    func received(_ response: URLResponse) {
        guard let response = response as? HTTPURLResponse else {
            return fail(TransportFailure(.malformedResponse, "the response is not valid HTTP", fate: .unknown))
        }
        let fields = HTTPFields(response)
        let status = HTTPResponse.Status(code: response.statusCode)
        if status.kind == .informational, status.code != 101 {
            // The session only delivers these on Linux.
            request.onInformational?(HTTPResponse(status: status, headerFields: fields))
            // Counts as activity only if the wait for the head has its own limit.
            if request.deadlines.response != nil { apply { _ in [] } }
            return
        }
        apply { state in
            state.head = ResponseHead(status: status, headers: fields)
            state.expectedLength = expectedLength(response, fields)
            state.facts.phases.firstByte = started.duration(to: request.clock.now)
            return state.machine.head()
        }
    }

    /// The session delivered bytes.
    func received(_ data: Data) {
        apply { state in
            state.facts.bytesReceived += Int64(data.count)
            return state.machine.data(data)
        }
    }

    /// The session sent bytes.
    func sent(_ total: Int64) {
        apply { state in
            state.facts.bytesSent = total
            state.lastSent = state.lastActivity
            return []
        }
    }

    /// The session's task ended.
    func completed(_ error: (any Error)?) {
        apply { state in
            let failure = error.map { TransportFailure(session: $0, hasHead: state.head != nil) }
            return state.machine.completed(failure)
        }
    }

    /// The server asked for credentials.
    func challenged() -> ExchangeStateMachine.Challenge {
        var answer = ExchangeStateMachine.Challenge.withoutCredentials
        apply { state in
            let (challenge, actions) = state.machine.challenged()
            answer = challenge
            return actions
        }
        return answer
    }

    /// Ends the exchange with an error for the waiting caller.
    func fail(_ error: any Error) {
        apply { $0.machine.fail(error) }
    }

    /// The next element of the body.
    fileprivate func next() async throws -> ResponseBodyElement {
        try await withTaskCancellationHandler {
            try Task.checkCancellation()
            return try await withCheckedThrowingContinuation { continuation in
                apply { state in
                    state.reader = continuation
                    return Task.isCancelled ? state.machine.fail(CancellationError()) : state.machine.read()
                }
            }
        } onCancel: {
            fail(CancellationError())
        }
    }

    private func expectedLength(_ response: HTTPURLResponse, _ fields: HTTPFields) -> Int64? {
        if request.method == .head || response.statusCode == 204 || response.statusCode == 304 { return 0 }
        // The session decodes content, so the announced length of a coded body is not the length of the decoded one.
        guard fields[.contentEncoding] == nil, response.expectedContentLength >= 0 else { return nil }
        return fields[.contentLength] == nil ? nil : response.expectedContentLength
    }

    /// Passes an event to the machine under the lock, and performs its actions outside it.
    private func apply(_ event: (inout State) -> [ExchangeStateMachine.Action]) {
        var sender: CheckedContinuation<Void, any Error>?
        var reader: CheckedContinuation<ResponseBodyElement, any Error>?
        let (actions, task, watch, end) = state.withLock { state in
            state.lastActivity = request.clock.now
            let actions = event(&state)
            for action in actions {
                switch action {
                case .deliverHead, .failHead:
                    sender = state.sender
                    state.sender = nil
                case .deliver, .deliverEnd, .failRead:
                    reader = state.reader
                    state.reader = nil
                default: break
                }
            }
            var facts = state.facts
            facts.phases.lastByte = started.duration(to: state.lastActivity)
            return (actions, state.task, state.watch, ExchangeEnd(facts: facts))
        }
        for action in actions {
            switch action {
            case .deliverHead: sender?.resume()
            case .failHead(let error): sender?.resume(throwing: error)
            case .deliver(let data): reader?.resume(returning: .bytes(ByteChunk(data)))
            case .deliverEnd: reader?.resume(returning: .end(end))
            case .failRead(let error): reader?.resume(throwing: error)
            case .holdBack: Self.holdBack(task)
            case .letGo: Self.letGo(task)
            case .cancelTask: task?.cancel()
            case .cleanUp:
                watch?.cancel()
                spool?.remove()
            }
        }
    }

    // Suspending holds the peer back on Apple's systems; on Linux it would send the request a second time.
    private static func holdBack(_ task: URLSessionTask?) {
        #if canImport(Darwin)
        task?.suspend()
        #endif
    }

    private static func letGo(_ task: URLSessionTask?) {
        #if canImport(Darwin)
        task?.resume()
        #endif
    }
}

extension URLSessionExchange {
    /// Waits for the next deadline on the request's clock, in one task per exchange, which ends with it.
    private func watchDeadlines() {
        let deadlines = request.deadlines
        let isTimed = deadlines.idle != nil || deadlines.total != nil || deadlines.response != nil
        guard isTimed || state.withLock({ $0.rateWatch != nil }) else { return }
        let watch = Task { [weak self, clock = request.clock] in
            while let wake = self?.nextDeadline() {
                guard (try? await clock.sleep(until: wake)) != nil else { return }
                self?.failIfLate()
            }
        }
        let isOver = state.withLock { state in
            state.watch = watch
            return state.machine.isOver
        }
        if isOver { watch.cancel() }
    }

    /// The time of the next check; `nil` if nothing is awaited any more.
    private func nextDeadline() -> ContinuousClock.Instant? {
        state.withLock { state in
            if state.machine.isOver { return nil }
            let deadlines = request.deadlines
            // While nobody waits for the peer, its silence doesn't count, but it may count again later.
            let silence = state.machine.awaitedPhase == nil ? request.clock.now : state.lastActivity
            // Checked each second, so that a pause of the reader is noticed.
            let rate = state.rateWatch == nil ? nil : request.clock.now.advanced(by: .seconds(1))
            let head = state.machine.awaitedPhase == .response ? deadlines.response : nil
            return [
                deadlines.idle.map { silence.advanced(by: $0) }, head.map { state.lastSent.advanced(by: $0) },
                deadlines.total, rate,
            ].compactMap { $0 }.min()
        }
    }

    private func failIfLate() {
        let now = request.clock.now
        let (phase, lastActivity, lastSent, slow) = state.withLock { state in
            let phase = state.machine.awaitedPhase
            // The session doesn't report on all systems when bytes have been sent.
            let isReading = phase == .idle
            let count = state.facts.bytesReceived
            let isSlow = state.rateWatch?.isTooSlow(count, isWaitingForPeer: isReading, at: Moment(now))
            return (phase, state.lastActivity, state.lastSent, isSlow == true ? state.rateWatch?.minimum : nil)
        }
        guard let phase else { return }
        if let total = request.deadlines.total, now >= total {
            return fail(timeout(.total, "the call", limit: started.duration(to: total)))
        }
        if let slow { return fail(timeout(.rate, "a server that sent less than \(slow)", limit: slow.period)) }
        if phase == .response, let limit = request.deadlines.response, now >= lastSent.advanced(by: limit) {
            let elapsed = lastSent.duration(to: now)
            return fail(
                timeout(.response, "waiting for the response of \(request.origin)", limit: limit, elapsed: elapsed)
            )
        }
        guard let idle = request.deadlines.idle, now >= lastActivity.advanced(by: idle) else { return }
        let elapsed = lastActivity.duration(to: now)
        let subject = phase == .response ? "waiting for the response of" : "waiting for more bytes from"
        fail(timeout(phase, "\(subject) \(request.origin)", limit: idle, elapsed: elapsed))
    }

    private func timeout(
        _ phase: TransportFailure.Phase,
        _ subject: String,
        limit: Duration,
        elapsed: Duration? = nil
    ) -> TransportFailure {
        .timeout(
            phase,
            subject,
            limit: limit,
            elapsed: elapsed ?? started.duration(to: request.clock.now),
            fate: .unknown
        )
    }

    /// The body's side of the exchange: the session's delegate keeps the exchange; dropping this ends it.
    private final class BodySource: ResponseBodySource {
        private let exchange: URLSessionExchange

        init(_ exchange: URLSessionExchange) { self.exchange = exchange }

        func next() async throws -> ResponseBodyElement { try await exchange.next() }

        func cancel() { exchange.fail(CancellationError()) }
    }
}

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
        var task: (any ExchangeTask)?
        var head: ResponseHead?
        var expectedLength: Int64?
        var sender: CheckedContinuation<Void, any Error>?
        var reader: CheckedContinuation<ResponseBodyElement, any Error>?
        var watch: Task<Void, Never>?
        /// Produces the body, if the session takes it while it is produced.
        var producer: Task<Void, Never>?
        var deadlines: DeadlineWatch
        var rateWatch: RateWatch?
        /// Whether something of the request was sent; `nil` if the session doesn't report that.
        var hasSentSomething: Bool?
        /// The reason for which the server was refused, before the session ends the task.
        var serverRefusal: String?
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
        let deadlines = DeadlineWatch(request.deadlines, at: request.clock.now)
        state = Mutex(State(machine: machine, deadlines: deadlines, rateWatch: rateWatch))
    }

    /// Starts the task and waits for the head.
    func run(_ task: some ExchangeTask) async throws -> TransportResponse {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                apply { state in
                    state.task = task
                    state.sender = continuation
                    // The cancellation may have happened before there was a task to cancel.
                    return Task.isCancelled ? state.machine.fail(CancellationError()) : state.machine.start()
                }
                watchDeadlines()
            }
        } onCancel: {
            fail(CancellationError())
        }
        let (head, length) = state.withLock { ($0.head, $0.expectedLength) }
        guard let head else { throw TransportFailure(.other, "the response has no head", fate: .unknown) }
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
            state.deadlines.noteSending()
            return []
        }
    }

    /// The session waits for a network instead of failing, as its configuration demands.
    func waitsForConnectivity() {
        apply { state in
            state.deadlines.noteMissingNetwork()
            return []
        }
    }

    /// The session measured its transactions: one, and more if it has repeated the request itself.
    func measured(_ records: [TransactionRecord]) {
        apply { state in
            if let last = records.last { state.facts.add(last) }
            if !records.isEmpty { state.hasSentSomething = records.contains { $0.requestStart != nil } }
            return []
        }
    }

    /// The server's certificate, or its key, is not accepted; the session ends the task.
    func refuseServer(_ reason: String) {
        apply { state in
            state.serverRefusal = reason
            return []
        }
    }

    /// The session's task ended.
    func completed(_ error: (any Error)?) {
        apply { state in
            let hasSent = state.facts.bytesSent > 0 ? true : state.hasSentSomething
            let failure = error.map { error in
                state.serverRefusal.map { TransportFailure(refused: request.origin, $0, hasSent: hasSent) }
                    ?? TransportFailure(session: error, hasHead: state.head != nil, hasSent: hasSent)
            }
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

    /// Starts a task that produces the body, in place of one that is no longer needed.
    ///
    /// - Returns: False if the exchange has ended, or if its body can't be produced again.
    func startProducer(_ produce: @escaping @Sendable () async -> Void) -> Bool {
        state.withLock { state in
            guard !state.machine.isOver, state.producer == nil || request.body.isReplayable else { return false }
            state.producer?.cancel()
            state.producer = Task { await produce() }
            return true
        }
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

    /// Passes an event to the machine, controls the task under the lock, and resumes continuations outside it.
    private func apply(_ event: (inout State) -> [ExchangeStateMachine.Action]) {
        var sender: CheckedContinuation<Void, any Error>?
        var reader: CheckedContinuation<ResponseBodyElement, any Error>?
        let (actions, watch, producer, end) = state.withLock { state in
            let now = request.clock.now
            state.deadlines.noteActivity(at: now)
            let actions = event(&state)
            for action in actions {
                switch action {
                case .startTask: state.task?.resume()
                case .holdBack: state.task?.holdBack()
                case .letGo: state.task?.letGo()
                case .cancelTask: state.task?.cancel()
                case .deliverHead, .failHead:
                    sender = state.sender
                    state.sender = nil
                case .deliver, .deliverEnd, .failRead:
                    reader = state.reader
                    state.reader = nil
                case .cleanUp: break
                }
            }
            var facts = state.facts
            facts.phases.lastByte = started.duration(to: now)
            return (actions, state.watch, state.producer, ExchangeEnd(facts: facts))
        }
        for action in actions {
            switch action {
            case .deliverHead: sender?.resume()
            case .failHead(let error): sender?.resume(throwing: error)
            case .deliver(let data): reader?.resume(returning: .bytes(ByteChunk(data)))
            case .deliverEnd: reader?.resume(returning: .end(end))
            case .failRead(let error): reader?.resume(throwing: error)
            case .startTask, .holdBack, .letGo, .cancelTask: break
            case .cleanUp:
                watch?.cancel()
                producer?.cancel()
                spool?.remove()
            }
        }
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
                self?.failIfLate(planned: wake)
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
            let now = request.clock.now
            let deadline = state.deadlines.next(awaiting: state.machine.awaitedPhase, at: now)
            // Checked each second, so that a pause of the reader is noticed.
            let rate = state.rateWatch == nil ? nil : now.advanced(by: .seconds(1))
            return [deadline, rate].compactMap { $0 }.min()
        }
    }

    private func failIfLate(planned: ContinuousClock.Instant) {
        let now = request.clock.now
        let (phase, excess, slow) = state.withLock { state in
            state.deadlines.wake(at: now, planned: planned)
            let phase = state.machine.awaitedPhase
            // The session doesn't report on all systems when bytes have been sent.
            let isReading = phase == .idle
            let count = state.facts.bytesReceived
            let isSlow = state.rateWatch?.isTooSlow(count, isWaitingForPeer: isReading, at: Moment(now))
            let excess = phase.flatMap { state.deadlines.excess(awaiting: $0, at: now) }
            return (phase, excess, isSlow == true ? state.rateWatch?.minimum : nil)
        }
        guard let phase else { return }
        if let slow, excess != .total {
            return fail(
                TransportFailure(
                    .timeout(.rate),
                    "the transfer with \(request.origin) was slower than \(slow)",
                    fate: .unknown,
                    limit: slow.period,
                    elapsed: started.duration(to: request.clock.now)
                )
            )
        }
        let deadlines = request.deadlines
        switch excess {
        case .total:
            fail(timeout(.total, "the call", limit: deadlines.total.map { started.duration(to: $0) }))
        case .response(let elapsed):
            let subject = "waiting for the response of \(request.origin)"
            fail(timeout(.response, subject, limit: deadlines.response, elapsed: elapsed))
        case .idle(let elapsed):
            let subject = phase == .response ? "waiting for the response of" : "waiting for more bytes from"
            fail(timeout(phase, "\(subject) \(request.origin)", limit: deadlines.idle, elapsed: elapsed))
        case nil: break
        }
    }

    private func timeout(
        _ phase: TransportFailure.Phase,
        _ subject: String,
        limit: Duration?,
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

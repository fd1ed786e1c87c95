// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Synchronization

/// One call's events on their way to those who observe it; there is none if nobody does.
final class CallObservation: Sendable {
    private struct State {
        var attempts = 0
        var status: HTTPResponse.Status?
        var bodySize: Int64?
        var isStreaming = false
        var hasEnded = false
    }

    /// Whether bodies are to be counted.
    let observesProgress: Bool
    private let draft: RequestDraft
    private let observers: [any CallObserver]
    private let clock: any RequestClock
    private let started: Moment
    private let state = Mutex(State())

    init(_ observers: CallObservers, of draft: RequestDraft, since started: Moment, on clock: any RequestClock) {
        self.draft = draft
        self.observers = observers.all
        observesProgress = observers.observesProgress
        self.clock = clock
        self.started = started
    }

    /// Tells it, unless the call is over: an exchange goes on for those who joined it when its own caller has left.
    func tell(_ kind: CallEvent.Kind) {
        if !state.withLock(\.hasEnded) { send(kind) }
    }

    private func send(_ kind: CallEvent.Kind) {
        let event = CallEvent(draft: draft, elapsed: clock.moment - started, kind: kind)
        for observer in observers { observer.observe(event) }
    }

    /// An attempt goes to the transport.
    func sending(_ request: EncodedRequest) {
        let attempt = state.withLock { state in
            state.attempts += 1
            return state.attempts
        }
        tell(.sending(request, attempt: attempt))
    }

    /// A head has come; the same answer, which tells when its body has ended.
    func answered(_ answer: TransportResponse) -> TransportResponse {
        state.withLock { $0.status = answer.head.status }
        tell(.answered(answer.head))
        let body = ObservedBody(answer.body, self)
        return TransportResponse(
            head: answer.head,
            body: ResponseBody(expectedLength: answer.body.expectedLength, source: body)
        )
    }

    /// The answer is in memory.
    func delivered(_ response: Response) {
        state.withLock { state in
            state.status = response.status
            state.bodySize = Int64(response.bytes.count)
        }
        tell(.delivered(response))
    }

    /// The answer of an exchange that may be another call's, whose events told it there only.
    func joined(_ response: Response) {
        if state.withLock({ $0.bodySize == nil }) { delivered(response) }
    }

    /// So many bytes of the answer's body are in a file.
    func stored(_ count: Int64) { state.withLock { $0.bodySize = count } }

    /// The body is left to its reader.
    func streaming(_ head: ResponseHead) {
        state.withLock { $0.isStreaming = true }
        tell(.streaming(head))
    }

    /// The reader has got more of it.
    func read(_ count: Int) { state.withLock { $0.bodySize = ($0.bodySize ?? 0) + Int64(count) } }

    /// The call is over; the first word counts.
    func end(with error: (any Error)? = nil) {
        let outcome = state.withLock { state -> CallEvent.Outcome? in
            defer { state.hasEnded = true }
            return state.hasEnded ? nil : CallObservation.outcome(state, error)
        }
        if let outcome { send(.ended(outcome)) }
    }

    private static func outcome(_ state: State, _ error: (any Error)?) -> CallEvent.Outcome {
        if let error { return error is CancellationError ? .cancelled : .failed(error) }
        let status = state.status ?? .ok
        return state.isStreaming
            ? .streamed(status, bytesRead: state.bodySize ?? 0) : .finished(status, bodySize: state.bodySize)
    }
}

/// Who is told of a place's calls.
struct CallObservers: Sendable {
    let all: [any CallObserver]
    let observesProgress: Bool

    /// `nil` if nobody is.
    init?(_ settings: SettingValues) {
        var all: [any CallObserver] = []
        if let log = CallLog(settings) { all.append(log) }
        all += settings.value(ObserversKey.self)
        all += settings.value(ProgressObserversKey.self).map { ProgressListener(tell: $0) }
        if all.isEmpty { return nil }
        self.all = all
        observesProgress = all.contains(where: \.observesProgress)
    }
}

/// A progress observer among the observers of calls.
private struct ProgressListener: CallObserver {
    let tell: ProgressObserver

    var observesProgress: Bool { true }

    func observe(_ event: CallEvent) { if case .progressed(let progress) = event.kind { tell(progress) } }
}

/// A response's body whose end is told.
private final class ObservedBody: ResponseBodySource {
    private let body: ResponseBody
    private let observation: CallObservation

    init(_ body: ResponseBody, _ observation: CallObservation) {
        self.body = body
        self.observation = observation
    }

    func next() async throws -> ResponseBodyElement {
        if let chunk = try await body.next() { return .bytes(chunk) }
        let end = body.end ?? ExchangeEnd()
        observation.tell(.exchanged(end.facts))
        return .end(end)
    }

    func cancel() { body.cancel() }
}

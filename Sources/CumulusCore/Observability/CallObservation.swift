// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Synchronization

/// Passes one call's events to its observers; there is none without observers.
final class CallObservation: Sendable {
    private struct State {
        var attempts = 0
        var status: HTTPResponse.Status?
        var bodySize: Int64?
        var isStreaming = false
        var hasEnded = false
    }

    /// Which events are wanted: bodies are counted, and their bytes passed on, only for those who ask.
    let kinds: CallEvent.Kinds
    let draft: RequestDraft
    private let observers: [CallObserver]
    private let log: CallLog?
    private let clock: any RequestClock
    private let started: Moment
    private let state = Mutex(State())

    init(_ observers: CallObservers, of draft: RequestDraft, since started: Moment, on clock: any RequestClock) {
        self.draft = draft
        self.observers = observers.all
        log = observers.log
        kinds = observers.kinds
        self.clock = clock
        self.started = started
    }

    /// Reports an event, unless the call is over: an exchange continues for the calls that joined it after its own has
    /// ended.
    func tell(_ kind: CallEvent.Kind) {
        let (attempt, hasEnded) = state.withLock { ($0.attempts, $0.hasEnded) }
        if !hasEnded { send(kind, attempt) }
    }

    private func send(_ kind: CallEvent.Kind, _ attempt: Int) {
        guard kinds.contains(kind.kinds) else { return }
        let event = CallEvent(draft: draft, attempt: attempt, elapsed: clock.moment - started, kind: kind)
        for observer in observers where observer.kinds.contains(kind.kinds) { observer.observe(event) }
    }

    /// An attempt is passed to the transport.
    func sending(_ request: EncodedRequest) {
        state.withLock { $0.attempts += 1 }
        if kinds.contains(.exchanges) { tell(.sending(request)) }
    }

    /// A response was received to its end; the request body's last event comes before that.
    fileprivate func received(_ facts: ExchangeFacts, to sending: SendingReport?) async {
        if let sending, !facts.isBodyCut { await sending.finishIfWhole() }
        tell(.exchanged(facts))
    }

    /// An exchange has ended, and another one of the same attempt follows.
    func ended(_ outcome: AttemptRecord.Outcome, _ head: ResponseHead?) {
        switch outcome {
        case .responded: if let head { tell(.responded(head)) }
        case .failed(let error): tell(.failed(error))
        }
    }

    /// Reports that a head has arrived.
    ///
    /// - Parameters:
    ///   - answer: The response.
    ///   - sending: The reports of the request's body.
    /// - Returns: The same response, with a body that reports its end.
    func responded(_ answer: TransportResponse, to sending: SendingReport.Latest? = nil) -> TransportResponse {
        // The rest of a stream's body has another status.
        state.withLock { if !$0.isStreaming { $0.status = answer.head.status } }
        // No observer receives the end of the body.
        if kinds.isDisjoint(with: [.exchanges, .progress, .bytes]) { return answer }
        tell(.responded(answer.head))
        let body = answer.body.wrapped(by: ObservedBody(answer.body, self, to: sending))
        return TransportResponse(head: answer.head, body: body)
    }

    /// An attempt has failed.
    func failed(_ error: any Error) {
        tell(.failed(error))
    }

    /// The cookie jar has dropped cookies because of its limits.
    func dropped(cookies count: Int) { log?.note(droppedCookies: count, of: draft) }

    /// The response is in memory.
    func delivered(_ response: Response) {
        state.withLock { state in
            state.status = response.status
            state.bodySize = Int64(response.bytes.count)
        }
        tell(.delivered(response))
    }

    /// The response of an exchange that may be another call's, which got its events.
    func joined(_ response: Response) {
        if state.withLock({ $0.bodySize == nil }) { delivered(response) }
    }

    /// This many bytes of the response's body are in a file.
    func stored(_ count: Int64) { state.withLock { $0.bodySize = count } }

    /// The body is passed to its reader.
    func streaming(_ head: ResponseHead) {
        state.withLock { $0.isStreaming = true }
        tell(.streaming(head))
    }

    /// The reader has read more of the body.
    func read(_ count: Int) { state.withLock { $0.bodySize = ($0.bodySize ?? 0) + Int64(count) } }

    /// The call is over; the first reported end counts.
    func end(with error: (any Error)? = nil) {
        let end = state.withLock { state -> (outcome: CallEvent.Outcome, attempt: Int)? in
            defer { state.hasEnded = true }
            return state.hasEnded ? nil : (CallObservation.outcome(state, error), state.attempts)
        }
        if let end { send(.ended(end.outcome), end.attempt) }
    }

    private static func outcome(_ state: State, _ error: (any Error)?) -> CallEvent.Outcome {
        if let error { return error is CancellationError ? .cancelled : .failed(error) }
        let status = state.status ?? .ok
        return state.isStreaming
            ? .streamed(status, bytesRead: state.bodySize ?? 0) : .finished(status, bodySize: state.bodySize)
    }
}

/// The observers of a place's calls.
struct CallObservers: Sendable {
    let all: [CallObserver]
    let kinds: CallEvent.Kinds
    /// The one among them that writes to the log.
    let log: CallLog?

    /// `nil` if there are none.
    init?(_ settings: SettingValues) {
        var all: [CallObserver] = []
        let log = CallLog(settings)
        if let log { all.append(CallObserver(log.observe)) }
        all += settings.value(ObserversKey.self)
        if all.isEmpty { return nil }
        self.all = all
        self.log = log
        kinds = CallEvent.Kinds(all.map(\.kinds))
    }

    private init(_ all: [CallObserver], log: CallLog?) {
        self.all = all
        self.log = log
        kinds = CallEvent.Kinds(all.map(\.kinds))
    }

    /// The observers from the settings, and that of a call's progress; `nil` if there are none.
    static func all(_ observers: CallObservers?, and progress: (@Sendable (TransferProgress) -> Void)?)
        -> CallObservers?
    {
        guard let progress else { return observers }
        return CallObservers((observers?.all ?? []) + [.progress(progress)], log: observers?.log)
    }
}

/// A response's body that reports its end.
private final class ObservedBody: ResponseBodySource {
    private let body: ResponseBody
    private let observation: CallObservation
    private let sending: SendingReport.Latest?

    init(_ body: ResponseBody, _ observation: CallObservation, to sending: SendingReport.Latest?) {
        self.body = body
        self.observation = observation
        self.sending = sending
    }

    func next() async throws -> ResponseBodyElement {
        if let chunk = try await body.next() {
            if observation.kinds.contains(.bytes) { observation.tell(.received(chunk)) }
            return .bytes(chunk)
        }
        let end = body.end ?? ExchangeEnd()
        await observation.received(end.facts, to: sending?.take())
        return .end(end)
    }

    func cancel() { body.cancel() }
}

// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Synchronization

/// Stage 3, encoded request -> response: the loop of attempts, one more for each redirect.
final class Exchange: Sendable {
    let limit: Limit
    let interception: Interception
    let authorization: Authorization
    let transmission: Transmission
    let verdict: Verdict
    let contentDecoding: ContentDecoding
    let delivery: Delivery
    private let progress: ProgressReporting
    private let coders: CoderRegistry
    private let judge: ResponseJudge

    init(_ transport: any Transport, settings: SettingsSnapshot.Values, gate: LimitGate?) {
        limit = Limit(gate: gate)
        interception = Interception(interceptors: settings.value(InterceptorsKey.self))
        authorization = Authorization(authorizers: Array(settings.value(AuthorizersKey.self)))
        transmission = Transmission(transport: transport, settings: settings)
        verdict = Verdict(redirects: settings.value(RedirectsKey.self))
        contentDecoding = ContentDecoding(settings, transport: transport)
        progress = ProgressReporting(settings)
        delivery = Delivery(limit: max(0, settings.value(MaxBodySizeKey.self)))
        coders = settings.value(CodersKey.self)
        judge = ResponseJudge(settings)
    }

    /// Goes through all attempts and takes the body into memory.
    func perform(
        _ request: EncodedRequest,
        _ pass: RequestPass?,
        started: ContinuousClock.Instant,
        log: RequestLog.Call?
    ) async throws -> Response {
        let response = try await collect(reach(request, pass, started: started, log: log), started: started)
        log?.received(response)
        return response
    }

    /// Goes through all attempts and leaves the body to its reader; an unsuccessful response is thrown unless wanted.
    func open(
        _ request: EncodedRequest,
        _ pass: RequestPass,
        started: ContinuousClock.Instant,
        anyStatus: Bool,
        log: RequestLog.Call?
    ) async throws -> ResponseStream {
        let end = try await reach(request, pass, started: started, log: log)
        guard anyStatus || judge.accepts(end.answer.head.status) else {
            let response = try await collect(end, started: started)
            throw response.failure ?? judge.statusError(of: response)
        }
        return ResponseStream(
            head: end.answer.head,
            request: end.request,
            history: end.hops,
            source: TrackedBody(end.answer.body, slot: end.slot),
            coders: coders
        )
    }

    /// Where the attempts ended: the last request, its answer with an unread body, and the redirects before it.
    private struct Destination {
        let request: EncodedRequest
        let answer: TransportResponse
        let hops: [Response.Hop]
        /// Held until the body has been received.
        let slot: Limit.Slot?
    }

    /// Takes a body into memory; of an unsuccessful response only its beginning.
    private func collect(_ end: Destination, started: ContinuousClock.Instant) async throws -> Response {
        defer { end.slot?.leave() }
        let isSuccess = judge.accepts(end.answer.head.status)
        let collected: Delivery.Collected
        do {
            collected = try await delivery.collect(
                end.answer.body,
                upTo: isSuccess ? delivery.limit : min(delivery.limit, Delivery.errorLimit),
                cutsOff: !isSuccess
            )
        } catch {
            throw Stage.describe(error, .delivery, .transport, request: end.request)
        }
        return Response(
            head: end.answer.head,
            body: collected,
            end: end.answer.body.end ?? ExchangeEnd(),
            request: end.request,
            history: end.hops,
            elapsed: transmission.clock.now - started,
            coders: coders,
            judge: judge
        )
    }

    /// Sends, judges the head, and sends again as long as it says so.
    private func reach(
        _ request: EncodedRequest,
        _ pass: RequestPass?,
        started: ContinuousClock.Instant,
        log: RequestLog.Call?
    ) async throws -> Destination {
        var next = request
        var trail = Verdict.Trail()
        while true {
            try Task.checkCancellation()
            let slot = limit.gate == nil ? nil : try await limit.enter(pass?.ticket)
            try pass?.check()
            let call = Circumstances(
                mayAuthorize: !trail.hasLeftOrigin,
                started: started,
                ticket: pass?.ticket,
                log: log
            )
            let sent = interception.isEmpty ? nil : SentURL()
            let answer = try await attempt(next, call, noting: sent)
            do {
                switch try verdict.judge(answer.head, of: next, sentTo: sent?.url, trail: &trail) {
                case .deliver:
                    let counted = progress.counting(answer, of: next)
                    let decoded = try Stage.run(.delivery, .contentCoding, request: next) {
                        try contentDecoding.decode(counted, of: next)
                    }
                    return Destination(request: next, answer: decoded, hops: trail.hops, slot: slot)
                case .redirect(let following):
                    log?.redirected(to: following)
                    await drain(answer.body)
                    slot?.leave()
                    next = following
                }
            } catch {
                answer.body.cancel()
                throw error
            }
        }
    }

    /// What an attempt must know of the call that it belongs to.
    private struct Circumstances: Sendable {
        let mayAuthorize: Bool
        let started: ContinuousClock.Instant
        let ticket: RequestTicket?
        let log: RequestLog.Call?
    }

    private func attempt(
        _ request: EncodedRequest,
        _ call: Circumstances,
        noting sent: SentURL?
    ) async throws -> TransportResponse {
        if interception.isEmpty { return try await send(request, call) }
        let origin = request.origin
        let attempt = Attempt { [self] request in
            guard request.origin == origin else { throw OriginChanged(from: origin, to: request.origin) }
            var plain = request
            // What an interceptor added is no more for another origin than what the caller did.
            if !call.mayAuthorize { plain.headers = RedirectPolicy.harmless(plain.headers) }
            sent?.url = plain.url
            return try await send(plain, call)
        }
        return try await interception.run(request, attempt: attempt)
    }

    /// The innermost part of an attempt: proof of identity, and the transport.
    private func send(_ plain: EncodedRequest, _ call: Circumstances) async throws -> TransportResponse {
        var authorized = plain
        if call.mayAuthorize, !authorization.authorizers.isEmpty {
            authorized = try await Stage.run(.authorization, .authorization, request: plain, wrapping: true) {
                try await authorization.authorize(plain, mayAuthorize: true)
            }
        }
        call.log?.sending(authorized)
        // Errors show the request as it was before it had its proof.
        let answer = try await transmission.send(
            progress.counting(authorized),
            shownAs: plain,
            started: call.started,
            ticket: call.ticket
        )
        call.log?.received(answer.head)
        return answer
    }

    /// Reads a redirect's small body, so that its connection can be used again; a long one costs the connection.
    private func drain(_ body: ResponseBody) async {
        _ = try? await delivery.collect(body, upTo: Delivery.errorLimit, cutsOff: true)
    }
}

/// An interceptor or authorizer that tried to send a request elsewhere.
struct OriginChanged: Error, CustomStringConvertible {
    let from: Origin
    let to: Origin

    var description: String { "a hook may not change a request's origin from \(from) to \(to)" }
}

/// Where the last attempt went, since interceptors may change the target.
private final class SentURL: Sendable {
    private let latest = Mutex<RequestURL?>(nil)

    var url: RequestURL? {
        get { latest.withLock(\.self) }
        set { latest.withLock { $0 = newValue } }
    }
}

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
    let progress: ProgressReporting
    let judge: ResponseJudge
    private let pacing: Pacing
    private let coders: CoderRegistry

    init(_ transport: any Transport, settings: SettingsSnapshot.Values, gate: LimitGate?) {
        limit = Limit(gate: gate)
        interception = Interception(interceptors: settings.value(InterceptorsKey.self))
        authorization = Authorization(authorizers: Array(settings.value(AuthorizersKey.self)))
        transmission = Transmission(transport: transport, settings: settings)
        verdict = Verdict(redirects: settings.value(RedirectsKey.self))
        contentDecoding = ContentDecoding(settings, transport: transport)
        pacing = Pacing(settings)
        progress = ProgressReporting(settings)
        delivery = Delivery(limit: max(0, settings.value(MaxBodySizeKey.self)))
        coders = settings.value(CodersKey.self)
        judge = ResponseJudge(settings)
    }

    /// Goes through all attempts and takes the body into memory.
    func perform(
        _ request: EncodedRequest,
        _ pass: RequestPass?,
        started: Moment,
        log: RequestLog.Call?
    ) async throws -> Response {
        let end = try await reach(request, pass, started: started, for: .memory, log: log)
        let response = try await collect(end, started: started)
        log?.received(response)
        return response
    }

    /// Goes through all attempts and leaves the body to its reader; an unsuccessful response is thrown unless wanted.
    func open(
        _ request: EncodedRequest,
        _ pass: RequestPass,
        started: Moment,
        anyStatus: Bool,
        log: RequestLog.Call?
    ) async throws -> ResponseStream {
        let end = try await reach(request, pass, started: started, for: .stream, log: log)
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
    struct Arrival: Sendable {
        let request: EncodedRequest
        let answer: TransportResponse
        let hops: [Response.Hop]
        /// Held until the body has been received.
        let slot: Limit.Slot?
    }

    /// Takes a body into memory; of an unsuccessful response only its beginning.
    func collect(_ end: Arrival, started: Moment) async throws -> Response {
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
        return response(of: end, collected, started: started)
    }

    /// A response of what has arrived and of what was kept of its body.
    func response(
        of end: Arrival,
        _ collected: Delivery.Collected = Delivery.Collected(bytes: .empty, isComplete: false),
        started: Moment
    ) -> Response {
        Response(
            head: end.answer.head,
            body: collected,
            end: end.answer.body.end ?? ExchangeEnd(),
            request: end.request,
            history: end.hops,
            elapsed: transmission.clock.moment - started,
            coders: coders,
            judge: judge
        )
    }

    /// Sends, judges the head, and sends again as long as it says so.
    ///
    /// `use` is what becomes of a successful answer's body; without `mayWait`, ``Limit/Full`` is thrown where a limit has
    /// no slot.
    func reach(
        _ request: EncodedRequest,
        _ pass: RequestPass?,
        started: Moment,
        for use: BodyUse,
        mayWait: Bool = true,
        log: RequestLog.Call?
    ) async throws -> Arrival {
        var next = request
        var trail = Verdict.Trail()
        while true {
            try Task.checkCancellation()
            // What goes on with a broken body goes on in its place.
            let isInLine = limit.gate != nil && use != .continuation
            let slot = isInLine ? try await limit.enter(pass?.ticket, mayWait: mayWait) : nil
            try pass?.check()
            let call = Circumstances(
                isDownload: use == .download,
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
                    let paced = pacing.pacing(answer)
                    if use.isRaw, answer.head.status.kind == .successful {
                        return Arrival(request: next, answer: paced, hops: trail.hops, slot: slot)
                    }
                    let mended = use == .memory ? mending(paced, next, pass, started: started, log: log) : paced
                    let counted = progress.counting(mended, of: next)
                    let decoded = try Stage.run(.delivery, .contentCoding, request: next) {
                        try contentDecoding.decode(counted, of: next)
                    }
                    return Arrival(request: next, answer: decoded, hops: trail.hops, slot: slot)
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

    /// What becomes of a successful answer's body.
    enum BodyUse: Sendable, Hashable {
        /// It is taken into memory.
        case memory
        /// It is handed over as it comes, decoded.
        case stream
        /// It goes to a file, as it comes and counted elsewhere.
        case download
        /// It goes on where another one broke off.
        case continuation

        fileprivate var isRaw: Bool { self == .download || self == .continuation }
    }

    /// What an attempt must know of the call that it belongs to.
    private struct Circumstances: Sendable {
        let isDownload: Bool
        let mayAuthorize: Bool
        let started: Moment
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
            progress.counting(pacing.pacing(authorized), of: authorized.body),
            shownAs: plain,
            started: call.started,
            isDownload: call.isDownload,
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

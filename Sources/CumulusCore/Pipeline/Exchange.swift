// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Synchronization

/// Stage 3, encoded request -> response: the loop of attempts, one more for each redirect.
struct Exchange: Sendable {
    let interception: Interception
    let authorization: Authorization
    let transmission: Transmission
    let verdict: Verdict
    let delivery: Delivery
    private let coders: CoderRegistry

    init(transport: any Transport, settings: SettingsSnapshot.Values) {
        interception = Interception(interceptors: settings.value(InterceptorsKey.self))
        authorization = Authorization(authorizers: Array(settings.value(AuthorizersKey.self)))
        transmission = Transmission(transport: transport, settings: settings)
        verdict = Verdict(redirects: settings.value(RedirectsKey.self))
        delivery = Delivery(limit: max(0, settings.value(MaxBodySizeKey.self)))
        coders = settings.value(CodersKey.self)
    }

    /// Goes through all attempts and takes the body into memory.
    func perform(
        _ request: EncodedRequest,
        started: ContinuousClock.Instant,
        log: RequestLog.Call?
    ) async throws -> Response {
        let response = try await collect(reach(request, started: started, log: log), started: started)
        log?.received(response)
        return response
    }

    /// Goes through all attempts and leaves the body to its reader; an unsuccessful response is thrown unless wanted.
    func open(
        _ request: EncodedRequest,
        started: ContinuousClock.Instant,
        anyStatus: Bool,
        log: RequestLog.Call?
    ) async throws -> ResponseStream {
        let end = try await reach(request, started: started, log: log)
        guard anyStatus || end.answer.head.status.kind == .successful else {
            throw try await collect(end, started: started).statusError
        }
        return ResponseStream(head: end.answer.head, request: end.request, history: end.hops, body: end.answer.body)
    }

    /// Where the attempts ended: the last request, its answer with an unread body, and the redirects before it.
    private struct Destination {
        let request: EncodedRequest
        let answer: TransportResponse
        let hops: [Response.Hop]
    }

    /// Takes a body into memory; of an unsuccessful response only its beginning.
    private func collect(_ end: Destination, started: ContinuousClock.Instant) async throws -> Response {
        let isSuccess = end.answer.head.status.kind == .successful
        let collected = try await Stage.run(.delivery, .transport, request: end.request) {
            try await delivery.collect(
                end.answer.body,
                upTo: isSuccess ? delivery.limit : min(delivery.limit, Delivery.errorLimit),
                cutsOff: !isSuccess
            )
        }
        return Response(
            head: end.answer.head,
            body: collected,
            end: end.answer.body.end ?? ExchangeEnd(),
            request: end.request,
            history: end.hops,
            elapsed: transmission.clock.now - started,
            coders: coders
        )
    }

    /// Sends, judges the head, and sends again as long as it says so.
    private func reach(
        _ request: EncodedRequest,
        started: ContinuousClock.Instant,
        log: RequestLog.Call?
    ) async throws -> Destination {
        var next = request
        var trail = Verdict.Trail()
        while true {
            try Task.checkCancellation()
            let sent = interception.isEmpty ? nil : SentURL()
            let answer = try await attempt(
                next,
                mayAuthorize: !trail.hasLeftOrigin,
                started: started,
                noting: sent,
                log: log
            )
            do {
                switch try verdict.judge(answer.head, of: next, sentTo: sent?.url, trail: &trail) {
                case .deliver: return Destination(request: next, answer: answer, hops: trail.hops)
                case .redirect(let following):
                    log?.redirected(to: following)
                    await drain(answer.body)
                    next = following
                }
            } catch {
                answer.body.cancel()
                throw error
            }
        }
    }

    private func attempt(
        _ request: EncodedRequest,
        mayAuthorize: Bool,
        started: ContinuousClock.Instant,
        noting sent: SentURL?,
        log: RequestLog.Call?
    ) async throws -> TransportResponse {
        let origin = request.origin
        let attempt = Attempt { request in
            guard request.origin == origin else { throw OriginChanged(from: origin, to: request.origin) }
            var request = request
            // What an interceptor added is no more for another origin than what the caller did.
            if !mayAuthorize { request.headers = RedirectPolicy.harmless(request.headers) }
            let plain = request
            sent?.url = plain.url
            let authorized = try await Stage.run(.authorization, .authorization, request: plain, wrapping: true) {
                try await authorization.authorize(plain, mayAuthorize: mayAuthorize)
            }
            // Errors show the request as it was before it had its proof.
            log?.sending(authorized)
            let answer = try await transmission.send(authorized, shownAs: plain, started: started)
            log?.received(answer.head)
            return answer
        }
        return try await interception.run(request, attempt: attempt)
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

// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

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
        delivery = Delivery(limit: settings.value(MaxBodySizeKey.self))
        coders = settings.value(CodersKey.self)
    }

    /// Goes through all attempts and takes the body into memory.
    func perform(_ request: EncodedRequest, started: ContinuousClock.Instant) async throws -> Response {
        let (last, answer, hops) = try await reach(request, started: started)
        let isSuccess = answer.head.status.kind == .successful
        let collected = try await Stage.run(.delivery, .bodyTooLarge, request: last) {
            try await delivery.collect(
                answer.body,
                upTo: isSuccess ? delivery.limit : min(delivery.limit, Delivery.errorLimit),
                cutsOff: !isSuccess
            )
        }
        return Response(
            head: answer.head,
            body: collected,
            end: answer.body.end ?? ExchangeEnd(),
            request: last,
            history: hops,
            elapsed: transmission.clock.now - started,
            coders: coders
        )
    }

    /// Goes through all attempts and leaves the body to its reader.
    ///
    /// - Throws: ``CumulusError/Code/status`` for an unsuccessful response, whose body is in the error.
    func open(_ request: EncodedRequest, started: ContinuousClock.Instant) async throws -> ResponseStream {
        let (last, answer, hops) = try await reach(request, started: started)
        guard answer.head.status.kind == .successful else {
            let collected = try await Stage.run(.delivery, .bodyTooLarge, request: last) {
                try await delivery.collect(answer.body, upTo: Delivery.errorLimit, cutsOff: true)
            }
            let response = Response(
                head: answer.head,
                body: collected,
                end: answer.body.end ?? ExchangeEnd(),
                request: last,
                history: hops,
                elapsed: transmission.clock.now - started,
                coders: coders
            )
            throw response.statusError
        }
        return ResponseStream(head: answer.head, request: last, history: hops, body: answer.body)
    }

    /// Sends, judges the head, and sends again as long as it says so.
    private func reach(
        _ request: EncodedRequest,
        started: ContinuousClock.Instant
    ) async throws -> (last: EncodedRequest, answer: TransportResponse, hops: [Response.Hop]) {
        var next = request
        var trail = Verdict.Trail()
        while true {
            try Task.checkCancellation()
            let answer = try await attempt(next, mayAuthorize: !trail.hasLeftOrigin, started: started)
            do {
                switch try verdict.judge(answer.head, of: next, trail: &trail) {
                case .deliver: return (next, answer, trail.hops)
                case .redirect(let following):
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
        started: ContinuousClock.Instant
    ) async throws -> TransportResponse {
        let attempt = Attempt { request in
            let authorized = try await Stage.run(.authorization, .authorization, request: request) {
                try await authorization.authorize(request, mayAuthorize: mayAuthorize)
            }
            return try await transmission.send(authorized, started: started)
        }
        return try await interception.run(request, attempt: attempt)
    }

    /// Reads a redirect's small body, so that its connection can be used again; a long one costs the connection.
    private func drain(_ body: ResponseBody) async {
        _ = try? await delivery.collect(body, upTo: Delivery.errorLimit, cutsOff: true)
    }
}

// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

/// Cookies and authorizers: adds cookies and credentials to a request, and passes responses to both.
final class AuthorizationStage: Sendable {
    /// `nil` without cookies.
    let cookieJar: CookieJar?
    let authorizers: Authorization
    private let transmission: Transmission

    /// `nil` without cookies and authorizers.
    init?(_ settings: SettingValues, _ authorizers: Authorization, _ transmission: Transmission) {
        cookieJar = settings.value(CookiesKey.self)
        guard cookieJar != nil || !authorizers.authorizers.isEmpty else { return nil }
        (self.authorizers, self.transmission) = (authorizers, transmission)
    }

    /// The request with its origin's cookies and credentials.
    ///
    /// `cookied` is the request with its cookies, if they were added before. With `notesUsers`, the users of the
    /// authorizers are recorded, for stores.
    func authorized(
        _ plain: EncodedRequest,
        cookied: EncodedRequest? = nil,
        _ context: AttemptContext,
        notesUsers: Bool = false
    ) async throws -> SentRequest {
        let (memory, call) = (context.memory, context.call)
        let request = cookied ?? withCookies(plain, after: memory.redirects)
        var progress = Authorization.Progress(request, notesUsers: notesUsers)
        let isComplete = try Stage.run(.authorization, .authorization, request: plain) {
            try authorizers.authorizeAtOnce(&progress, after: memory)
        }
        if !isComplete {
            progress = try await Stage.run(.authorization, .authorization, request: plain, wrapping: true) {
                [progress] in
                try await authorizers.authorize(progress, after: memory, call, on: transmission.clock)
            }
        }
        return SentRequest(plain, authorized: progress.request, by: progress.applied)
    }

    /// Passes a response to cookies and authorizers.
    ///
    /// Stored responses don't come this way: their cookies were stored when they arrived.
    func received(
        _ response: TransportResponse,
        _ sent: SentRequest,
        _ context: AttemptContext
    ) throws -> TransportResponse {
        if let cookieJar { keep(response.head, in: cookieJar, sent, context) }
        return authorizers.respondsToChallenges ? try examined(response, sent, context) : response
    }

    /// Stores the cookies of a response, and records how they changed.
    private func keep(_ head: ResponseHead, in jar: CookieJar, _ sent: SentRequest, _ context: AttemptContext) {
        let call = context.call
        let redirects = context.memory.redirects
        let dropped = jar.keep(head, of: sent.plain, after: redirects, by: transmission.proxies) { before, after in
            // The next request of a redirect may be for another user.
            if head.status.kind == .redirection { return }
            call.cookieChanges.record(from: before, to: after)
            if context.options.use == .download { jar.downloadChanges.record(from: before, to: after) }
        }
        if dropped > 0 { call.observation?.dropped(cookies: dropped) }
    }

    /// Passes a response to the authorizers.
    ///
    /// If they refuse its head, the body is not read. If they refuse its body, the body ends with their error.
    private func examined(
        _ response: TransportResponse,
        _ sent: SentRequest,
        _ context: AttemptContext
    ) throws -> TransportResponse {
        let demanded: BodyCheck?
        do {
            demanded = try authorizers.examine(response.head, of: sent.authorized, after: context.memory.redirects)
        } catch {
            response.body.cancel()
            let described = Stage.describe(error, .authorization, .authorization, request: sent.shown)
            throw context.call.record.failed(response.body.exchange, described, at: transmission.clock.moment)
        }
        // Downloads receive parts of bodies and keep the bytes that arrived; they check digests of the whole file.
        guard let check = demanded, context.options.use != .download else { return response }
        // A body that the transport has decoded differs from the one that the server hashed.
        if transmission.capabilities.decodesContent, response.head.headers[.contentEncoding] != nil {
            return response
        }
        context.call.noteBodyCheck()
        let described = BodyCheck(update: check.update) {
            do {
                try check.finish()
            } catch {
                throw Stage.describe(error, .authorization, .authorization, request: sent.shown)
            }
        }
        let body = response.body.wrapped(by: CheckedBody(response.body, described))
        return TransportResponse(head: response.head, body: body)
    }

    /// The request with its origin's cookies.
    func withCookies(_ plain: EncodedRequest, after redirects: [Response.Redirect]) -> EncodedRequest {
        guard let cookieJar else { return plain }
        var cookied = plain
        cookieJar.add(to: &cookied, after: redirects, by: transmission.proxies)
        return cookied
    }
}

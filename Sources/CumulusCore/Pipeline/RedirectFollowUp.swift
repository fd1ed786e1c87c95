// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

/// Follows redirects (RFC 9110 section 15.4), as the policy says.
struct RedirectFollowUp: FollowUp {
    let redirects: RedirectPolicy

    var readsBody: Bool { false }

    func concerns(_ outcome: AttemptRecord.Outcome) -> Bool {
        if case .answered(let status) = outcome { follows(status.code) } else { false }
    }

    /// Whether answers of this status are redirects that are followed.
    func follows(_ status: Int) -> Bool {
        switch status {
        case 301, 302, 303, 307, 308: redirects.limit > 0
        default: false
        }
    }

    /// - Throws: ``CumulusError`` for a redirect that must not be followed.
    func decide(_ attempt: EndedAttempt) async throws -> FollowUpDecision {
        // An empty Location names the same URL and no way on, which clients deliver.
        guard case .answered(let head, _) = attempt.result, let location = head.headers[.location], !location.isEmpty
        else { return .deliver }
        let hop = Response.Hop(request: attempt.request, status: head.status, headers: head.headers)
        guard Set(head.headers[values: .location]).count == 1 else {
            throw refusal(.redirectRefused, "it has several Locations", hop, attempt.trail)
        }
        let destination: RequestURL
        do {
            // Relative to where the request was sent in the end (RFC 3986 section 5.1.3).
            destination = try (attempt.sent?.plain ?? attempt.request).url.resolving(location)
        } catch {
            throw refusal(.redirectRefused, "its Location is refused: \(error)", hop, attempt.trail)
        }
        guard let next = try next(destination, hop, attempt.trail) else { return .deliver }
        guard attempt.trail.hops.count < redirects.limit else {
            var trail = attempt.trail
            trail.follow(hop, to: next)
            throw refusal(.tooManyRedirects, "more than \(redirects.limit) redirects", hop, trail)
        }
        return .again(next, because: .redirect)
    }

    /// The request that follows a redirect; `nil` if its body can't be sent again, which delivers the redirect.
    private func next(_ url: RequestURL, _ hop: Response.Hop, _ trail: Trail) throws -> EncodedRequest? {
        var next = hop.request
        next.origin = url.origin
        next.target = url.target
        let code = hop.status.code
        let becomesGet = code == 303 ? next.method != .head && next.method != .get : code < 303 && next.method == .post
        if becomesGet {
            next.method = .get
            next.body = .none
            for field in next.headers where field.name.canonicalName.hasPrefix("content-") {
                next.headers[field.name] = nil
            }
        }
        guard next.body.isReplayable else { return nil }
        let from = hop.request.origin
        if from.scheme == .https, url.origin.scheme == .http, !redirects.allowsDowngrade {
            throw refusal(.redirectRefused, "it leads from https to http, to \(url.origin)", hop, trail)
        }
        guard url.origin != from else { return next }
        if case .none = next.body {
        } else if !redirects.sendsBodiesToOtherOrigins {
            throw refusal(.redirectRefused, "it would send the body to another origin, \(url.origin)", hop, trail)
        }
        next.headers = next.headers.harmless
        return next
    }

    /// What of a request that a hook has changed may go to where a redirect led: no more than what the caller set may.
    ///
    /// Header fields that could tell something are left out, and so is what was added to the target.
    ///
    /// - Throws: ``CumulusError/Code/redirectRefused`` for a body, unless the policy sends bodies to other origins.
    func harmless(_ request: EncodedRequest, asked: EncodedRequest) throws -> EncodedRequest {
        guard request.body.length == 0 || redirects.sendsBodiesToOtherOrigins else {
            throw CumulusError(
                .redirectRefused,
                stage: .interception,
                "a redirect led to another origin, \(asked.origin), and a hook would send a body there",
                request: asked
            )
        }
        var harmless = request
        harmless.headers = request.headers.harmless
        harmless.target = asked.target
        return harmless
    }

    private func refusal(
        _ code: CumulusError.Code,
        _ reason: String,
        _ hop: Response.Hop,
        _ trail: Trail
    ) -> CumulusError {
        let response = Response(hop, trail: trail)
        return CumulusError(
            code,
            stage: .verdict,
            "the redirect (\(hop.status.code)) was not followed: \(reason)",
            request: hop.request,
            response: response
        )
    }
}

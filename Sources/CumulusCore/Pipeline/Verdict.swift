// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

/// Stage 3f, head -> what to do: deliver the response, or send another request.
struct Verdict: Sendable {
    enum Outcome: Sendable {
        case deliver
        case redirect(EncodedRequest)
    }

    /// The hops so far.
    struct Trail: Sendable {
        private(set) var hops: [Response.Hop] = []
        private var seen: Set<String> = []
        /// Whether any hop led away from where the call began; credentials are not picked up again.
        private(set) var hasLeftOrigin = false

        fileprivate mutating func add(_ hop: Response.Hop, to next: EncodedRequest) {
            hops.append(hop)
            seen.insert(Trail.name(hop.request))
            if next.origin != hop.request.origin { hasLeftOrigin = true }
        }

        fileprivate func contains(_ request: EncodedRequest) -> Bool { seen.contains(Trail.name(request)) }

        private static func name(_ request: EncodedRequest) -> String {
            "\(request.method.rawValue) \(request.origin)\(request.target)"
        }
    }

    let redirects: RedirectPolicy

    /// Judges a head and notes the hop if there is one.
    ///
    /// - Parameters:
    ///   - head: The head.
    ///   - request: What was asked, before interceptors saw it: they see the next one, too.
    ///   - url: Where it was sent in the end, which is what a relative Location is relative to (RFC 3986 section 5.1.3).
    ///   - trail: The hops so far.
    /// - Returns: Deliver, or what to send next.
    /// - Throws: ``CumulusError`` for a redirect that must not be followed.
    func judge(
        _ head: ResponseHead,
        of request: EncodedRequest,
        sentTo url: RequestURL?,
        trail: inout Trail
    ) throws -> Outcome {
        guard redirects.limit > 0, [301, 302, 303, 307, 308].contains(head.status.code),
            let location = head.headers[.location]
        else { return .deliver }
        let hop = Response.Hop(request: request, status: head.status, headers: head.headers)
        guard Set(head.headers[values: .location]).count == 1 else {
            throw refusal(.redirectRefused, "it names several Locations", hop, trail)
        }
        let destination: RequestURL
        do {
            destination = try (url ?? request.url).resolving(location)
        } catch {
            throw refusal(.redirectRefused, "its Location is refused: \(error)", hop, trail)
        }
        guard let next = try next(destination, hop, trail) else { return .deliver }
        trail.add(hop, to: next)
        if trail.contains(next) {
            throw refusal(.tooManyRedirects, "the redirects go in a circle", hop, trail)
        }
        guard trail.hops.count <= redirects.limit else {
            throw refusal(.tooManyRedirects, "more than \(redirects.limit) redirects", hop, trail)
        }
        return .redirect(next)
    }

    /// The request that follows a redirect; `nil` where its body can't be sent again, which delivers the redirect.
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
        next.headers = RedirectPolicy.harmless(next.headers)
        return next
    }

    private func refusal(
        _ code: CumulusError.Code,
        _ reason: String,
        _ hop: Response.Hop,
        _ trail: Trail
    ) -> CumulusError {
        let response = Response(hop, history: trail.hops)
        return CumulusError(
            code,
            stage: .verdict,
            "the redirect (\(hop.status.code)) was not followed: \(reason)",
            request: hop.request,
            response: response
        )
    }
}

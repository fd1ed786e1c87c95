// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives
import HTTPTypes

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Creates the request that follows a redirect (RFC 9110 section 15.4), by the policy and without I/O.
struct RedirectRule: Sendable {
    let redirects: RedirectPolicy
    /// The longest wait that a server may request, as for retries; `nil` for no limit.
    let longestWait: Duration?

    /// Whether responses with this status are redirects to follow.
    func follows(_ status: Int) -> Bool {
        switch status {
        case 301, 302, 303, 307, 308: redirects.limit > 0
        default: false
        }
    }

    /// The request that follows a redirect, and the wait before it; `nil` if the redirect is delivered.
    ///
    /// - Throws: ``CumulusError`` for a redirect that must not be followed.
    func next(
        after attempt: EndedAttempt,
        _ followed: [Response.Redirect],
        at time: DecisionTime
    ) throws(CumulusError) -> (request: EncodedRequest, wait: Duration)? {
        // An empty Location refers to the same URL and leads nowhere, so clients deliver it.
        let locations = Set(attempt.headers.texts(.location))
        guard let status = attempt.status, let location = locations.first?.address, locations != [""] else {
            return nil
        }
        let redirect = Response.Redirect(request: attempt.request, status: status, headers: attempt.headers)
        guard locations.count == 1 else {
            throw refusal(.redirectRefused, "it has several Location fields", of: redirect, after: followed)
        }
        let destination: RequestURL
        do {
            // Relative to the request that was finally sent (RFC 3986 section 5.1.3).
            destination = try attempt.plain.url.resolving(location)
        } catch {
            throw refusal(.redirectRefused, "its Location can't be used: \(error)", of: redirect, after: followed)
        }
        guard let next = try next(destination, redirect, followed) else { return nil }
        guard followed.count < redirects.limit else {
            let reason = "it exceeds the redirect limit (\(redirects.limit))"
            throw refusal(.tooManyRedirects, reason, of: redirect, after: followed + [redirect])
        }
        return (next, try wait(before: redirect, attempt.date, followed, at: time))
    }

    /// The wait that the server requests before the redirect is followed (RFC 9110 section 10.2.3).
    ///
    /// - Throws: ``CumulusError/Code/redirectRefused`` for a wait that is too long, since following the redirect
    ///   earlier would ignore the server's request.
    private func wait(
        before redirect: Response.Redirect,
        _ date: Date,
        _ followed: [Response.Redirect],
        at time: DecisionTime
    ) throws(CumulusError) -> Duration {
        guard let (wait, field) = ServerTiming.retryAfter(redirect.headers, date) else { return .zero }
        if let longestWait, wait > longestWait {
            let allowed = "longer than the \(SpokenDuration(longestWait)) allowed"
            let reason = "the server requests a wait of \(SpokenDuration(wait)) (\(field)), \(allowed)"
            throw refusal(.redirectRefused, reason, of: redirect, after: followed)
        }
        if let end = time.end, end - time.now <= wait {
            let reason = "a wait of \(SpokenDuration(wait)) (\(field)) would outlast the deadline"
            throw refusal(.redirectRefused, reason, of: redirect, after: followed)
        }
        return wait
    }

    /// The request after a redirect; `nil` if its body can't be sent again, in which case the redirect is delivered.
    private func next(
        _ url: RequestURL,
        _ redirect: Response.Redirect,
        _ followed: [Response.Redirect]
    ) throws(CumulusError) -> EncodedRequest? {
        var next = redirect.request
        next.origin = url.origin
        next.target = url.target
        let code = redirect.status.code
        let becomesGet = code == 303 ? next.method != .head && next.method != .get : code < 303 && next.method == .post
        if becomesGet {
            next.method = .get
            next.body = .none
            for field in next.headers where field.name.canonicalName.hasPrefix("content-") {
                next.headers[field.name] = nil
            }
            next.headers[.trailer] = nil
            // These conditions guarded the change; the GET must not fail because of them.
            next.headers[.ifMatch] = nil
            next.headers[.ifUnmodifiedSince] = nil
        }
        guard next.body.isReplayable else { return nil }
        let from = redirect.request.origin
        if from.scheme == .https, url.origin.scheme == .http, !redirects.allowsDowngrade {
            let reason = "it would downgrade the request from https to \(url.origin)"
            throw refusal(.redirectRefused, reason, of: redirect, after: followed)
        }
        guard url.origin != from else { return next }
        if case .none = next.body {
        } else if !redirects.sendsBodiesToOtherOrigins {
            let reason = "it would send the body to another origin, \(url.origin)"
            throw refusal(.redirectRefused, reason, of: redirect, after: followed)
        }
        // Trailers may contain credentials, as header fields may.
        (next.headers, next.body) = (next.headers.harmless, next.body.withoutTrailers)
        return next
    }

    /// The part of a request changed by a hook that may be sent after a redirect to another origin.
    ///
    /// Header fields that could reveal something are omitted, and so are changes of the target.
    ///
    /// - Throws: ``CumulusError/Code/redirectRefused`` for a body, unless the policy sends bodies to other origins.
    func harmless(_ request: EncodedRequest, asked: EncodedRequest) throws -> EncodedRequest {
        guard request.body.length == 0 || redirects.sendsBodiesToOtherOrigins else {
            throw CumulusError(
                .redirectRefused,
                stage: .interception,
                "after a redirect to another origin, \(asked.origin), a hook would send a body there",
                request: asked
            )
        }
        var harmless = request
        (harmless.headers, harmless.body) = (request.headers.harmless, request.body.withoutTrailers)
        harmless.target = asked.target
        return harmless
    }

    private func refusal(
        _ code: CumulusError.Code,
        _ reason: String,
        of redirect: Response.Redirect,
        after followed: [Response.Redirect]
    ) -> CumulusError {
        let response = Response(redirect, after: followed)
        return CumulusError(
            code,
            stage: .recovery,
            "the redirect (\(redirect.status.code)) was not followed: \(reason)",
            request: redirect.request,
            response: response
        )
    }
}

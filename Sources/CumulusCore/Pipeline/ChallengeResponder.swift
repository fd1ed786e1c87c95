// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives
import HTTPTypes

/// Lets the authorizers of the origin respond to a challenge (RFC 9110 section 11), the child's first.
struct ChallengeResponder: Sendable {
    private let authorizers: [BoundAuthorizer]
    /// The indices of the authorizers that respond to challenges.
    private let responding: [Int]

    /// `nil` if no authorizer responds to challenges.
    init?(_ authorization: Authorization) {
        guard authorization.respondsToChallenges else { return nil }
        authorizers = authorization.authorizers
        responding = authorizers.indices.filter { [authorizers] in authorizers[$0].authorizer.respondsToChallenges }
    }

    /// Whether one of the authorizers may wait, or send its own requests.
    var mayWait: Bool { responding.contains { authorizers[$0].authorizer.mayWait } }

    /// Whether a status may be one to which the authorizers respond.
    ///
    /// It is called after each attempt, so it is cheap.
    func concerns(_ status: HTTPResponse.Status) -> Bool {
        responding.contains { authorizers[$0].authorizer.challengeStatuses.contains(status) }
    }

    /// The authorizers that may respond, nearest first.
    ///
    /// Refused credentials are never replaced by those of another identity.
    func authorizers(
        for status: HTTPResponse.Status,
        _ sent: SentRequest,
        after redirects: [Response.Redirect]
    ) -> [Int] {
        guard concerns(status), sent.plain.headers[.authorization] == nil else { return [] }
        return responding.filter { index in
            let bound = authorizers[index]
            return bound.serves(sent.plain, after: redirects) && bound.authorizer.challengeStatuses.contains(status)
                && (status != .unauthorized || sent.applied.mayRespond(bound, at: index, among: authorizers))
        }
    }

    /// Calls one authorizer after the other, until one of them has other credentials.
    ///
    /// - Parameters:
    ///   - challenge: The request that was sent, and the server's response.
    ///   - sent: The request as it was sent, with the authorizers that had added credentials.
    ///   - request: The attempt's request, for errors.
    ///   - redirects: The redirects before.
    /// - Returns: Whether other credentials are available.
    /// - Throws: The authorizers' errors.
    func reply(
        to challenge: AuthorizationChallenge,
        _ sent: SentRequest,
        of request: EncodedRequest,
        after redirects: [Response.Redirect]
    ) async throws -> Recovery.ChallengeReply {
        let status = challenge.status
        let isRefusal = status == .unauthorized || status == .proxyAuthenticationRequired
        let exchange = Response.Redirect(request: request, status: status, headers: challenge.headers)
        return try await Stage.run(
            .authorization,
            .authorization,
            request: request,
            response: Response(exchange, after: redirects),
            wrapping: true
        ) {
            var reasons: [String] = []
            for index in authorizers(for: status, sent, after: redirects) {
                switch try await authorizers[index].authorizer.respond(to: challenge) {
                case .again: return .again(without: isRefusal ? sent.applied.replaced(by: index) : nil)
                case .giveUp: break
                case .stop(let reason): reasons.append(PeerText.printable(reason, limit: 400))
                }
            }
            if let problem = UnsupportedSchemes(challenge.challenges) { throw problem }
            return .declined(reasons)
        }
    }
}

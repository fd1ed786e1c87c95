// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

/// Lets the authorizers of the origin answer a refusal (RFC 9110 section 11), the child's first.
struct ChallengeFollowUp: FollowUp {
    private let authorizers: [BoundAuthorizer]
    private let limit: Int

    /// `nil` if no authorizer answers challenges.
    init?(_ authorization: Authorization, limit: Int) {
        guard authorization.answersChallenges, limit > 0 else { return nil }
        authorizers = authorization.authorizers.filter { $0.authorizer.answersChallenges }
        self.limit = limit
    }

    var readsBody: Bool { true }

    /// Whether one of them may send its own requests.
    var mayWait: Bool { authorizers.contains { $0.authorizer.mayWait } }

    var needsTask: Bool { authorizers.contains { $0.authorizer is any ReadyAuthorizer } }

    func concerns(_ outcome: AttemptRecord.Outcome) -> Bool {
        guard case .answered(let status) = outcome else { return false }
        return authorizers.contains { $0.authorizer.challengeStatuses.contains(status) }
    }

    func decide(_ attempt: EndedAttempt) async throws -> FollowUpDecision {
        let count = attempt.trail.count(of: .challenge)
        guard case .answered(let head, let excerpt) = attempt.result, let sent = attempt.sent, count < limit,
            attempt.request.body.canBeSent, sent.plain.headers[.authorization] == nil
        else { return .deliver }
        let asked = authorizers.filter {
            $0.serves(sent.plain, after: attempt.trail) && $0.authorizer.challengeStatuses.contains(head.status)
        }
        guard !asked.isEmpty else { return .deliver }
        let challenge = AuthorizationChallenge(
            request: sent.proven,
            status: head.status,
            headers: head.headers,
            body: excerpt,
            attempt: count + 1
        )
        let hop = Response.Hop(request: attempt.request, status: head.status, headers: head.headers)
        return try await Stage.run(
            .authorization,
            .authorization,
            request: attempt.request,
            response: Response(hop, trail: attempt.trail),
            wrapping: true
        ) {
            for bound in asked where try await bound.authorizer.answer(challenge) == .again {
                return .again(attempt.request, because: .challenge)
            }
            if let problem = UnsupportedSchemes(challenge.challenges) { throw problem }
            return .deliver
        }
    }
}

// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives
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
        let count = attempt.history.count(of: .challenge)
        guard case .answered(let head, let excerpt) = attempt.result, let sent = attempt.sent,
            sent.plain.headers[.authorization] == nil
        else { return .deliver }
        let asked = authorizers.filter {
            $0.serves(sent.plain, after: attempt.history) && $0.authorizer.challengeStatuses.contains(head.status)
        }
        guard !asked.isEmpty else { return .deliver }
        let cause = ResponseJudge.name(head.status)
        // Other statuses are rarely about the proof.
        let isRefusal = head.status == .unauthorized || head.status == .proxyAuthenticationRequired
        guard count < limit else {
            let reason = "the server still refused after \(count) answers to its challenges"
            return isRefusal ? .give(.stop(.challenge(reason), because: cause)) : .deliver
        }
        guard attempt.request.body.canBeSent else {
            return isRefusal ? .give(.stop(.body, because: cause)) : .deliver
        }
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
            response: Response(hop, callHistory: attempt.history),
            wrapping: true
        ) {
            var reasons: [String] = []
            for bound in asked {
                switch try await bound.authorizer.answer(challenge) {
                case .again: return .again(attempt.request, because: .challenge)
                case .giveUp: break
                case .stop(let reason): reasons.append(PeerText.printable(reason, limit: 400))
                }
            }
            if let problem = UnsupportedSchemes(challenge.challenges) { throw problem }
            guard !reasons.isEmpty else { return .deliver }
            return .give(.stop(.challenge(reasons.joined(separator: "; ")), because: cause))
        }
    }
}

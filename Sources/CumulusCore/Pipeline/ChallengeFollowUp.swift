// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives
import HTTPTypes

/// Lets the authorizers of the origin answer a refusal (RFC 9110 section 11), the child's first.
struct ChallengeFollowUp: FollowUp {
    private let authorizers: [BoundAuthorizer]
    /// The places of those that answer challenges.
    private let answering: [Int]
    private let limit: Int

    /// `nil` if no authorizer answers challenges.
    init?(_ authorization: Authorization, limit: Int) {
        guard authorization.answersChallenges, limit > 0 else { return nil }
        authorizers = authorization.authorizers
        answering = authorizers.indices.filter { [authorizers] in authorizers[$0].authorizer.answersChallenges }
        self.limit = limit
    }

    var readsBody: Bool { true }

    /// One of them may send its own requests.
    var needsTask: Bool { answering.contains { authorizers[$0].authorizer.mayWait } }

    func concerns(_ outcome: AttemptRecord.Outcome) -> Bool {
        guard case .answered(let status) = outcome else { return false }
        return answering.contains { authorizers[$0].authorizer.challengeStatuses.contains(status) }
    }

    func decide(_ attempt: EndedAttempt) async throws -> FollowUpDecision {
        let count = attempt.history.count(of: .challenge)
        guard case .answered(let head, let excerpt) = attempt.result, let sent = attempt.sent,
            sent.plain.headers[.authorization] == nil
        else { return .deliver }
        let asked = asked(about: head.status, sent, after: attempt.history)
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
            for index in asked {
                switch try await authorizers[index].authorizer.answer(challenge) {
                case .again:
                    let refused = isRefusal ? sent.makers.replaced(by: index) : nil
                    return .again(attempt.request, because: .challenge, without: refused)
                case .giveUp: break
                case .stop(let reason): reasons.append(PeerText.printable(reason, limit: 400))
                }
            }
            if let problem = UnsupportedSchemes(challenge.challenges) { throw problem }
            guard !reasons.isEmpty else { return .deliver }
            return .give(.stop(.challenge(reasons.joined(separator: "; ")), because: cause))
        }
    }

    /// Those that may answer, nearest first: a refused identity has no other one in its place.
    private func asked(about status: HTTPResponse.Status, _ sent: SentRequest, after history: CallHistory) -> [Int] {
        answering.filter { index in
            let bound = authorizers[index]
            return bound.serves(sent.plain, after: history) && bound.authorizer.challengeStatuses.contains(status)
                && (status != .unauthorized || sent.makers.mayAnswer(bound, at: index, among: authorizers))
        }
    }
}

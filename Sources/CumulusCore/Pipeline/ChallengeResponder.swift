// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives
import HTTPTypes

/// Lets the authorizers of the origin answer a refusal (RFC 9110 section 11), the child's first.
struct ChallengeResponder: Sendable {
    private let authorizers: [BoundAuthorizer]
    /// The places of those that answer challenges.
    private let answering: [Int]

    /// `nil` if no authorizer answers challenges.
    init?(_ authorization: Authorization) {
        guard authorization.answersChallenges else { return nil }
        authorizers = authorization.authorizers
        answering = authorizers.indices.filter { [authorizers] in authorizers[$0].authorizer.answersChallenges }
    }

    /// Whether one of them may wait, or send its own requests.
    var mayWait: Bool { answering.contains { authorizers[$0].authorizer.mayWait } }

    /// Whether a status may be one that they answer; asked after each attempt, so it is cheap.
    func concerns(_ status: HTTPResponse.Status) -> Bool {
        answering.contains { authorizers[$0].authorizer.challengeStatuses.contains(status) }
    }

    /// Those that may answer, nearest first: a refused identity has no other one in its place.
    func asked(about status: HTTPResponse.Status, _ sent: SentRequest?, after redirects: [Response.Hop]) -> [Int] {
        guard concerns(status), let sent, sent.plain.headers[.authorization] == nil else { return [] }
        return answering.filter { index in
            let bound = authorizers[index]
            return bound.serves(sent.plain, after: redirects) && bound.authorizer.challengeStatuses.contains(status)
                && (status != .unauthorized || sent.applied.mayAnswer(bound, at: index, among: authorizers))
        }
    }

    /// Asks one after the other, until one of them has another proof.
    func reply(
        of asked: [Int],
        to response: TransportResponse,
        _ excerpt: ByteChunk,
        number: Int,
        _ sent: SentRequest,
        _ exchange: Response.Hop,
        after redirects: [Response.Hop]
    ) async throws -> Recovery.ChallengeReply {
        let challenge = AuthorizationChallenge(
            request: sent.authorized,
            status: response.head.status,
            headers: response.head.headers,
            body: excerpt,
            attempt: number
        )
        let isRefusal = exchange.status == .unauthorized || exchange.status == .proxyAuthenticationRequired
        return try await Stage.run(
            .authorization,
            .authorization,
            request: exchange.request,
            response: Response(exchange, after: redirects),
            wrapping: true
        ) {
            var reasons: [String] = []
            for index in asked {
                switch try await authorizers[index].authorizer.answer(challenge) {
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

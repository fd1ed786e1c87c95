// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives

/// Proves one user's name and password with a scheme that the server offers, preferring the stronger.
final class PasswordAuthorizer: Sendable {
    private let digest: DigestAuthorizer
    private let basic: ChallengedBasicAuthorizer

    /// Remembers the algorithms that were asked for before, so that nobody can weaken them.
    init(_ credentials: Credentials, after previous: PasswordAuthorizer?) {
        digest = DigestAuthorizer(credentials, after: previous?.digest)
        basic = ChallengedBasicAuthorizer(credentials)
    }

    /// The scheme and realm that can answer a challenge; `nil` if neither scheme is offered.
    static func wanted(by challenge: AuthorizationChallenge) -> (scheme: String, realm: String?)? {
        let offer = DigestOffer.strongest(of: challenge.challenges)
        guard let scheme = offer.map({ _ in "Digest" }) ?? challenge["Basic"].map({ _ in "Basic" }) else { return nil }
        let realm = offer?.realm.text ?? challenge["Basic"]?.realm
        return (scheme, realm.map { PeerText.printable($0) })
    }

    func authorize(_ request: inout EncodedRequest) async throws {
        try await digest.authorize(&request)
        try await basic.authorize(&request)
    }

    func answer(_ challenge: AuthorizationChallenge) async throws -> ChallengeAnswer {
        if DigestOffer.strongest(of: challenge.challenges) != nil { return try await digest.answer(challenge) }
        return try await basic.answer(challenge)
    }

    func examine(_ head: ResponseHead, of request: EncodedRequest) throws -> BodyCheck? {
        try digest.examine(head, of: request)
    }

    func hasCredentials(in request: EncodedRequest) -> Bool { digest.hasCredentials(in: request) || basic.hasCredentials(in: request) }
}

// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives

/// Authenticates with one user's name and password, and the strongest scheme that the server offers.
final class PasswordAuthorizer: Sendable {
    private let digest: DigestAuthorizer
    private let basic: ChallengedBasicAuthorizer

    /// Creates an authorizer that remembers the algorithms requested before, so that an attacker can't weaken them.
    init(_ credentials: Credentials, after previous: PasswordAuthorizer?) {
        digest = DigestAuthorizer(credentials, after: previous?.digest)
        basic = ChallengedBasicAuthorizer(credentials)
    }

    /// The scheme and realm to use for a challenge; `nil` if the server offers neither Digest nor Basic.
    static func wanted(by challenge: AuthorizationChallenge) -> (scheme: String, realm: String?)? {
        let offer = DigestOffer.strongest(of: challenge.challenges)
        guard let scheme = offer.map({ _ in "Digest" }) ?? challenge["Basic"].map({ _ in "Basic" }) else { return nil }
        let realm = offer?.realm.text ?? challenge["Basic"]?.realm
        return (scheme, realm.map { PeerText.printable($0) })
    }

    func authorizeAtOnce(_ request: inout EncodedRequest) -> Bool {
        digest.authorizeAtOnce(&request) && basic.authorizeAtOnce(&request)
    }

    func authorize(_ request: inout EncodedRequest) async throws {
        try await digest.authorize(&request)
        try await basic.authorize(&request)
    }

    func respond(to challenge: AuthorizationChallenge) async throws -> ChallengeDisposition {
        if DigestOffer.strongest(of: challenge.challenges) != nil { return try await digest.respond(to: challenge) }
        return try await basic.respond(to: challenge)
    }

    func examine(_ head: ResponseHead, of request: EncodedRequest) throws -> BodyCheck? {
        try digest.examine(head, of: request)
    }

    func hasCredentials(in request: EncodedRequest) -> Bool {
        digest.hasCredentials(in: request) || basic.hasCredentials(in: request)
    }
}

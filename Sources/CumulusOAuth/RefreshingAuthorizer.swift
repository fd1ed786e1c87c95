// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import HTTPTypes

/// Bearer tokens that the user's own code obtains, once for all requests that need one; see
/// `BoundAuthorizer.bearer(refreshing:)`.
final class RefreshingAuthorizer: Authorizer {
    private let source: TokenSource

    init(refresh: @escaping @Sendable (_ latest: Secret<String>?) async throws -> BearerToken) {
        let options = OAuth2Options()
        source = TokenSource { _, latest, resource in
            let new = try await refresh(latest?.token?.access)
            guard OAuth2Token.isSendable(new.value.revealed) else {
                throw AuthorizationProblem("the token is empty or contains a character that is not allowed in a header")
            }
            let lifetime = new.lifetime.map { max(.zero, $0) }
            return HeldToken(
                new.value,
                lifetime: lifetime,
                lead: lifetime.map(options.lead) ?? .zero,
                clock: resource.clock,
                token: OAuth2Token(access: new.value),
                identity: new.user.map { AuthorizerIdentity("Bearer of", Secret($0)) } ?? .unique()
            )
        }
    }

    /// The user of the latest token: the name that came with it, or an identity of its own for each token.
    var identity: AuthorizerIdentity? { source.identity }

    func authorize(_ request: inout EncodedRequest) async throws {
        guard !authorizeAtOnce(&request) else { return }
        guard let resource = request.resource else {
            throw AuthorizationProblem("a request outside of any tree has no clock for renewing a token")
        }
        guard !resource.transportCapabilities.sendsNothing else { return }
        if let held = try await source.token(for: resource) { request.headers[.authorization] = held.header }
    }

    func authorizeAtOnce(_ request: inout EncodedRequest) -> Bool { source.authorizeAtOnce(&request) }

    func answer(_ challenge: AuthorizationChallenge) async throws -> ChallengeAnswer {
        guard let resource = challenge.request.resource, let refused = challenge.request.headers[.authorization]
        else { return .giveUp }
        guard challenge.attempt == 1 else {
            source.refuseAgain(refused, for: resource)
            return .stop(because: "the server refused a new token as well")
        }
        return try await source.replace(refused, for: resource) ? .again : .giveUp
    }
}

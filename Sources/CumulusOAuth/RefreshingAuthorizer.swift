// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import HTTPTypes

/// Bearer tokens that the user's own code obtains, once for all requests that need one; see
/// `BoundAuthorizer.bearer(for:store:refreshing:)`.
final class RefreshingAuthorizer: Authorizer {
    /// Where the session is.
    private enum Place {
        /// With this authorizer.
        case own(BearerSession)
        /// With the tree, where all authorizers of the user share it.
        case tree(user: String, store: any TokenStore)
    }

    private let place: Place
    private let refresh: BearerSession.Refresh

    init(user: String?, store: any TokenStore, refresh: @escaping BearerSession.Refresh) {
        place =
            user.map { .tree(user: $0, store: store) }
            ?? .own(BearerSession(user: nil, store: store, refresh: refresh))
        self.refresh = refresh
    }

    /// The user by name; without a name, the user of the latest token, or an identity of its own for each token.
    var identity: AuthorizerIdentity? {
        switch place {
        case .own(let session): session.source.identity
        case .tree(let user, _): BearerSession.identity(of: user)
        }
    }

    func authorize(_ request: inout EncodedRequest) async throws {
        guard !authorizeAtOnce(&request) else { return }
        guard let resource = request.resource else {
            throw AuthorizationProblem("a request outside a resource tree can't renew a token")
        }
        guard !resource.transportCapabilities.sendsNothing else { return }
        let source = session(for: request, of: resource).source(refreshing: refresh)
        if let held = try await source.token(for: resource) { request.headers[.authorization] = held.header }
    }

    func authorizeAtOnce(_ request: inout EncodedRequest) -> Bool {
        switch place {
        case .own(let session): return session.source.authorizeAtOnce(&request)
        case .tree:
            guard let resource = request.resource else { return false }
            return session(for: request, of: resource).source.authorizeAtOnce(&request)
        }
    }

    func respond(to challenge: AuthorizationChallenge) async throws -> ChallengeDisposition {
        guard let resource = challenge.request.resource, let refused = challenge.request.headers[.authorization]
        else { return .giveUp }
        let source = session(for: challenge.request, of: resource).source(refreshing: refresh)
        guard challenge.attempt == 1 else {
            source.refuseAgain(refused, for: resource)
            return .stop(because: "the server also refused a new token")
        }
        return try await source.replace(refused, for: resource) ? .again : .giveUp
    }

    /// The session of the user at the request's origin.
    private func session(for request: EncodedRequest, of resource: Resource) -> BearerSession {
        switch place {
        case .own(let session): session
        case .tree(let user, let store):
            resource.sharedObject(named: "bearer at \(request.origin) of \(user)") {
                BearerSession(user: user, store: store, refresh: refresh)
            }
        }
    }
}

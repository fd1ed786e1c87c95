// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import Synchronization

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A user's tokens that the user's own code obtains: the latest one, and the store that contains it.
final class BearerSession: Sendable {
    /// Obtains a token, from the latest one if there is one.
    typealias Refresh = @Sendable (_ latest: BearerToken?) async throws -> BearerToken

    let source: TokenSource
    private let renewal: Renewal

    /// Creates a session; `user` is `nil` if the tokens name their users.
    init(user: String?, store: any TokenStore, refresh: @escaping Refresh) {
        let renewal = Renewal(user: user, store: store, refresh: refresh)
        self.renewal = renewal
        source = TokenSource { _, latest, resource in
            try await renewal.renew(latest: latest?.token, on: resource.clock)
        }
    }

    /// The source, which obtains the next token by this function: that of the copy whose request needs it.
    func source(refreshing refresh: @escaping Refresh) -> TokenSource {
        renewal.use(refresh)
        return source
    }

    /// The identity of a user by name.
    static func identity(of user: String) -> AuthorizerIdentity { AuthorizerIdentity("Bearer of", Secret(user)) }

    /// Obtains tokens and stores them.
    private final class Renewal: Sendable {
        private let user: String?
        private let store: TokenStoreView
        private let refresh: Mutex<Refresh>
        private let options = OAuth2Options()

        init(user: String?, store: any TokenStore, refresh: @escaping Refresh) {
            self.user = user
            self.store = TokenStoreView(store)
            self.refresh = Mutex(refresh)
        }

        func use(_ refresh: @escaping Refresh) { self.refresh.withLock { $0 = refresh } }

        /// Obtains a token, unless the store contains a newer one than the latest.
        func renew(latest: OAuth2Token?, on clock: any RequestClock) async throws -> HeldToken {
            try await store.exclusively { [self] in
                let epoch = store.epoch
                let stored = try await store.token(since: epoch).flatMap { $0.source == user ? $0 : nil }
                if let stored, stored.access != latest?.access, stored.expires.map({ options.now() < $0 }) ?? true {
                    let lifetime = stored.expires.map { Duration.seconds($0.timeIntervalSince(options.now())) }
                    return held(stored, lifetime: lifetime, identity: user.map(BearerSession.identity), on: clock)
                }
                let old = (stored ?? latest).map { BearerToken($0.access, refresh: $0.refresh) }
                let refresh = self.refresh.withLock(\.self)
                let new = try await refresh(old)
                try check(new)
                let lifetime = new.lifetime.map { min(max(.zero, $0), .seconds(1_000_000_000)) }
                let expires = lifetime.map { options.now().addingTimeInterval($0 / .seconds(1)) }
                let token = OAuth2Token(access: new.value, refresh: new.refresh, expires: expires, source: user)
                // A token that the store doesn't take is held in memory.
                _ = try await store.keep(token, since: epoch)
                let identity = (user ?? new.user).map(BearerSession.identity) ?? .unique()
                return held(token, lifetime: lifetime, identity: identity, on: clock)
            }
        }

        private func check(_ new: BearerToken) throws(AuthorizationProblem) {
            guard OAuth2Token.isSendable(new.value.revealed) else {
                throw AuthorizationProblem("the token is empty or contains a character that is not allowed in a header")
            }
            if let user, let other = new.user, other != user {
                throw AuthorizationProblem("the token was issued for a user other than the authorizer's")
            }
        }

        private func held(
            _ token: OAuth2Token,
            lifetime: Duration?,
            identity: AuthorizerIdentity?,
            on clock: any RequestClock
        ) -> HeldToken {
            HeldToken(
                token.access,
                lifetime: lifetime,
                lead: lifetime.map(options.lead) ?? .zero,
                clock: clock,
                token: token,
                identity: identity
            )
        }
    }
}

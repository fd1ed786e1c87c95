// SPDX-License-Identifier: Apache-2.0

public import CumulusCore

extension BoundAuthorizer {
    /// Creates an authorizer with OAuth 2 tokens from a token endpoint that you know.
    ///
    /// ```swift
    /// site.setRules {
    ///     $0.authorizers.append(
    ///         .oauth2(.clientCredentials(id: "atlas", secret: secret), tokens: "https://id.example.com/token")
    ///     )
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - grant: How the first token is obtained.
    ///   - tokens: The token endpoint: https, or on this machine.
    ///   - scope: The scope to request, separated by spaces; `nil` leaves it to the server.
    ///   - store: The store for the token.
    /// - Returns: The authorizer, for one list of authorizers or several.
    public static func oauth2(
        _ grant: OAuth2Grant,
        tokens: String,
        scope: String? = nil,
        store: any TokenStore = MemoryTokenStore()
    ) -> BoundAuthorizer {
        .oauth2(grant, server: .endpoints(tokens: tokens), options: OAuth2Options(scope: scope), store: store)
    }

    /// Creates an authorizer with OAuth 2 tokens; see ``OAuth2Authorizer``, which also signs in and out.
    ///
    /// - Parameters:
    ///   - grant: How the first token is obtained.
    ///   - server: The authorization server.
    ///   - options: The options of token requests: the scope, additional fields, and times.
    ///   - store: The store for the token.
    /// - Returns: The authorizer, for one list of authorizers or several.
    public static func oauth2(
        _ grant: OAuth2Grant,
        server: OAuth2Server,
        options: OAuth2Options = OAuth2Options(),
        store: any TokenStore = MemoryTokenStore()
    ) -> BoundAuthorizer {
        .custom(OAuth2Authorizer(grant, server: server, options: options, store: store))
    }

    /// Creates an authorizer with bearer tokens that your own code obtains, once for all requests that need one.
    ///
    /// ```swift
    /// let ada = site.with {
    ///     $0.authorizers = [
    ///         .bearer(for: "ada", store: store) { latest in
    ///             let form = ["code": latest?.refresh?.revealed ?? code]
    ///             let pair = try await site["tokens"].post(body: form, as: TokenPair.self)
    ///             return BearerToken(pair.access, refresh: pair.refresh, lifetime: .seconds(pair.seconds))
    ///         }
    ///     ]
    /// }
    /// ```
    ///
    /// The closure is called for the first request, shortly before a token expires, and when the service refuses one
    /// (401). In that last case, each refused request is sent once more. The closure receives the latest token with its
    /// refresh token, or `nil` the first time. It continues when the waiting requests are cancelled, and its token is
    /// stored before a request uses it. Its own requests may use the same tree, and are sent without a token there. All
    /// waiting requests receive the error that it throws, and no new attempt is made for one second.
    ///
    /// With the name of a `user`, all authorizers of that user in a tree share one session at an origin: copies that
    /// are made for each request of a server sign in once, and share stored responses. The tree retains the sessions of
    /// 4,096 users. Without a name, stored responses belong to the ``BearerToken/user`` of the token; if that is `nil`,
    /// a refreshed token begins with an empty cache.
    ///
    /// - Parameters:
    ///   - user: A name that no other user of the service has; `nil` creates a separate session for this authorizer.
    ///   - store: The store for the latest token. A session has the store of the first authorizer that uses it, and
    ///     ignores a different user's token in the store.
    ///   - refresh: Obtains a token; it receives the latest one, whose `lifetime` is `nil`.
    /// - Returns: The authorizer, for one list of authorizers or several.
    public static func bearer(
        for user: String? = nil,
        store: any TokenStore = MemoryTokenStore(),
        refreshing refresh: @escaping @Sendable (_ latest: BearerToken?) async throws -> BearerToken
    ) -> BoundAuthorizer { .custom(RefreshingAuthorizer(user: user, store: store, refresh: refresh)) }
}

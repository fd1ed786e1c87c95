// SPDX-License-Identifier: Apache-2.0

public import CumulusCore

extension BoundAuthorizer {
    /// OAuth 2 tokens from a token endpoint that you know.
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
    ///   - store: Where the token is kept.
    /// - Returns: The authorizer, for one list of authorizers or several.
    public static func oauth2(
        _ grant: OAuth2Grant,
        tokens: String,
        scope: String? = nil,
        store: any TokenStore = MemoryTokenStore()
    ) -> BoundAuthorizer {
        .oauth2(grant, server: .endpoints(tokens: tokens), options: OAuth2Options(scope: scope), store: store)
    }

    /// OAuth 2 tokens; see ``OAuth2Authorizer``, which also signs in and out.
    ///
    /// - Parameters:
    ///   - grant: How the first token is obtained.
    ///   - server: Where tokens come from.
    ///   - options: What to request, and when.
    ///   - store: Where the token is kept.
    /// - Returns: The authorizer, for one list of authorizers or several.
    public static func oauth2(
        _ grant: OAuth2Grant,
        server: OAuth2Server,
        options: OAuth2Options = OAuth2Options(),
        store: any TokenStore = MemoryTokenStore()
    ) -> BoundAuthorizer {
        .custom(OAuth2Authorizer(grant, server: server, options: options, store: store))
    }

    /// Bearer tokens that your own code obtains; however many requests need one, it is called once, with the latest
    /// token.
    ///
    /// It is called for the first request, shortly before a token expires, and when the service refuses one (401): each
    /// request is then sent once more. It continues when the waiting requests are cancelled. Its own requests may use
    /// the same tree, and are sent without a token there. All waiting requests get the error that it throws; no new
    /// attempt is made for a second.
    ///
    /// If the token has its ``BearerToken/user``, stored responses belong to that user. Otherwise each new token is
    /// another user's, so that a refreshed token begins with an empty cache.
    ///
    /// - Parameter refresh: Returns a token; it is passed the latest one, or `nil` the first time.
    /// - Returns: The authorizer, for one list of authorizers or several.
    public static func bearer(
        refreshing refresh: @escaping @Sendable (_ latest: Secret<String>?) async throws -> BearerToken
    ) -> BoundAuthorizer { .custom(RefreshingAuthorizer(refresh: refresh)) }
}

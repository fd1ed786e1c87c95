// SPDX-License-Identifier: Apache-2.0

/// A token in exchange for another one (RFC 8693): to act for a user at a further service, for example.
public struct TokenExchange: Sendable {
    /// What kind a token is (RFC 8693 section 3).
    public struct Kind: Sendable, Hashable {
        /// Its URI.
        public let uri: String

        /// A kind by its URI.
        public init(_ uri: String) { self.uri = uri }

        /// An OAuth 2 access token.
        public static let accessToken = Kind("urn:ietf:params:oauth:token-type:access_token")
        /// An OAuth 2 refresh token.
        public static let refreshToken = Kind("urn:ietf:params:oauth:token-type:refresh_token")
        /// An OpenID Connect ID token.
        public static let idToken = Kind("urn:ietf:params:oauth:token-type:id_token")
        /// A JSON Web Token.
        public static let jwt = Kind("urn:ietf:params:oauth:token-type:jwt")
    }

    let subject: @Sendable () async throws -> Secret<String>
    let kind: Kind
    let actor: Secret<String>?
    let actorKind: Kind
    let audience: String?

    /// Names what is exchanged.
    ///
    /// - Parameters:
    ///   - subject: Gives the token of the one for whom the program acts; asked before each exchange, since it may end, too.
    ///   - kind: What kind that token is.
    ///   - actor: The token of the one who acts, where that is another.
    ///   - actorKind: What kind that token is.
    ///   - audience: The service that the new token is for, by the name that the server has for it.
    public init(
        subject: @escaping @Sendable () async throws -> Secret<String>,
        kind: Kind = .accessToken,
        actor: Secret<String>? = nil,
        actorKind: Kind = .accessToken,
        audience: String? = nil
    ) {
        self.subject = subject
        self.kind = kind
        self.actor = actor
        self.actorKind = actorKind
        self.audience = audience
    }

    /// Names a token that doesn't change.
    public init(subject: Secret<String>, kind: Kind = .accessToken, audience: String? = nil) {
        self.init(subject: { subject }, kind: kind, audience: audience)
    }

    func fields() async throws -> [(String, String)] {
        var fields = [
            ("grant_type", "urn:ietf:params:oauth:grant-type:token-exchange"),
            ("subject_token", try await subject().revealed), ("subject_token_type", kind.uri),
            ("requested_token_type", Kind.accessToken.uri),
        ]
        if let actor { fields += [("actor_token", actor.revealed), ("actor_token_type", actorKind.uri)] }
        if let audience { fields += [("audience", audience)] }
        return fields
    }
}

// SPDX-License-Identifier: Apache-2.0

public import CumulusCore

/// The exchange of one token for another (RFC 8693), for example to act for a user at a different service.
public struct TokenExchange: Sendable {
    /// The kind of a token (RFC 8693 section 3).
    public struct Kind: Sendable, Hashable {
        /// The kind's URI.
        public let uri: String

        /// Creates a kind from its URI.
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

    /// Creates an exchange.
    ///
    /// - Parameters:
    ///   - subject: Returns the token of the party on whose behalf the program acts; called before each exchange, since
    ///     the token may expire.
    ///   - kind: The kind of that token.
    ///   - actor: The token of the acting party, if that is a different party.
    ///   - actorKind: The kind of that token.
    ///   - audience: The server's name for the service that the new token is for.
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

    /// Creates an exchange with a token that doesn't change.
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

// SPDX-License-Identifier: Apache-2.0

public import CumulusCore
import HTTPTypes

/// Obtains access tokens from an OAuth 2 server (RFC 6749), renews them, and sends them to the service (RFC 6750).
///
/// If several requests need a token at the same time, one token is requested for all of them. The token is renewed
/// shortly before it expires, and when the service refuses it (401); each request is then sent once more. Token
/// requests share only the tree's transport and clock, so its limits never delay them. A running token request
/// continues when the requests that wait for it are cancelled, and its token is stored before any of them uses it; only
/// a login by a person ends if no request waits for it. After a failure, no new attempt is made for one second. If a
/// new token is also refused immediately, the caller receives that refusal, and further refusals cause no renewal for
/// five seconds.
public final class OAuth2Authorizer: Authorizer {
    private let renewal: TokenRenewal
    private let source: TokenSource

    /// Creates an authorizer; it requests a token when the first request needs one.
    ///
    /// - Parameters:
    ///   - grant: How the first token is obtained.
    ///   - server: The authorization server.
    ///   - options: The options of token requests: the scope, additional fields, and times.
    ///   - store: The store for the token.
    ///   - onEvent: A function that is called once for each change to the token. It must not wait.
    public init(
        _ grant: OAuth2Grant,
        server: OAuth2Server,
        options: OAuth2Options = OAuth2Options(),
        store: any TokenStore = MemoryTokenStore(),
        onEvent: @escaping @Sendable (OAuth2Event) -> Void = { _ in }
    ) {
        let renewal = TokenRenewal(grant, server, options, store, onEvent)
        self.renewal = renewal
        source = TokenSource(asksPerson: grant.needsPerson) { try await renewal.renew($0, $1, TokenChannel(for: $2)) }
    }

    /// Whether the authorizer never runs your own code, which might need the main actor: a login, the subject of an
    /// exchange, or a store.
    public var avoidsMainActor: Bool { !renewal.grant.runsForeignCode && renewal.storeView.isOurs }

    /// The user who is signed in.
    ///
    /// The identity changes after each login and logout, and when a token from a different login is found in the store.
    ///
    /// The identity stays the same if the new token is for the same user: if it was obtained with the refresh token, or
    /// for the same client or password. It is valid only within this process.
    public var identity: AuthorizerIdentity? { source.identity }

    /// Adds the token to the request, after requesting one if necessary.
    ///
    /// - Throws: ``OAuth2Error``, any error of the store, or any error of the token request.
    public func authorize(_ request: inout EncodedRequest) async throws {
        guard !authorizeAtOnce(&request) else { return }
        guard let resource = request.resource else {
            throw OAuth2Error(.unsupported, "a request outside a resource tree can't request a token")
        }
        // If nothing is sent, no token is requested either; and some servers are known only after a refusal.
        guard !resource.transportCapabilities.sendsNothing, !renewal.awaitsChallenge else { return }
        if let held = try await source.token(for: resource) { request.headers[.authorization] = held.header }
    }

    /// Adds the token, if there is one that is valid for long enough.
    public func authorizeAtOnce(_ request: inout EncodedRequest) -> Bool { source.authorizeAtOnce(&request) }

    /// Replaces the refused token, after which the request is sent once more.
    ///
    /// - Throws: The errors of ``authorize(_:)``.
    public func respond(to challenge: AuthorizationChallenge) async throws -> ChallengeDisposition {
        // A request sent without a token because the server was unknown may get an old token on its second attempt.
        let most = renewal.isAnnounced ? 2 : 1
        guard let resource = challenge.request.resource else { return .giveUp }
        guard challenge["Bearer"]?["error"] != "insufficient_scope" else {
            return .stop(because: "the token lacks a scope that the server requires")
        }
        let refused = challenge.request.headers[.authorization]
        guard challenge.attempt <= most else {
            source.refuseAgain(refused, for: resource)
            return .stop(because: "the server also refused a new token")
        }
        if renewal.awaitsChallenge { renewal.note(ResourceChallenge(challenge)) }
        return try await source.replace(refused, for: resource) ? .again : .giveUp
    }

    /// Signs in now, even if there is a token: for a program that starts with a login, or after
    /// ``OAuth2Event/ended(_:)``.
    ///
    /// If a renewal is running, the login waits until it ends. Concurrent calls share one login. If all of them are
    /// cancelled, the login ends.
    ///
    /// - Parameter resource: Any resource of the tree whose transport and clock are used.
    /// - Throws: ``OAuth2Error``, or any error of the token request.
    public func logIn(for resource: Resource) async throws { _ = try await source.insist(for: resource) }

    /// Returns the access token that requests send, for use outside of Cumulus; a new token is requested if the token
    /// is missing or expires soon.
    ///
    /// - Throws: The errors of ``authorize(_:)``.
    public func token(for resource: Resource) async throws -> Secret<String> {
        guard let token = try await source.token(for: resource)?.token else {
            throw OAuth2Error(.unsupported, "the token can't be used while it is being requested")
        }
        return token.access
    }

    /// Forgets the token, and revokes it at the server (RFC 7009) if the revocation endpoint is known.
    ///
    /// The token is forgotten first, even if the server can't be reached, and a login in progress fails. After a login
    /// by a person, requests fail until the next ``logIn(for:)``.
    ///
    /// - Throws: ``OAuth2Error``, any error of the store, or any error of the request.
    public func logOut(for resource: Resource) async throws {
        await source.settle()
        renewal.leave()
        source.clear()
        try await renewal.revoke(TokenChannel(for: resource))
    }

    /// How many requests wait for a token; for tests.
    var waiterCount: Int { source.waiterCount }
}

extension OAuth2Authorizer: Redacted {
    /// The server and the client, without secrets.
    public var description: String { "OAuth 2 tokens of \(renewal.binding)" }
}

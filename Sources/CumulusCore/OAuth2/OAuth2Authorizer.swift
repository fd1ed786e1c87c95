// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

/// Gets access tokens from an OAuth 2 server (RFC 6749), renews them, and shows them to the service (RFC 6750).
///
/// However many requests need a token at once, it is requested once. It is renewed shortly before its end, and when the
/// service refuses it (401): each request is then sent once more. Requests for tokens share the tree's transport and
/// clock and nothing else, so they wait at none of its limits. One that is under way continues when those who wait for
/// it are cancelled, and what it brings is stored before anybody is told. After a failure, no new attempt is made for a
/// second.
public final class OAuth2Authorizer: ReadyAuthorizer {
    private let renewal: TokenRenewal
    private let source: TokenSource

    /// Makes an authorizer; it asks for a token when the first request needs one.
    ///
    /// - Parameters:
    ///   - grant: How the first token is obtained.
    ///   - server: Where tokens come from.
    ///   - options: What is asked for, and when.
    ///   - store: Where the token is kept.
    ///   - onEvent: Told what becomes of the token, once each time; must not wait.
    public init(
        _ grant: OAuth2Grant,
        server: OAuth2Server,
        options: OAuth2Options = OAuth2Options(),
        store: any TokenStore = MemoryTokenStore(),
        onEvent: @escaping @Sendable (OAuth2Event) -> Void = { _ in }
    ) {
        let renewal = TokenRenewal(grant, server, options, store, onEvent)
        self.renewal = renewal
        source = TokenSource { try await renewal.renew($0, $1, TokenChannel(for: $2)) }
    }

    /// Shows the service the token; gets one first if there is none.
    ///
    /// - Throws: ``OAuth2Error``, what the store throws, or what the request for a token throws.
    public func authorize(_ request: inout EncodedRequest) async throws {
        guard !addProof(to: &request.headers) else { return }
        guard let resource = request.resource else {
            throw OAuth2Error(.unsupported, "a request outside of any tree can't ask for a token")
        }
        // If nothing is sent, no token is asked for either; and some servers are known only after a refusal.
        guard resource.fixtureUse != .only, !renewal.awaitsChallenge else { return }
        if let held = try await source.token(for: resource) { request.headers[.authorization] = held.header }
    }

    func addProof(to headers: inout HTTPFields) -> Bool { source.addProof(to: &headers) }

    /// Gets another token in the place of the one that was refused, and has the request sent once more.
    ///
    /// - Throws: As ``authorize(_:)``.
    public func answer(_ challenge: AuthorizationChallenge) async throws -> ChallengeAnswer {
        // What went without a token because nobody knew the server may bring an old one the second time.
        let most = renewal.isAnnounced ? 2 : 1
        guard challenge.attempt <= most, let resource = challenge.request.resource,
            challenge["Bearer"]?["error"] != "insufficient_scope"
        else { return .giveUp }
        if renewal.awaitsChallenge { renewal.note(ResourceChallenge(challenge)) }
        let refused = challenge.request.headers[.authorization]
        return try await source.replace(refused, for: resource) ? .again : .giveUp
    }

    /// Signs in now, whatever token there is: for a program that starts with it, or after ``OAuth2Event/ended(_:)``.
    ///
    /// - Parameter resource: Any resource of the tree whose transport and clock are used.
    /// - Throws: ``OAuth2Error``, or what the request for a token throws.
    public func logIn(for resource: Resource) async throws { _ = try await source.insist(for: resource) }

    /// The access token that requests send, for use outside of Cumulus; a new one if there is none, or it ends soon.
    ///
    /// - Throws: As ``authorize(_:)``.
    public func token(for resource: Resource) async throws -> Secret<String> {
        guard let token = try await source.token(for: resource)?.token else {
            throw OAuth2Error(.unsupported, "there is no token while it is being fetched")
        }
        return token.access
    }

    /// Forgets the token, and has the server take it back (RFC 7009) if it says where.
    ///
    /// It is forgotten first, so that it is gone even if the server can't be reached. After a login by a person, requests
    /// fail until the next ``logIn(for:)``.
    ///
    /// - Throws: ``OAuth2Error``, what the store throws, or what the request throws.
    public func logOut(for resource: Resource) async throws {
        await source.clear()
        try await renewal.revoke(TokenChannel(for: resource))
    }

    /// How many wait for a token; for tests.
    var waiterCount: Int { source.waiterCount }
}

extension OAuth2Authorizer: CustomStringConvertible, CustomReflectable {
    /// The server and the client, nothing of secrets.
    public var description: String { "OAuth 2 tokens of \(renewal.binding)" }
    /// Shows the same as the description.
    public var customMirror: Mirror { Mirror(self, children: ["authorizer": description]) }
}

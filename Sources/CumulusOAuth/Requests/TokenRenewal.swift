// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives
import Synchronization

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// How an ``OAuth2Authorizer`` gets its tokens: from the store, with a refresh token, or with its grant.
final class TokenRenewal: Sendable {
    struct Memory {
        var endpoints: OAuth2Endpoints?
        var announcement: ResourceChallenge?
        /// A refresh token that the server no longer accepts.
        var used: Secret<String>?
        /// The error after which only a login helps.
        var end: OAuth2Error?
        /// The access token that was issued last.
        var issued: Secret<String>?
        /// The access token that was issued last in place of another one of the same user.
        var continued: Secret<String>?
    }

    /// One renewal: the latest token, the way to the server, and how many logouts there were before.
    struct RenewalContext: Sendable {
        let old: OAuth2Token?
        let channel: TokenChannel
        let epoch: Int
    }

    let grant: OAuth2Grant
    let options: OAuth2Options
    let storeView: TokenStoreView
    let onEvent: @Sendable (OAuth2Event) -> Void
    let memory = Mutex(Memory())
    private let discovery: ServerDiscovery

    init(
        _ grant: OAuth2Grant,
        _ server: OAuth2Server,
        _ options: OAuth2Options,
        _ store: any TokenStore,
        _ onEvent: @escaping @Sendable (OAuth2Event) -> Void
    ) {
        self.grant = grant
        self.options = options
        self.onEvent = onEvent
        storeView = TokenStoreView(store)
        discovery = ServerDiscovery(server: server)
    }

    /// Whether the server is known only after a refusal.
    var isAnnounced: Bool { discovery.needsChallenge }

    /// Whether that refusal has not arrived yet.
    var awaitsChallenge: Bool { isAnnounced && memory.withLock { $0.endpoints == nil && $0.announcement == nil } }

    /// Notes a refusal that may lead to the server.
    func note(_ challenge: ResourceChallenge) { memory.withLock { $0.announcement = challenge } }

    /// Gets a token.
    ///
    /// - Throws: ``LoginNeeded`` if only a person can help, who is not asked here; any other error.
    func renew(_ occasion: TokenSource.Occasion, _ latest: HeldToken?, _ channel: TokenChannel) async throws
        -> HeldToken
    {
        let context = RenewalContext(old: latest?.token, channel: channel, epoch: storeView.epoch)
        switch occasion {
        case .login:
            memory.withLock { $0.end = nil }
            return held(try await grantedToken(context, inLock: false), channel)
        case .person: return held(try await grantedToken(context, inLock: false), channel)
        case .need:
            if let other = try await newerToken(context) { return held(other, channel) }
            // No other caller waits for the store while a person signs in.
            if grant.needsPerson, try await refreshToken(context) == nil { throw loginNeeded }
            let token = try await storeView.exclusively { [self] in
                if let other = try await newerToken(context) { return other }
                return try await renewedToken(context)
            }
            return held(token, channel)
        }
    }

    /// Begins to forget the token: from now on no renewal finds the stored one, or stores another.
    func leave() {
        storeView.leave()
        guard !grant.isSilent else { return }
        memory.withLock { $0.end = OAuth2Error(.ended, "no user is signed in") }
    }

    /// Ends what ``leave()`` has begun, and revokes the token at the server if the revocation endpoint is known.
    func revoke(_ channel: TokenChannel) async throws {
        // A renewal by another user of the store ends first: its token is forgotten and revoked, too.
        guard let last = try await storeView.empty(), isOwn(last) else { return }
        if !grant.isSilent { memory.withLock { $0.used = last.refresh ?? $0.used } }
        try await revoke(last, channel)
    }

    /// Revokes a token at the server (RFC 7009).
    func revoke(_ token: OAuth2Token, _ channel: TokenChannel) async throws {
        let endpoints = try await endpoints(channel)
        guard let revocation = endpoints.revocation else { return }
        let (token, hint) = token.refresh.map { ($0, "refresh_token") } ?? (token.access, "access_token")
        let fields = [("token", token.revealed), ("token_type_hint", hint)]
        _ = try await channel.post(fields, to: revocation, as: endpoints.adapted(grant.client))
    }

    func endpoints(_ channel: TokenChannel) async throws -> OAuth2Endpoints {
        let (known, announcement) = memory.withLock { ($0.endpoints, $0.announcement) }
        if let known { return known }
        do {
            let found = try await discovery.endpoints(channel, announcement)
            memory.withLock { $0.endpoints = found }
            return found
        } catch {
            // A refusal that led nowhere is forgotten, so that the next one can lead somewhere else.
            memory.withLock { $0.announcement = nil }
            throw error
        }
    }
}

// What tokens are for, and in which form requests get them.
extension TokenRenewal {
    /// What its tokens are issued for; those for another user or service are ignored.
    var binding: String {
        var text = client
        if case .password(let user, _) = grant.kind { text += " as \(user)" }
        let others = options.fields.filter { $0.0 != "scope" }
        guard !others.isEmpty else { return text }
        // Hashed, since secrets may be among them.
        let digest = MessageDigest.sha256(of: Array(TokenChannel.form(others).utf8))
        return text + " with \(MessageDigest.hexadecimal(digest))"
    }

    private var client: String {
        "\(grant.client.id) at \(discovery.server)\(options.scope.map { " for \($0)" } ?? "")"
    }

    /// Whether a stored token was issued for this; `.stored` accepts the token of any login.
    func isOwn(_ token: OAuth2Token) -> Bool {
        guard case .stored = grant.kind, let source = token.source else { return token.source == binding }
        return source == client || source.begins(with: "\(client) ")
    }

    private func held(_ token: OAuth2Token, _ channel: TokenChannel) -> HeldToken {
        let rest = token.expires.map { expires -> Duration in
            let seconds = min(max(0, expires.timeIntervalSince(options.now())), 1e9)
            return .milliseconds(Int64((seconds * 1000).rounded()))
        }
        // A token that only a person can renew is used until it expires.
        let canRenew = grant.isSilent || token.refresh != nil
        let (issued, continued) = memory.withLock { ($0.issued, $0.continued) }
        return HeldToken(
            token.access,
            lifetime: rest,
            lead: rest.map { canRenew ? options.lead(for: $0) : .zero } ?? .zero,
            clock: channel.clock,
            token: token,
            isNew: issued == token.access,
            // A token from the store may be that of another program's login.
            identity: continued == token.access ? nil : .unique()
        )
    }
}

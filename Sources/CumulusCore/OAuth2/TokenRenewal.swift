// SPDX-License-Identifier: Apache-2.0

import Synchronization

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// How an ``OAuth2Authorizer`` gets its tokens: from the store, with a refresh token, or with its grant.
final class TokenRenewal: Sendable {
    private struct Memory {
        var endpoints: OAuth2Endpoints?
        var announcement: ResourceChallenge?
        /// A refresh token that the server no longer accepts.
        var used: Secret<String>?
        /// The error after which only a login helps.
        var end: OAuth2Error?
    }

    let grant: OAuth2Grant
    let options: OAuth2Options
    let store: any TokenStore
    private let discovery: ServerDiscovery
    private let onEvent: @Sendable (OAuth2Event) -> Void
    private let memory = Mutex(Memory())

    init(
        _ grant: OAuth2Grant,
        _ server: OAuth2Server,
        _ options: OAuth2Options,
        _ store: any TokenStore,
        _ onEvent: @escaping @Sendable (OAuth2Event) -> Void
    ) {
        self.grant = grant
        self.options = options
        self.store = store
        self.onEvent = onEvent
        discovery = ServerDiscovery(server: server)
    }

    /// Whether the server is known only after a refusal.
    var isAnnounced: Bool { discovery.needsChallenge }

    /// Whether that refusal has not arrived yet.
    var awaitsChallenge: Bool { isAnnounced && memory.withLock { $0.endpoints == nil && $0.announcement == nil } }

    /// Notes a refusal that may lead to the server.
    func note(_ challenge: ResourceChallenge) { memory.withLock { $0.announcement = challenge } }

    /// Gets a token.
    func renew(_ occasion: TokenSource.Occasion, _ latest: HeldToken?, _ channel: TokenChannel) async throws
        -> HeldToken
    {
        let old = latest?.token
        if occasion == .login {
            memory.withLock { $0.end = nil }
            return held(try await grantedToken(channel, inLock: false), channel)
        }
        if let other = try await newerToken(than: old) { return held(other, channel) }
        // Nobody else waits for the store while a person signs in.
        if grant.needsPerson, try await refreshToken(old) == nil {
            return held(try await grantedToken(channel, inLock: false), channel)
        }
        let token = try await store.exclusively { [self] in
            if let other = try await newerToken(than: old) { return other }
            return try await renewedToken(old, channel)
        }
        return held(token, channel)
    }

    /// Forgets the token, and revokes it at the server if the revocation endpoint is known.
    func revoke(_ channel: TokenChannel) async throws {
        // A renewal in progress ends first: its token is forgotten and revoked, too.
        let last = try await store.exclusively { [self] in
            let last = try await storedToken()
            if !grant.isSilent {
                memory.withLock { memory in
                    memory.end = OAuth2Error(.ended, "nobody is signed in")
                    memory.used = last?.refresh ?? memory.used
                }
            }
            try await store.keep(nil)
            return last
        }
        guard let last, let revocation = try await endpoints(channel).revocation else { return }
        let (token, hint) = last.refresh.map { ($0, "refresh_token") } ?? (last.access, "access_token")
        let fields = [("token", token.revealed), ("token_type_hint", hint)]
        _ = try await channel.post(fields, to: revocation, as: grant.client)
    }

    private func endpoints(_ channel: TokenChannel) async throws -> OAuth2Endpoints {
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

// The ways to get a token.
extension TokenRenewal {
    /// Uses the refresh token if there is one, else the grant.
    private func renewedToken(_ old: OAuth2Token?, _ channel: TokenChannel) async throws -> OAuth2Token {
        guard let refresh = try await refreshToken(old) else {
            return try await grantedToken(channel, inLock: true)
        }
        let fields = [("grant_type", "refresh_token"), ("refresh_token", refresh.revealed)] + options.fields
        do {
            let json = try await channel.post(fields, to: try await endpoints(channel).tokens, as: grant.client)
            return try await keep(try TokenAnswer(json), after: refresh)
        } catch let error as OAuth2Error where error.isInvalidGrant {
            // Someone may have renewed it without taking a lock that is visible here.
            if let other = try await newerToken(than: old), other.refresh != refresh { return other }
            memory.withLock { $0.used = refresh }
            if grant.isSilent { return try await grantedToken(channel, inLock: true) }
            throw try await end(error, forgetting: refresh)
        }
    }

    /// Uses the grant; `inLock` means that the store's lock is held already.
    private func grantedToken(_ channel: TokenChannel, inLock: Bool) async throws -> OAuth2Token {
        if let end = memory.withLock(\.end) { throw end }
        let endpoints = try await endpoints(channel)
        do {
            let isExchange = if case .exchange = grant.kind { true } else { false }
            let given = try TokenAnswer(try await answer(endpoints, channel), isExchange: isExchange)
            guard !inLock else { return try await keep(given, after: nil) }
            // A concurrent renewal of an older token must not overwrite this one.
            return try await store.exclusively { [self] in try await keep(given, after: nil) }
        } catch let error as OAuth2Error where error.isInvalidGrant {
            // A wrong password stays wrong, and repeating it locks accounts.
            throw try await end(error, forgetting: nil)
        }
    }

    private func answer(_ endpoints: OAuth2Endpoints, _ channel: TokenChannel) async throws -> JSON {
        let (tokens, client) = (endpoints.tokens, grant.client)
        switch grant.kind {
        case .clientCredentials:
            return try await channel.post(
                [("grant_type", "client_credentials")] + options.fields,
                to: tokens,
                as: client
            )
        case .password(let user, let password):
            let fields = [("grant_type", "password"), ("username", user), ("password", password.revealed)]
            return try await channel.post(fields + options.fields, to: tokens, as: client)
        case .code(let receiver, let present):
            return try await CodeLogin(endpoints, client, options).run(channel, receiver, present)
        case .device(let present):
            guard let device = endpoints.device else {
                throw OAuth2Error(.unsupported, "there is no address that issues device codes")
            }
            var fields = options.fields
            // The form names the client even if a header field does (RFC 8628 section 3.1).
            if client.authentication == .basic { fields.append(("client_id", client.id)) }
            let login = try DeviceLogin(try await channel.post(fields, to: device, as: client))
            return try await login.finish(channel, at: tokens, as: client, present)
        case .exchange(let exchange):
            return try await channel.post(try await exchange.fields() + options.fields, to: tokens, as: client)
        case .refresh, .stored: throw OAuth2Error(.ended, "nobody is signed in: there is no token to renew")
        }
    }

    /// Stores a token before anyone uses it.
    private func keep(_ answer: TokenAnswer, after refresh: Secret<String>?) async throws -> OAuth2Token {
        let token = OAuth2Token(
            access: answer.access,
            // Without a new refresh token in the answer, the old one stays valid (RFC 6749 section 6).
            refresh: answer.refresh ?? refresh,
            expires: answer.lifetime.map { options.now().addingTimeInterval(Double($0.components.seconds)) },
            scope: answer.scope,
            source: binding
        )
        memory.withLock { $0.end = nil }
        do {
            try await store.keep(token)
            onEvent(.renewed)
        } catch {
            onEvent(.notStored(error))
        }
        return token
    }

    /// Reports the end once; until a login the same error is thrown immediately.
    private func end(_ error: OAuth2Error, forgetting refresh: Secret<String>?) async throws -> OAuth2Error {
        let end = OAuth2Error(
            .ended,
            "the grant is used up or revoked, so a new login is needed: \(error.message)",
            error: error.error,
            errorDescription: error.errorDescription,
            status: error.status
        )
        memory.withLock { $0.end = end }
        if let refresh, try await storedToken()?.refresh == refresh { try? await store.keep(nil) }
        onEvent(.ended(end))
        return end
    }

    private func storedToken() async throws -> OAuth2Token? {
        try await store.token().flatMap { isOwn($0) ? $0 : nil }
    }

    /// A token that someone else stored, if it is still valid.
    private func newerToken(than old: OAuth2Token?) async throws -> OAuth2Token? {
        guard let stored = try await storedToken(), stored.access != old?.access,
            stored.expires.map({ $0 > options.now() }) ?? true
        else { return nil }
        return stored
    }

    private func refreshToken(_ old: OAuth2Token?) async throws -> Secret<String>? {
        let (used, hasEnded) = memory.withLock { ($0.used, $0.end != nil) }
        var initial: Secret<String>?
        if case .refresh(let token) = grant.kind, !hasEnded { initial = token }
        let candidates = [try await storedToken()?.refresh, old?.refresh, initial]
        return candidates.lazy.compactMap(\.self).first.flatMap { $0 == used ? nil : $0 }
    }

    /// What its tokens are issued for; those for another user or service are ignored.
    var binding: String {
        var text = client
        if case .password(let user, _) = grant.kind { text += " as \(user)" }
        let others = options.fields.filter { $0.0 != "scope" }
        guard !others.isEmpty else { return text }
        // Hashed, since secrets may be among them.
        let digest = MessageDigest.sha256(of: Array(TokenChannel.form(others).utf8))
        return text + " with \(AWSEscaping.hexadecimal(digest))"
    }

    private var client: String {
        "\(grant.client.id) at \(discovery.server)\(options.scope.map { " for \($0)" } ?? "")"
    }

    /// Whether a stored token was issued for this; `.stored` accepts the token of any login.
    private func isOwn(_ token: OAuth2Token) -> Bool {
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
        return HeldToken(
            token.access,
            lifetime: rest,
            lead: rest.map { canRenew ? options.lead(for: $0) : .zero } ?? .zero,
            clock: channel.clock,
            token: token
        )
    }
}

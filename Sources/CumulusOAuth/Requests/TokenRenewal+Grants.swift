// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import Synchronization

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

// The ways to get a token.
extension TokenRenewal {
    /// Uses the refresh token if there is one, else the grant; the store's lock is held.
    func renewedToken(_ context: RenewalContext) async throws -> OAuth2Token {
        guard let refresh = try await refreshToken(context) else {
            if grant.needsPerson { throw loginNeeded }
            return try await grantedToken(context, inLock: true)
        }
        let channel = context.channel
        let fields = [("grant_type", "refresh_token"), ("refresh_token", refresh.revealed)] + options.fields
        do {
            let endpoints = try await endpoints(channel)
            let json = try await channel.post(fields, to: endpoints.tokens, as: endpoints.adapted(grant.client))
            let isSameUser = refresh == context.old?.refresh
            return try await keep(
                try await read(json, after: refresh, context),
                after: refresh,
                context,
                isSameUser: isSameUser
            )
        } catch let error as OAuth2Error where error.isInvalidGrant {
            // Someone may have renewed it without taking a lock that is visible here.
            if let other = try await newerToken(context), other.refresh != refresh { return other }
            memory.withLock { $0.used = refresh }
            if grant.isSilent { return try await grantedToken(context, inLock: true) }
            throw try await end(error, forgetting: refresh, context)
        }
    }

    /// Reads the response to a refresh token; of a response without a usable access token, the next refresh token is
    /// kept.
    private func read(
        _ json: JSON,
        after refresh: Secret<String>,
        _ context: RenewalContext
    ) async throws -> TokenResponse {
        do {
            return try TokenResponse(json)
        } catch {
            if let next = TokenResponse.rotation(in: json), next != refresh {
                let access = context.old?.access ?? Secret("none")
                let past = Date(timeIntervalSince1970: 0)
                let expired = OAuth2Token(access: access, refresh: next, expires: past, source: binding)
                if let failure = try await storeView.keep(expired, since: context.epoch) {
                    onEvent(.notStored(failure))
                }
            }
            throw error
        }
    }

    /// Uses the grant; `inLock` means that the store's lock is held already.
    func grantedToken(_ context: RenewalContext, inLock: Bool) async throws -> OAuth2Token {
        if let end = memory.withLock(\.end) { throw end }
        let endpoints = try await endpoints(context.channel)
        do {
            let isExchange = if case .exchange = grant.kind { true } else { false }
            let given = try TokenResponse(try await answer(endpoints, context.channel), isExchange: isExchange)
            guard !inLock else {
                let isSameUser = context.old != nil && grant.hasFixedUser
                return try await keep(given, after: nil, context, isSameUser: isSameUser)
            }
            // A concurrent renewal of an older token must not overwrite this one.
            return try await storeView.exclusively { [self] in
                try await keep(given, after: nil, context, isSameUser: false)
            }
        } catch let error as OAuth2Error where error.isInvalidGrant {
            // A wrong password stays wrong, and repeating it locks accounts.
            throw try await end(error, forgetting: nil, context)
        }
    }

    /// The error of a renewal that only a person can help.
    var loginNeeded: any Error { memory.withLock(\.end) ?? LoginNeeded() }

    private func answer(_ endpoints: OAuth2Endpoints, _ channel: TokenChannel) async throws -> JSON {
        let (tokens, client) = (endpoints.tokens, endpoints.adapted(grant.client))
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
                throw OAuth2Error(.unsupported, "the authorization server has no device authorization endpoint")
            }
            var fields = options.fields
            // The form names the client even if a header field does (RFC 8628 section 3.1).
            if client.authentication == .basic { fields.append(("client_id", client.id)) }
            let login = try DeviceLogin(try await channel.post(fields, to: device, as: client))
            return try await login.finish(channel, at: tokens, as: client, present)
        case .exchange(let exchange):
            return try await channel.post(try await exchange.fields() + options.fields, to: tokens, as: client)
        case .refresh, .stored: throw OAuth2Error(.ended, "no user is signed in, so there is no token to renew")
        }
    }

    /// Stores a token before anyone uses it.
    ///
    /// - Throws: ``OAuth2Error`` after a logout; the token is then revoked.
    private func keep(
        _ answer: TokenResponse,
        after refresh: Secret<String>?,
        _ context: RenewalContext,
        isSameUser: Bool
    ) async throws -> OAuth2Token {
        let token = OAuth2Token(
            access: answer.access,
            // Without a new refresh token in the response, the old one stays valid (RFC 6749 section 6).
            refresh: answer.refresh ?? refresh,
            expires: answer.lifetime.map { options.now().addingTimeInterval(Double($0.components.seconds)) },
            scope: answer.scope,
            source: binding
        )
        do {
            let failure = try await storeView.keep(token, since: context.epoch)
            memory.withLock { memory in
                if storeView.epoch == context.epoch { memory.end = nil }
                memory.issued = token.access
                memory.continued = isSameUser ? token.access : nil
            }
            onEvent(failure.map(OAuth2Event.notStored) ?? .renewed)
        } catch {
            try? await revoke(token, context.channel)
            throw error
        }
        return token
    }

    /// Reports the end once; until a login the same error is thrown immediately.
    private func end(_ error: OAuth2Error, forgetting refresh: Secret<String>?, _ context: RenewalContext) async throws
        -> OAuth2Error
    {
        let end = OAuth2Error(
            .ended,
            "the grant was used up or revoked; sign in again: \(error.message)",
            error: error.error,
            errorDescription: error.errorDescription,
            status: error.status
        )
        try storeView.check(context.epoch)
        memory.withLock { $0.end = end }
        if let refresh, try await storedToken(context)?.refresh == refresh {
            _ = try await storeView.keep(nil, since: context.epoch)
        }
        onEvent(.ended(end))
        return end
    }

    private func storedToken(_ context: RenewalContext) async throws -> OAuth2Token? {
        try await storeView.token(since: context.epoch).flatMap { isOwn($0) ? $0 : nil }
    }

    /// A token that someone else stored, if it is still valid.
    func newerToken(_ context: RenewalContext) async throws -> OAuth2Token? {
        guard let stored = try await storedToken(context), stored.access != context.old?.access,
            stored.expires.map({ $0 > options.now() }) ?? true
        else { return nil }
        // It may be another user's, even one that was issued here before.
        memory.withLock { $0.continued = nil }
        return stored
    }

    func refreshToken(_ context: RenewalContext) async throws -> Secret<String>? {
        let (used, hasEnded) = memory.withLock { ($0.used, $0.end != nil) }
        var initial: Secret<String>?
        if case .refresh(let token) = grant.kind, !hasEnded { initial = token }
        let candidates = [try await storedToken(context)?.refresh, context.old?.refresh, initial]
        return candidates.lazy.compactMap(\.self).first.flatMap { $0 == used ? nil : $0 }
    }
}

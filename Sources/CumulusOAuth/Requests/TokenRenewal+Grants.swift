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
    func renewedToken(_ errand: Errand) async throws -> OAuth2Token {
        guard let refresh = try await refreshToken(errand) else {
            if grant.needsPerson { throw loginNeeded }
            return try await grantedToken(errand, inLock: true)
        }
        let channel = errand.channel
        let fields = [("grant_type", "refresh_token"), ("refresh_token", refresh.revealed)] + options.fields
        do {
            let endpoints = try await endpoints(channel)
            let json = try await channel.post(fields, to: endpoints.tokens, as: endpoints.adapted(grant.client))
            let isSameUser = refresh == errand.old?.refresh
            return try await keep(
                try await read(json, after: refresh, errand),
                after: refresh,
                errand,
                isSameUser: isSameUser
            )
        } catch let error as OAuth2Error where error.isInvalidGrant {
            // Someone may have renewed it without taking a lock that is visible here.
            if let other = try await newerToken(errand), other.refresh != refresh { return other }
            memory.withLock { $0.used = refresh }
            if grant.isSilent { return try await grantedToken(errand, inLock: true) }
            throw try await end(error, forgetting: refresh, errand)
        }
    }

    /// Reads the response to a refresh token; of a response without a usable access token, the next refresh token is kept.
    private func read(_ json: JSON, after refresh: Secret<String>, _ errand: Errand) async throws -> TokenAnswer {
        do {
            return try TokenAnswer(json)
        } catch {
            if let next = TokenAnswer.rotation(in: json), next != refresh {
                let access = errand.old?.access ?? Secret("none")
                let past = Date(timeIntervalSince1970: 0)
                let expired = OAuth2Token(access: access, refresh: next, expires: past, source: binding)
                if let failure = try await storeView.keep(expired, since: errand.epoch) { onEvent(.notStored(failure)) }
            }
            throw error
        }
    }

    /// Uses the grant; `inLock` means that the store's lock is held already.
    func grantedToken(_ errand: Errand, inLock: Bool) async throws -> OAuth2Token {
        if let end = memory.withLock(\.end) { throw end }
        let endpoints = try await endpoints(errand.channel)
        do {
            let isExchange = if case .exchange = grant.kind { true } else { false }
            let given = try TokenAnswer(try await answer(endpoints, errand.channel), isExchange: isExchange)
            guard !inLock else {
                let isSameUser = errand.old != nil && grant.hasFixedUser
                return try await keep(given, after: nil, errand, isSameUser: isSameUser)
            }
            // A concurrent renewal of an older token must not overwrite this one.
            return try await storeView.exclusively { [self] in
                try await keep(given, after: nil, errand, isSameUser: false)
            }
        } catch let error as OAuth2Error where error.isInvalidGrant {
            // A wrong password stays wrong, and repeating it locks accounts.
            throw try await end(error, forgetting: nil, errand)
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
    ///
    /// - Throws: ``OAuth2Error`` after a logout; the token is then revoked.
    private func keep(
        _ answer: TokenAnswer,
        after refresh: Secret<String>?,
        _ errand: Errand,
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
            let failure = try await storeView.keep(token, since: errand.epoch)
            memory.withLock { memory in
                if storeView.epoch == errand.epoch { memory.end = nil }
                memory.issued = token.access
                memory.continued = isSameUser ? token.access : nil
            }
            onEvent(failure.map(OAuth2Event.notStored) ?? .renewed)
        } catch {
            try? await revoke(token, errand.channel)
            throw error
        }
        return token
    }

    /// Reports the end once; until a login the same error is thrown immediately.
    private func end(_ error: OAuth2Error, forgetting refresh: Secret<String>?, _ errand: Errand) async throws
        -> OAuth2Error
    {
        let end = OAuth2Error(
            .ended,
            "the grant is used up or revoked, so a new login is needed: \(error.message)",
            error: error.error,
            errorDescription: error.errorDescription,
            status: error.status
        )
        try storeView.check(errand.epoch)
        memory.withLock { $0.end = end }
        if let refresh, try await storedToken(errand)?.refresh == refresh {
            _ = try await storeView.keep(nil, since: errand.epoch)
        }
        onEvent(.ended(end))
        return end
    }

    private func storedToken(_ errand: Errand) async throws -> OAuth2Token? {
        try await storeView.token(since: errand.epoch).flatMap { isOwn($0) ? $0 : nil }
    }

    /// A token that someone else stored, if it is still valid.
    func newerToken(_ errand: Errand) async throws -> OAuth2Token? {
        guard let stored = try await storedToken(errand), stored.access != errand.old?.access,
            stored.expires.map({ $0 > options.now() }) ?? true
        else { return nil }
        // It may be another user's, even one that was issued here before.
        memory.withLock { $0.continued = nil }
        return stored
    }

    func refreshToken(_ errand: Errand) async throws -> Secret<String>? {
        let (used, hasEnded) = memory.withLock { ($0.used, $0.end != nil) }
        var initial: Secret<String>?
        if case .refresh(let token) = grant.kind, !hasEnded { initial = token }
        let candidates = [try await storedToken(errand)?.refresh, errand.old?.refresh, initial]
        return candidates.lazy.compactMap(\.self).first.flatMap { $0 == used ? nil : $0 }
    }
}

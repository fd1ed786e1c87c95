// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Synchronization

/// Gives many requests one token, and renews it once for all of them.
final class TokenSource: Sendable {
    /// Why a token is requested.
    enum Occasion: Sendable {
        /// There is none, or it expires soon, or was refused.
        case need
        /// The caller wants to sign in, even if there is a token.
        case login
    }

    /// Gets a token for requests of a resource, from the latest one if there is one.
    typealias Renewal = @Sendable (Occasion, _ latest: HeldToken?, _ resource: Resource) async throws -> HeldToken

    /// The sources whose renewals the current task is part of: their requests are sent without a token.
    @TaskLocal private static var underway: [ObjectIdentifier] = []

    private let state = Mutex(TokenState())
    private let renew: Renewal

    init(renew: @escaping Renewal) { self.renew = renew }

    /// Adds the token if it needs no renewal; also returns true if the request has its own `Authorization` field.
    func addProof(to headers: inout HTTPFields) -> Bool {
        guard !headers.contains(.authorization) else { return true }
        guard let held = state.withLock(\.held), held.isFresh else { return false }
        headers.append(held.field)
        return true
    }

    /// The latest token, even if it has expired.
    var latest: HeldToken? { state.withLock(\.latest) }

    /// How many requests wait; for tests.
    var waiterCount: Int { state.withLock(\.flight)?.waiterCount ?? 0 }

    /// Whether the current task is part of this source's renewal, whose own requests are sent without a token.
    var isUnderway: Bool { TokenSource.underway.contains(ObjectIdentifier(self)) }

    /// A valid token; `nil` for a request that is part of its renewal.
    func token(for resource: Resource) async throws -> HeldToken? {
        guard !isUnderway else { return nil }
        let now = resource.clock.moment
        return try await take(state.withLock { $0.ask(at: now) }, for: resource)
    }

    /// Replaces a token that was refused.
    ///
    /// - Returns: Whether there is a token that was not refused.
    func replace(_ refused: String?, for resource: Resource) async throws -> Bool {
        guard !isUnderway else { return false }
        let now = resource.clock.moment
        let step = state.withLock { state in refused.map { state.refuse($0, at: now) } ?? state.ask(at: now) }
        return try await take(step, for: resource) != nil
    }

    /// Requests a token now, even if there is one.
    func insist(for resource: Resource) async throws -> HeldToken? {
        try await take(state.withLock { $0.insist() }, for: resource, .login)
    }

    /// Forgets the token, once no renewal is running.
    func clear() async {
        if let flight = state.withLock(\.flight) { _ = try? await flight.wait() }
        state.withLock { $0.clear() }
    }

    private func take(
        _ step: TokenState.Step,
        for resource: Resource,
        _ occasion: Occasion = .need
    ) async throws -> HeldToken? {
        let (flight, fallback): (SharedWork<HeldToken>, HeldToken?)
        switch step {
        case .use(let held): return held
        case .stranger: return nil
        case .fail(let error): throw error
        case .wait(let running, let good): (flight, fallback) = (running, good)
        case .begin(let new, let good):
            (flight, fallback) = (new, good)
            launch(new, for: resource, occasion)
        }
        do {
            return try await flight.wait()
        } catch {
            // A token that is still valid is used; another may be obtained later.
            guard let fallback, fallback.isGood, !Task.isCancelled else { throw error }
            return fallback
        }
    }

    /// Runs in its own task: its first caller may be cancelled, and a new token must not be lost with it.
    private func launch(_ flight: SharedWork<HeldToken>, for resource: Resource, _ occasion: Occasion) {
        TokenSource.$underway.withValue(TokenSource.underway + [ObjectIdentifier(self)]) {
            flight.begin { [self] in
                let result: Result<HeldToken, any Error>
                do {
                    result = .success(try await renew(occasion, latest, resource))
                } catch is CancellationError {
                    result = .failure(OAuth2Error(.denied, "the request for a token was cancelled"))
                } catch {
                    result = .failure(error)
                }
                let now = resource.clock.moment
                state.withLock { $0.end(flight, result, at: now) }
                return try result.get()
            }
        }
    }
}

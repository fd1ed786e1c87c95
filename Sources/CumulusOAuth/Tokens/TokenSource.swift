// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives
import HTTPTypes
import Synchronization

/// Gives many requests one token, and renews it once for all of them.
final class TokenSource: Sendable {
    /// Why a token is requested.
    enum Occasion: Sendable {
        /// There is none, or it expires soon, or was refused.
        case need
        /// The same, and without a person there is none.
        case person
        /// The caller wants to sign in, even if there is a token.
        case login
    }

    /// Gets a token for requests of a resource, from the latest one if there is one.
    typealias Renewal = @Sendable (Occasion, _ latest: HeldToken?, _ resource: Resource) async throws -> HeldToken

    /// The sources whose renewals the current task is part of: their requests are sent without a token.
    @TaskLocal private static var underway: [ObjectIdentifier] = []

    private let state: Mutex<TokenState>
    private let renew: Renewal

    /// Creates a source; `asksPerson` means that logins, which then end when no caller waits for them, ask a person.
    init(asksPerson: Bool = false, renew: @escaping Renewal) {
        state = Mutex(TokenState(asksPerson: asksPerson))
        self.renew = renew
    }

    /// Adds the token if it needs no renewal; also returns true if the request has its own `Authorization` field.
    func authorizeAtOnce(_ request: inout EncodedRequest) -> Bool {
        guard !request.headers.contains(.authorization) else { return true }
        guard let held = state.withLock(\.held), held.isFresh else { return false }
        request.headers.append(held.field)
        return true
    }

    /// The latest token, even if it has expired.
    var latest: HeldToken? { state.withLock(\.latest) }

    /// The user whose token requests get.
    var identity: AuthorizerIdentity { state.withLock(\.identity) }

    /// How many requests wait; for tests.
    var waiterCount: Int { state.withLock(\.running)?.waiterCount ?? 0 }

    /// Whether the current task is part of this source's renewal, whose own requests are sent without a token.
    var isUnderway: Bool { TokenSource.underway.contains(ObjectIdentifier(self)) }

    /// A valid token; `nil` for a request that is part of its renewal.
    func token(for resource: Resource) async throws -> HeldToken? {
        guard !isUnderway else { return nil }
        return try await take(.token, for: resource)
    }

    /// Replaces a token that was refused.
    ///
    /// - Returns: Whether there is a token that was not refused.
    func replace(_ refused: String?, for resource: Resource) async throws -> Bool {
        guard !isUnderway else { return false }
        return try await take(refused.map { .replacement(of: $0) } ?? .token, for: resource) != nil
    }

    /// Notes that a token that replaced a refused one was refused, too; see ``TokenState/trial``.
    func refuseAgain(_ refused: String?, for resource: Resource) {
        guard !isUnderway, let refused else { return }
        state.withLock { $0.refuseAgain(refused, at: resource.clock.now) }
    }

    /// Requests a token now, even if there is one.
    func insist(for resource: Resource) async throws -> HeldToken? { try await take(.login, for: resource) }

    /// Waits until no renewal is running, or the task is cancelled; logins by a person are not waited for.
    func settle() async {
        while !Task.isCancelled, let work = state.withLock({ $0.unsettled() }) { _ = try? await work.wait() }
    }

    /// Forgets the token; those that are being requested are not used by later requests.
    func clear() { state.withLock { $0.clear() } }

    private func take(_ first: TokenState.Wish, for resource: Resource) async throws -> HeldToken? {
        var wish = first
        while true {
            let (flight, fallback): (SharedWork<HeldToken>, HeldToken?)
            switch state.withLock({ $0.step(for: wish, at: resource.clock.now) }) {
            case .use(let held): return held
            case .stranger: return nil
            case .fail(is LoginNeeded):
                wish = .person
                continue
            case .fail(let error): throw error
            case .queue(let running):
                _ = try? await running.wait()
                try Task.checkCancellation()
                continue
            case .wait(let running, let good): (flight, fallback) = (running, good)
            case .begin(let new, let occasion, let good):
                (flight, fallback) = (new, good)
                launch(new, for: resource, occasion)
            }
            do {
                if let held = try await flight.wait() { return held }
                // Everybody left this login before it could be joined.
                state.withLock { $0.abandon(flight) }
            } catch {
                if Task.isCancelled { throw error }
                // A token that is still valid is used; another may be obtained later.
                if let fallback, fallback.isGood { return fallback }
                guard error is LoginNeeded || error is AbandonedLogin else { throw error }
                if error is LoginNeeded { wish = .person }
            }
            if case .replacement = wish { wish = .token }
        }
    }

    /// Runs in its own task: its first caller may be cancelled, and a new token must not be lost with it.
    private func launch(_ flight: SharedWork<HeldToken>, for resource: Resource, _ occasion: Occasion) {
        TokenSource.$underway.withValue(TokenSource.underway + [ObjectIdentifier(self)]) {
            flight.begin { [self] in
                let result: Result<HeldToken, any Error>
                do {
                    result = .success(try await RequestScope.outside { try await renew(occasion, latest, resource) })
                } catch  where Task.isCancelled {
                    result = .failure(AbandonedLogin())
                } catch is CancellationError {
                    result = .failure(OAuth2Error(.denied, "the request for a token was cancelled"))
                } catch {
                    result = .failure(error)
                }
                let now = resource.clock.now
                state.withLock { $0.end(flight, result, at: now) }
                return try result.get()
            }
        }
    }
}

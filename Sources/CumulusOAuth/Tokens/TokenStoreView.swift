// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import Synchronization

/// A store as one authorizer sees it: with the token that the store failed to keep, and empty from a logout on.
final class TokenStoreView: Sendable {
    /// A change that the store didn't take.
    private struct Change {
        /// What the store should hold.
        let token: OAuth2Token?
        /// What it held instead; as soon as it holds anything else, someone has written it later.
        let instead: OAuth2Token?
    }

    private struct State {
        var change: Change?
        /// What the store held when it was last read or written.
        var last: OAuth2Token?
        var logouts = 0
        /// How many logouts have not emptied the store yet.
        var leaving = 0

        /// What the store should hold, if it holds this.
        mutating func token(_ stored: OAuth2Token?) -> OAuth2Token? {
            last = stored
            guard let change else { return stored }
            if stored == change.instead { return change.token }
            self.change = nil
            return stored
        }
    }

    private let store: any TokenStore
    private let state = Mutex(State())

    init(_ store: any TokenStore) { self.store = store }

    /// Whether it is one of the library's.
    var isOurs: Bool { store is MemoryTokenStore || store is FileTokenStore }

    /// The number of logouts so far: a renewal that began before one of them ends without a token.
    var epoch: Int { state.withLock(\.logouts) }

    /// The token; `nil` during a logout.
    ///
    /// - Throws: The store's errors; ``OAuth2Error`` after a logout.
    func token(since epoch: Int) async throws -> OAuth2Token? {
        let stored = try await store.token()
        return try state.withLock { state in
            guard state.logouts == epoch else { throw TokenStoreView.loggedOut }
            return state.leaving > 0 ? nil : state.token(stored)
        }
    }

    /// Replaces or removes the token; one that the store doesn't take is held in memory.
    ///
    /// - Returns: The store's error.
    /// - Throws: ``OAuth2Error`` after a logout; the store then doesn't have the token.
    func keep(_ token: OAuth2Token?, since epoch: Int) async throws -> (any Error)? {
        try check(epoch)
        let failure = await write(token)
        if self.epoch != epoch {
            // A store without a lock was emptied in the meantime.
            if let token, let stored = try? await store.token(), stored.access == token.access { _ = await write(nil) }
            throw TokenStoreView.loggedOut
        }
        return failure
    }

    /// Runs work while no other user of the store does.
    func exclusively<Result: Sendable>(_ work: @escaping @Sendable () async throws -> Result) async throws -> Result {
        try await store.exclusively(work)
    }

    /// Begins a logout: from now on the storeView looks empty, and renewals in progress can't fill it.
    func leave() {
        state.withLock { state in
            state.logouts += 1
            state.leaving += 1
        }
    }

    /// Ends a logout by emptying the store.
    ///
    /// - Returns: The last token.
    /// - Throws: The store's errors; if it could be read, the token is nevertheless not used again.
    func empty() async throws -> OAuth2Token? {
        defer { state.withLock { $0.leaving -= 1 } }
        return try await store.exclusively { [self] in
            let stored = try await store.token()
            let last = state.withLock { $0.token(stored) }
            if let failure = await write(nil) { throw failure }
            return last
        }
    }

    /// Checks that there was no logout since.
    ///
    /// - Throws: ``OAuth2Error``.
    func check(_ epoch: Int) throws(OAuth2Error) {
        guard self.epoch == epoch else { throw TokenStoreView.loggedOut }
    }

    private func write(_ token: OAuth2Token?) async -> (any Error)? {
        do {
            try await store.keep(token)
            state.withLock { state in
                state.change = nil
                state.last = token
            }
            return nil
        } catch {
            let held: OAuth2Token?
            do { held = try await store.token() } catch { held = state.withLock(\.last) }
            state.withLock { $0.change = Change(token: token, instead: held) }
            return error
        }
    }

    private static let loggedOut = OAuth2Error(.ended, "the user signed out while a token was being requested")
}

// SPDX-License-Identifier: Apache-2.0

/// Where an ``OAuth2Authorizer`` keeps its token, so that it outlives the process, or is shared between processes.
///
/// ``MemoryTokenStore`` and ``FileTokenStore`` are there; a keychain or a database is your own type. A store has one
/// token.
public protocol TokenStore: Sendable {
    /// The token; `nil` if there is none, or none that can be read.
    ///
    /// - Throws: Anything; the requests that wait for a token fail.
    func token() async throws -> OAuth2Token?

    /// Replaces the token, or removes it.
    ///
    /// Called as soon as a token has come, before any request uses it: a refresh token that was replaced is often no
    /// longer good for anything.
    ///
    /// - Throws: Anything; the token is used all the same, and ``OAuth2Event/notStored(_:)`` is reported.
    func keep(_ token: OAuth2Token?) async throws

    /// Runs work while nobody else who has this store does, not even in another process.
    ///
    /// The authorizer looks here for a newer token first and renews its own only if there is none. Default: runs it at
    /// once, for a store that one authorizer has.
    func exclusively<Result: Sendable>(_ work: @escaping @Sendable () async throws -> Result) async throws -> Result
}

extension TokenStore {
    /// Runs it at once.
    public func exclusively<Result: Sendable>(
        _ work: @escaping @Sendable () async throws -> Result
    ) async throws -> Result { try await work() }
}

// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Work that needs exclusive access to a store: the parameter of ``TokenStore/exclusively(_:)``.
///
/// Use this alias in your conformance. If you write the closure's type yourself, its meaning depends on whether your
/// module enables `NonisolatedNonsendingByDefault`, and it may not satisfy the protocol.
public typealias ExclusiveWork<Result> = @Sendable () async throws -> Result

/// A store for the token of an ``OAuth2Authorizer``, which may outlive the process, or be shared between processes.
///
/// Cumulus has ``MemoryTokenStore`` and ``FileTokenStore``; for a keychain or a database, write your own type. A store
/// holds one token.
public protocol TokenStore: Sendable {
    /// Returns the token; `nil` if it is missing or can't be read.
    ///
    /// - Throws: Any error; the requests that wait for a token fail.
    func token() async throws -> OAuth2Token?

    /// Replaces the token, or removes it.
    ///
    /// It is called as soon as a token is received, before any request uses it: a refresh token that was replaced is
    /// often no longer valid.
    ///
    /// - Throws: Any error; the token is used anyway, and ``OAuth2Event/notStored(_:)`` is reported.
    func keep(_ token: OAuth2Token?) async throws

    /// Runs work with exclusive access to this store, including access by other processes.
    ///
    /// The authorizer first looks for a newer token in the store, and renews its own only if it finds none. The default
    /// implementation runs the work immediately, which suits a store for one authorizer.
    func exclusively<Result: Sendable>(_ work: @escaping ExclusiveWork<Result>) async throws -> Result
}

extension TokenStore {
    /// Runs the work immediately.
    public func exclusively<Result: Sendable>(_ work: @escaping ExclusiveWork<Result>) async throws -> Result {
        try await work()
    }
}

/// Stores a token for the lifetime of the process.
public final class MemoryTokenStore: TokenStore {
    private let kept: Mutex<OAuth2Token?>

    /// Creates a store.
    ///
    /// - Parameter token: The initial token.
    public init(_ token: OAuth2Token? = nil) { kept = Mutex(token) }

    /// Returns the token.
    public func token() -> OAuth2Token? { kept.withLock(\.self) }

    /// Replaces the token, or removes it.
    public func keep(_ token: OAuth2Token?) { kept.withLock { $0 = token } }
}

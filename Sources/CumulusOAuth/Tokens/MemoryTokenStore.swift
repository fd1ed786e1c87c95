// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Stores a token for the lifetime of the process.
public final class MemoryTokenStore: TokenStore {
    private let kept: Mutex<OAuth2Token?>

    /// Makes a store.
    ///
    /// - Parameter token: The initial token.
    public init(_ token: OAuth2Token? = nil) { kept = Mutex(token) }

    /// The token.
    public func token() -> OAuth2Token? { kept.withLock(\.self) }

    /// Replaces the token, or removes it.
    public func keep(_ token: OAuth2Token?) { kept.withLock { $0 = token } }
}

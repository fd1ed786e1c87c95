// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Keeps a token as long as the process lives.
public final class MemoryTokenStore: TokenStore {
    private let kept: Mutex<OAuth2Token?>

    /// Makes a store.
    ///
    /// - Parameter token: What is there from the beginning on.
    public init(_ token: OAuth2Token? = nil) { kept = Mutex(token) }

    /// The token.
    public func token() -> OAuth2Token? { kept.withLock(\.self) }

    /// Replaces the token, or removes it.
    public func keep(_ token: OAuth2Token?) { kept.withLock { $0 = token } }
}

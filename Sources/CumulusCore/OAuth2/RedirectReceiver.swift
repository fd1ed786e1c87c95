// SPDX-License-Identifier: Apache-2.0

/// Where a browser comes back to after a person has signed in: a port of this machine, or a scheme of your app's.
///
/// CumulusNIO has one for command-line programs, `LoopbackReceiver`.
public protocol RedirectReceiver: Sendable {
    /// Waits for a browser to come back.
    ///
    /// - Parameters:
    ///   - isExpected: Whether a redirect's query is the one that is waited for; others are turned away, and the wait
    ///     goes on.
    ///   - begin: Called once with the redirect URI, as soon as redirects can be received there.
    /// - Returns: The query that was expected.
    /// - Throws: Anything; the login fails. `CancellationError` when the task is cancelled.
    func receive(
        _ isExpected: @escaping @Sendable (Query) -> Bool,
        _ begin: @escaping @Sendable (_ redirectURI: String) async throws -> Void
    ) async throws -> Query
}

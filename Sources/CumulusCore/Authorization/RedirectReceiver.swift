// SPDX-License-Identifier: Apache-2.0

/// Receives the browser's redirect after a user has signed in: on a port of this machine, or with your app's URL
/// scheme.
///
/// CumulusNIO has `LoopbackReceiver`, for command-line programs.
public protocol RedirectReceiver: Sendable {
    /// A closure that is called with the redirect URI.
    ///
    /// The name is an alias of the same type in each module, with and without `NonisolatedNonsendingByDefault`.
    typealias Begin = @Sendable (_ redirectURI: String) async throws -> Void

    /// Waits for the browser's redirect.
    ///
    /// - Parameters:
    ///   - isExpected: Whether a redirect's query is the expected one; others are rejected, and the wait continues.
    ///   - begin: A closure that is called once with the redirect URI, as soon as redirects can be received there.
    /// - Returns: The expected query.
    /// - Throws: Any error; the login fails. `CancellationError` if the task is cancelled.
    func receive(
        _ isExpected: @escaping @Sendable (Query) -> Bool,
        _ begin: @escaping Begin
    ) async throws -> Query
}

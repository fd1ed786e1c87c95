// SPDX-License-Identifier: Apache-2.0

public import HTTPTypes

extension EncodedRequest {
    /// The request as a command for curl that sends the same; each byte is quoted so that no shell acts on it.
    ///
    /// Written for shells that know `$'...'` (bash, zsh, ksh and POSIX.1-2024) where a byte can't be seen or is no UTF-8,
    /// for any POSIX shell elsewhere. A body with NUL, or a long one, goes through `printf %b`; a file is named; a
    /// stream is left to you.
    ///
    /// - Parameter revealingSecrets: Whether secrets are written: header fields, query items, and members of forms and
    ///   JSON whose names say that they are secret are `<redacted>` otherwise. Other bodies are written as they are.
    /// - Returns: The command, on one line unless the request holds line breaks.
    public func curl(revealingSecrets: Bool = false) -> String {
        CurlCommand(self, revealingSecrets: revealingSecrets).description
    }
}

extension Resource {
    /// A request as a command for curl, as it would be sent: after preflights, encoding and authorization.
    ///
    /// Nothing is sent, except by a preflight or authorizer that sends something itself. Interceptors are not asked.
    ///
    /// - Parameters:
    ///   - method: The method; names are case-sensitive.
    ///   - payload: What the request carries.
    ///   - query: Items laid over the inherited ones.
    ///   - headers: Fields laid over the inherited ones.
    ///   - revealingSecrets: Whether secrets are written; see ``EncodedRequest/curl(revealingSecrets:)``.
    /// - Returns: The command.
    /// - Throws: ``CumulusError``, as the request itself would before it is sent.
    public func curl(
        _ method: HTTPRequest.Method = .get,
        _ payload: Payload = .none,
        query: Query = [:],
        headers: Headers = [:],
        revealingSecrets: Bool = false
    ) async throws -> String {
        let settings = settings
        let draft = try RequestDraft(
            method: method,
            resource: self,
            settings: settings,
            query: query,
            headers: headers,
            payload: payload,
            wanted: nil
        )
        return try await settings.pipeline.run(draft, into: RehearsalSink()).curl(revealingSecrets: revealingSecrets)
    }
}

// SPDX-License-Identifier: Apache-2.0

public import HTTPTypes

extension Resource {
    /// The request as a command for curl, as it would be sent: after preflights, encoding and authorization.
    ///
    /// The command names the proxy if the request would use one. Nothing is sent, except by a preflight or authorizer
    /// that sends something itself. Interceptors are not called.
    ///
    /// - Parameters:
    ///   - method: The method; names are case-sensitive.
    ///   - payload: The request's body.
    ///   - query: Query items, merged over the inherited ones.
    ///   - headers: Header fields, merged over the inherited ones.
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
        try await curl(
            method,
            payload,
            query: query,
            headers: headers,
            revealingSecrets: revealingSecrets,
            adding: CurlAdditions()
        )
    }

    /// The same command with options for curl that the request itself doesn't have.
    package func curl(
        _ method: HTTPRequest.Method,
        _ payload: Payload,
        query: Query,
        headers: Headers,
        revealingSecrets: Bool,
        adding additions: CurlAdditions
    ) async throws -> String {
        let settings = snapshot
        let draft = try RequestDraft(
            method: method,
            resource: self,
            settings: settings,
            query: query,
            headers: headers,
            payload: payload,
            wanted: nil
        )
        let request = try await settings.pipeline.run(draft, into: RehearsalSink())
        let isIgnored = tree.context.transport.capabilities.ignoresProxies
        let proxy = try Stage.run(.transmission, .invalidURL) {
            isIgnored ? nil : try settings.value(ProxyKey.self).proxy(for: request.origin)
        }
        let command = CurlCommand(request, by: proxy, revealingSecrets: revealingSecrets, adding: additions)
        return command.description
    }

    /// A request with a method given by name, as a command for curl.
    public func curl(
        _ method: String,
        _ payload: Payload = .none,
        query: Query = [:],
        headers: Headers = [:],
        revealingSecrets: Bool = false
    ) async throws -> String {
        try await curl(
            token(method),
            payload,
            query: query,
            headers: headers,
            revealingSecrets: revealingSecrets
        )
    }
}

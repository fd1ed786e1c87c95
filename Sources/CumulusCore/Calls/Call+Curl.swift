// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

extension Call {
    /// Returns the request as it would be sent: after preflights, encoding and authorization, with cookies and
    /// credentials.
    ///
    /// Nothing is sent, except by a preflight or authorizer that sends something itself. Interceptors are not called.
    ///
    /// - Throws: ``CumulusError``, as the call itself would before it is sent.
    public func encoded() async throws -> EncodedRequest {
        if case .failure(let error) = output { throw error }
        return try await request.run(wanted: output.wanted, into: PreviewSink(), nil)
    }

    /// Returns the request as a command for curl, as it would be sent; see ``encoded()``.
    ///
    /// The command names the proxy if the call would use one.
    ///
    /// - Parameters:
    ///   - includingSecrets: Whether to include secrets and bodies of every type; see
    ///     ``EncodedRequest/curl(includingSecrets:bodyLimit:)``.
    ///   - bodyLimit: The largest body to include, in bytes.
    /// - Returns: The command.
    /// - Throws: ``CumulusError``, as the call itself would before it is sent.
    public func curl(includingSecrets: Bool = false, bodyLimit: Int = 65_536) async throws -> String {
        try await commands(adding: CurlAdditions())(includingSecrets, bodyLimit)
    }

    /// The same command with options for curl that the request itself doesn't have, and whether it lacks no secret
    /// of the request.
    package func curl(
        includingSecrets: Bool,
        bodyLimit: Int = 65_536,
        adding additions: CurlAdditions
    ) async throws -> (text: String, isComplete: Bool) {
        let command = try await commands(adding: additions)
        let text = command(includingSecrets, bodyLimit)
        return (text, includingSecrets || text == command(true, .max))
    }

    /// Returns a function that writes the command, with or without secrets.
    private func commands(adding additions: CurlAdditions) async throws -> (Bool, Int) -> String {
        let request = try await encoded()
        let isIgnored = resource.snapshot.transport.capabilities.ignoresProxies
        let proxy = try Stage.run(.transmission, .invalidURL) {
            isIgnored ? nil : try resource.snapshot.value(ProxyKey.self).proxy(for: request.origin)
        }
        return { includesSecrets, limit in
            CurlCommand(request, by: proxy, includingSecrets: includesSecrets, bodyLimit: limit, adding: additions)
                .description
        }
    }
}

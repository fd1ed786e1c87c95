// SPDX-License-Identifier: Apache-2.0

import CumulusCore

/// The servers of the cases, which speak the version of HTTP that the requests ask for.
extension ConformanceBench {
    /// Runs a server by routes for the time of `body`.
    @discardableResult
    func withLoopbackServer<Result>(
        tls: ServerTLS? = nil,
        routes: (inout Routes) -> Void = { _ in },
        _ body: (LoopbackServer) async throws -> Result
    ) async throws -> Result {
        var configuration = LoopbackServer.Configuration()
        var tls = tls
        if list.httpVersion == .http2 {
            configuration.http2 = .always
            tls?.applicationProtocols = ["h2"]
        }
        return try await CumulusTesting.withLoopbackServer(
            tls: tls,
            configuration: configuration,
            routes: routes,
            body
        )
    }

    /// Runs a server by a raw script for the time of `body`.
    @discardableResult
    func withLoopbackServer<Result>(
        raw script: RawScript,
        _ body: (LoopbackServer) async throws -> Result
    ) async throws -> Result {
        try await CumulusTesting.withLoopbackServer(raw: script, body)
    }
}

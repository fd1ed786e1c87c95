// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTesting

/// The servers of the cases, with the requests' version of HTTP.
extension ConformanceBench {
    /// Runs a server with routes during `body`.
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
        return try await CumulusTestServer.withLoopbackServer(
            tls: tls,
            configuration: configuration,
            routes: routes,
            body
        )
    }

    /// Waits until a server has no more connections, or no more streams over HTTP/2.
    func waitForEnd(on server: LoopbackServer) async throws {
        if list.httpVersion == .http2 {
            try await server.wait(for: "no open stream") { $0.openStreams == 0 }
        } else {
            try await server.waitForOpenConnections(0)
        }
    }

    /// Runs a server with a raw script during `body`.
    @discardableResult
    func withLoopbackServer<Result>(
        raw script: RawScript,
        _ body: (LoopbackServer) async throws -> Result
    ) async throws -> Result {
        try await CumulusTestServer.withLoopbackServer(raw: script, body)
    }
}

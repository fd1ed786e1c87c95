// SPDX-License-Identifier: Apache-2.0

// Names of other servers, each with a message that names the remedy.
extension LoopbackServer {
    /// Unavailable: a name that other libraries use.
    @available(*, unavailable, message: "write `await shutdown()`")
    public func stop() {}

    /// Unavailable: a server has routes.
    @available(
        *,
        unavailable,
        message: "add a route for each path: `start { routes in routes.get(\"/posts\") { request in .json([]) } }`"
    )
    public static func start(
        tls: ServerTLS? = nil,
        configuration: Configuration = .init(),
        _ respond: @escaping @Sendable (ServerRequest) async throws -> ServerResponse
    ) async throws -> LoopbackServer { throw CancellationError() }
}

// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTesting

@testable import CumulusNIO

extension Route {
    /// By a proxy of this machine.
    static func proxy(port: Int, host: String = "127.0.0.1") -> Route {
        .proxy(Proxy(origin: Origin(scheme: .http, host: host, port: port)))
    }
}

/// A transport by a route, for the time of a test.
func withRoute(
    _ route: Route,
    _ configuration: NIOTransport.Configuration = .init(),
    _ body: (NIOTransport) async throws -> Void
) async throws {
    try await withRoutes({ _ in route }, configuration, body)
}

/// A transport that chooses routes, for the time of a test.
func withRoutes(
    _ routes: @escaping RouteChoice,
    _ configuration: NIOTransport.Configuration = .init(),
    _ body: (NIOTransport) async throws -> Void
) async throws {
    let transport = NIOTransport(configuration: configuration, routes: routes)
    do {
        try await body(transport)
        await transport.shutdown(.immediate)
    } catch {
        await transport.shutdown(.immediate)
        throw error
    }
}

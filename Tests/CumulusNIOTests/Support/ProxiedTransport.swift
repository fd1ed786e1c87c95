// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTesting
import Testing

@testable import CumulusNIO

extension Proxy {
    /// Makes an HTTP proxy, with TLS if its origin is https.
    init(origin: Origin, credentials: Credentials? = nil) {
        self.init(origin.scheme == .http ? .http : .https, at: origin, credentials: credentials)
    }
}

extension Route {
    /// A route through a proxy of this machine.
    static func proxy(port: Int, host: String = "127.0.0.1") -> Route {
        .proxy(Proxy(origin: Origin(scheme: .http, host: host, port: port)))
    }
}

/// A transport whose requests use the routes of a test.
struct ProxiedTransport: Sendable {
    let transport: NIOTransport
    let routes: @Sendable (Origin) -> Route

    private func routed(_ request: TransportRequest) -> TransportRequest {
        var request = request
        request.proxy = routes(request.origin).proxy
        return request
    }

    func exchange(_ request: TransportRequest) async throws -> WholeResponse {
        try await transport.exchange(routed(request))
    }

    func attempt(_ request: TransportRequest) async throws -> WholeResponse {
        try await transport.attempt(routed(request))
    }

    func check(
        _ request: TransportRequest,
        answers text: String,
        sourceLocation: Testing.SourceLocation = #_sourceLocation
    ) async throws {
        try await transport.check(routed(request), answers: text, sourceLocation: sourceLocation)
    }

    func failure(_ request: TransportRequest) async -> TransportFailure? { await transport.failure(routed(request)) }

    func waitForConnections(all: Int, idle: Int) async throws {
        try await transport.waitForConnections(all: all, idle: idle)
    }

    func shutdown(_ mode: NIOTransport.ShutdownMode) async { await transport.shutdown(mode) }
}

/// A transport with a route, during a test.
func withRoute(
    _ route: Route,
    _ configuration: NIOTransport.Configuration = .init(),
    _ body: (ProxiedTransport) async throws -> Void
) async throws {
    try await withRoutes({ _ in route }, configuration, body)
}

/// A transport with a proxy, during a test.
func withProxy(
    _ proxy: Proxy,
    _ configuration: NIOTransport.Configuration = .init(),
    _ body: (ProxiedTransport) async throws -> Void
) async throws {
    try await withRoute(.proxy(proxy), configuration, body)
}

/// A transport that chooses routes, during a test.
func withRoutes(
    _ routes: @escaping @Sendable (Origin) -> Route,
    _ configuration: NIOTransport.Configuration = .init(),
    _ body: (ProxiedTransport) async throws -> Void
) async throws {
    let transport = NIOTransport(configuration: configuration)
    do {
        try await body(ProxiedTransport(transport: transport, routes: routes))
        await transport.shutdown(.immediate)
    } catch {
        await transport.shutdown(.immediate)
        throw error
    }
}

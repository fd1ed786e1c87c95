// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusNIO
import Synchronization

/// A transport that connects to each origin as the configuration says for it, wherever the request comes from: a URL, a
/// redirect, a page, a token endpoint.
///
/// Origins with the same settings share a transport of the library, made when it is needed.
final class OriginRouter: Transport {
    private typealias Configuration = NIOTransport.Configuration

    /// The peers of a connection.
    private struct Path: Hashable {
        let origin: Origin
        /// A proxy with TLS.
        let proxy: Origin?
    }

    /// The settings of a connection that options and files change.
    private struct Settings: Hashable {
        private let tls: Configuration.TLS
        private let proxyTLS: Configuration.TLS?
        private let unixSocketPath: String?
        private let addresses: [String: [String]]
        private let addressFamily: Configuration.AddressFamily

        init(_ configuration: Configuration) {
            (tls, proxyTLS) = (configuration.tls, configuration.proxyTLS)
            unixSocketPath = configuration.unixSocketPath
            (addresses, addressFamily) = (configuration.addresses, configuration.addressFamily)
        }
    }

    private struct State {
        var chosen: [Path: NIOTransport] = [:]
        /// The notices that the user has.
        var noted: Set<String> = []
    }

    private let connections: OriginConnections
    /// The client certificates of the command line's URLs.
    private let identities: [Origin: NIOTransport.Configuration.TLS.Identity]
    private let warn: @Sendable (String) -> Void
    private let transports = TransportTable<Settings>()
    private let state = Mutex(State())
    let capabilities: TransportCapabilities

    init(
        _ connections: OriginConnections,
        identities: [Origin: NIOTransport.Configuration.TLS.Identity],
        warn: @escaping @Sendable (String) -> Void
    ) {
        self.connections = connections
        self.identities = identities
        self.warn = warn
        var capabilities = NIOTransport.shared.capabilities
        capabilities.ignoresProxies = connections.haveOneSocket
        self.capabilities = capabilities
    }

    var isOnOwnThread: Bool { NIOTransport.shared.isOnOwnThread }

    func identity(at origin: Origin) -> TransportIdentity {
        guard let transport = try? transport(for: Path(origin: origin, proxy: nil)) else { return .unknown }
        let identity = transport.identity(at: origin)
        // A proxy reads http, and the configuration may have a block for the connections to that proxy.
        return origin.scheme == .http ? identity.over(connections.fingerprint) : identity
    }

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        let proxy = request.proxy.flatMap { $0.scheme == .https ? $0.peer : nil }
        let transport = try transport(for: Path(origin: request.origin, proxy: proxy))
        guard transport.configuration.unixSocketPath != nil else { return try await transport.send(request) }
        var request = request
        request.proxy = nil
        return try await transport.send(request)
    }

    /// Shuts all transports down, like `NIOTransport.finish(within:)`.
    func finish(within limit: Duration) async { await transports.finish(within: limit) }

    private func transport(for path: Path) throws(TransportFailure) -> NIOTransport {
        if let chosen = state.withLock({ $0.chosen[path] }) { return chosen }
        let configuration = try configuration(for: path)
        let transport = try transports.transport(for: Settings(configuration)) {
            NIOTransport(configuration: configuration)
        }
        state.withLock { $0.chosen[path] = transport }
        return transport
    }

    private func configuration(for path: Path) throws(TransportFailure) -> Configuration {
        do throws(UsageMistake) {
            let connection = try connections.connection(to: path.origin)
            var configuration = connection.configuration
            note(connection)
            configuration.tls.identities.merge(identities) { _, own in own }
            if let proxy = path.proxy {
                let connection = try connections.connection(to: proxy)
                note(connection)
                configuration.proxyTLS = connection.configuration.tls
                configuration.proxyTLS?.identities.merge(identities) { _, own in own }
            }
            return configuration
        } catch {
            let hint = error.hint.map { "; \($0)" } ?? ""
            throw TransportFailure(.invalidRequest, "can't connect to \(path.origin): \(error.reason)\(hint)")
        }
    }

    private func note(_ connection: OriginConnections.Connection) {
        for notice in connection.notices where state.withLock({ $0.noted.insert(notice).inserted }) { warn(notice) }
    }
}

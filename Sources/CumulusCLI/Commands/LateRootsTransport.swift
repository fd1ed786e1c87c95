// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusNIO

/// A transport for `http:` URLs that reads the authorities of `SSL_CERT_FILE` and `SSL_CERT_DIR` only when a redirect
/// or a proxy needs TLS.
///
/// Containers often set these variables, and the folder may have hundreds of files.
final class LateRootsTransport: Transport {
    private enum Use { case plain, secure }

    private let plain: NIOTransport
    private let surroundings: Surroundings
    private let transports: TransportTable<Use>

    init(_ configuration: NIOTransport.Configuration, in surroundings: Surroundings) {
        plain = NIOTransport(configuration: configuration)
        transports = TransportTable([.plain: plain])
        self.surroundings = surroundings
    }

    var capabilities: TransportCapabilities { plain.capabilities }
    var isOnOwnThread: Bool { plain.isOnOwnThread }

    func identity(at origin: Origin) -> TransportIdentity {
        if origin.scheme == .http { return plain.identity(at: origin) }
        return (try? secureTransport())?.identity(at: origin) ?? .unknown
    }

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        let needsTLS = request.origin.scheme == .https || request.proxy?.scheme == .https
        return try await (needsTLS ? try secureTransport() : plain).send(request)
    }

    /// Shuts down both transports, like `NIOTransport.finish(within:)`.
    func finish(within limit: Duration) async { await transports.finish(within: limit) }

    private func secureTransport() throws(TransportFailure) -> NIOTransport {
        try transports.transport(for: .secure) { () throws(TransportFailure) in
            var configuration = plain.configuration
            do throws(UsageMistake) {
                if let pem = try EnvironmentRoots(surroundings).pem() { configuration.tls.trustRoots = .pem(pem) }
            } catch {
                throw TransportFailure(.invalidRequest, error.reason)
            }
            return NIOTransport(configuration: configuration)
        }
    }
}

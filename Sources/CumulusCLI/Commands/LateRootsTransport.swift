// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusNIO
import Synchronization

/// A transport for a URL without TLS, which reads the certificate authorities of `SSL_CERT_FILE` and `SSL_CERT_DIR` only
/// when a redirect or a proxy needs TLS: containers set the variables, and hundreds of files may be in the folder.
final class LateRootsTransport: Transport {
    private let plain: NIOTransport
    private let surroundings: Surroundings
    /// The transport for TLS, once it is needed.
    private let secure = Mutex<NIOTransport?>(nil)

    init(_ configuration: NIOTransport.Configuration, in surroundings: Surroundings) {
        plain = NIOTransport(configuration: configuration)
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

    /// Shuts both transports down, like `NIOTransport.finish(within:)`.
    func finish(within limit: Duration) async {
        await plain.finish(within: limit)
        await secure.withLock(\.self)?.finish(within: limit)
    }

    private func secureTransport() throws(TransportFailure) -> NIOTransport {
        try secure.withLock { (transport) throws(TransportFailure) -> NIOTransport in
            if let transport { return transport }
            var configuration = plain.configuration
            do throws(UsageMistake) {
                if let pem = try EnvironmentRoots(surroundings).pem() { configuration.tls.trustRoots = .pem(pem) }
            } catch {
                throw TransportFailure(.invalidRequest, error.reason)
            }
            let made = NIOTransport(configuration: configuration)
            transport = made
            return made
        }
    }
}

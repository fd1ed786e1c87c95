// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives
import Synchronization

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The identities of a transport's configuration at each origin, for stores of responses.
///
/// They are computed once, since a store needs one for each request.
final class RouteIdentities: Sendable {
    private static let most = 1_000

    private let configuration: NIOTransport.Configuration
    /// The identity at each origin; `nil` if it depends on the origin.
    private let common: TransportIdentity?
    private let known = Mutex<[Origin: TransportIdentity]>([:])

    /// Creates the identities of a configuration.
    init(_ configuration: NIOTransport.Configuration) {
        self.configuration = configuration
        common =
            !configuration.verifiesServers
            ? .unknown : configuration.hasUsualRoute ? .anonymous : nil
    }

    /// The identity at an origin.
    func identity(at origin: Origin) -> TransportIdentity {
        if let common { return common }
        if let identity = known.withLock({ $0[origin] }) { return identity }
        let identity = configuration.identity(at: origin)
        known.withLock { known in
            if known.count >= RouteIdentities.most { known = [:] }
            known[origin] = identity
        }
        return identity
    }
}

extension NIOTransport.Configuration {
    /// Whether servers, and proxies with TLS, have to show a certificate.
    fileprivate var verifiesServers: Bool { tls.verification == .full && (proxyTLS ?? tls).verification == .full }

    /// Whether no setting changes which servers are reached, how they are verified, or which certificate they see.
    fileprivate var hasUsualRoute: Bool {
        unixSocketPath == nil && addresses.isEmpty && resolver == nil && addressFamily == .any && tls.isUsual
            && proxyTLS?.isUsual ?? true
    }

    /// The client and the route at an origin.
    fileprivate func identity(at origin: Origin) -> TransportIdentity {
        var route: [String] = []
        if let unixSocketPath {
            guard let path = FilePath(unixSocketPath).absolute else { return .unknown }
            route += ["socket", path]
        }
        switch addressFamily {
        case .any: break
        case .ipv4: route.append("IPv4")
        case .ipv6: route.append("IPv6")
        }
        let isEncrypted = origin.scheme == .https
        if resolver != nil {
            // Without TLS, any host to which the function leads could have sent the response.
            if !isEncrypted { return .unknown }
            route.append("resolver")
        }
        // A proxy reads http, so its address counts, too.
        let fixed = isEncrypted ? addresses(of: origin).map { [origin.host: $0] } ?? [:] : addresses
        for (host, addresses) in fixed.sorted(by: { $0.key < $1.key }) {
            route += ["address", host, "\(addresses.count)"] + addresses
        }
        let trust = isEncrypted ? tls : proxyTLS ?? tls
        guard let verification = trust.trust(for: isEncrypted ? origin.host : nil) else { return .unknown }
        route += verification
        let identities = isEncrypted ? trust.identities.filter { $0.key == origin } : trust.identities
        let client = identities.sorted { "\($0.key)" < "\($1.key)" }.flatMap { origin, identity in
            ["\(origin)", Self.digest(identity.certificateChain), Self.digest(identity.privateKey)]
        }
        return TransportIdentity(client: client.map { Secret($0) }, route: route.map { Secret($0) })
    }

    fileprivate static func digest(_ bytes: [UInt8]) -> String {
        MessageDigest.hexadecimal(MessageDigest.sha256(of: bytes))
    }
}

extension NIOTransport.Configuration.TLS {
    /// Whether servers are verified by the system's authorities alone, and no client has a certificate.
    fileprivate var isUsual: Bool {
        trustRoots == .system && identities.isEmpty && minimumVersion == .tls12 && pins.isEmpty
    }

    /// How a host is verified, or any host for `nil`; `nil` if that can't be read.
    fileprivate func trust(for host: String?) -> [String]? {
        var parts: [String] = []
        switch trustRoots {
        case .system: break
        case .pem(let bytes): parts += ["authorities", NIOTransport.Configuration.digest(bytes)]
        case .systemAnd(let bytes): parts += ["more authorities", NIOTransport.Configuration.digest(bytes)]
        case .files(let paths):
            parts += ["files", "\(paths.count)"]
            for path in paths {
                guard let bytes = try? Data(contentsOf: URL(filePath: path)) else { return nil }
                parts.append(NIOTransport.Configuration.digest(Array(bytes)))
            }
        }
        if minimumVersion == .tls13 { parts.append("TLS 1.3") }
        let keys = host.map { host in PinnedKeys(pins).keys(of: host).map { ["": $0] } ?? [:] } ?? pins
        for (name, pins) in keys.sorted(by: { $0.key < $1.key }) {
            parts += ["pins", name.lowercased(), "\(pins.count)"] + pins.map(\.description).sorted()
        }
        return parts
    }
}

// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A proxy: its protocol, host and port, and the credentials for it.
///
/// Two proxies are equal only if their credentials are also equal: connections through one are never used for the
/// other. A proxy's description shows neither user nor password.
public struct Proxy: Sendable, Hashable {
    /// A proxy protocol.
    public enum Scheme: String, Sendable, Hashable, CaseIterable {
        /// HTTP: plain requests are forwarded; for https, a tunnel is opened (CONNECT).
        case http
        /// HTTP over TLS, which hides credentials and hosts on the way to the proxy.
        case https
        /// SOCKS 5 (RFC 1928, RFC 1929); the proxy looks up the host's name.
        case socks5
        /// SOCKS 4a; the proxy looks up the host's name.
        case socks4a

        /// The default port: 80 for HTTP, 443 for HTTP over TLS, and 1080 for SOCKS.
        public var defaultPort: Int {
            switch self {
            case .http: 80
            case .https: 443
            case .socks5, .socks4a: 1080
            }
        }

        /// Whether it tunnels all connections.
        package var isSOCKS: Bool { self == .socks5 || self == .socks4a }
    }

    // One reference, since each request and the pool's keys include a proxy.
    private final class Parts: Sendable {
        let scheme: Scheme
        let peer: Origin
        let credentials: Credentials?
        let authorization: Secret<String>?

        init(_ scheme: Scheme, _ peer: Origin, _ credentials: Credentials?) {
            self.scheme = scheme
            self.peer = peer
            self.credentials = credentials
            authorization =
                scheme.isSOCKS
                ? nil
                : credentials.map {
                    Secret("Basic \(Data("\($0.user):\($0.password.revealed)".utf8).base64EncodedString())")
                }
        }
    }

    private let parts: Parts

    /// Creates a proxy from parts that have been checked.
    package init(_ scheme: Scheme, at peer: Origin, credentials: Credentials? = nil) {
        parts = Parts(scheme, peer, credentials)
    }

    /// The protocol.
    public var scheme: Scheme { parts.scheme }
    /// The proxy's host in lower case: a name, or an address without brackets.
    public var host: String { parts.peer.host }
    /// The proxy's port.
    public var port: Int { parts.peer.port }
    /// The credentials for the proxy; sent without a challenge, and only to the proxy.
    public var credentials: Credentials? { parts.credentials }

    /// Where the socket connects to; its scheme says whether TLS is used with the proxy.
    package var peer: Origin { parts.peer }
    /// The value of `Proxy-Authorization`; `nil` without credentials, and for SOCKS.
    package var authorization: String? { parts.authorization?.revealed }

    /// Whether all parts are the same.
    public static func == (left: Proxy, right: Proxy) -> Bool {
        left.parts === right.parts
            || left.scheme == right.scheme && left.peer == right.peer && left.credentials == right.credentials
    }

    /// Hashes all parts.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(scheme)
        hasher.combine(peer)
        hasher.combine(credentials)
    }
}

extension Proxy: Redacted, CustomDebugStringConvertible {
    /// The proxy's URL without user and password: `http://proxy.example:3128`.
    public var description: String {
        let host = host.has(":") ? "[\(host)]" : host
        return PeerText.printable("\(scheme.rawValue)://\(host):\(port)")
    }
    /// The same text as the description.
    public var debugDescription: String { description }
}

/// The reason why a string is not a valid proxy or list of exceptions.
///
/// A request that depends on such a string fails with ``CumulusError/Code/invalidURL``. The reason never contains the
/// proxy's user or password.
public struct ProxyMalformation: Error, Sendable, Hashable, CustomStringConvertible {
    /// A description of the problem.
    public let reason: String
    /// The environment variable that contains the string; `nil` if it comes from elsewhere.
    public let variable: String?

    init(_ reason: String, in variable: String? = nil) {
        self.reason = PeerText.printable(reason, limit: PeerText.longestMessage)
        self.variable = variable
    }

    func found(in variable: String) -> ProxyMalformation { ProxyMalformation(reason, in: variable) }

    /// The problem, and the variable.
    public var description: String { variable.map { "the variable \($0): \(reason)" } ?? reason }
}

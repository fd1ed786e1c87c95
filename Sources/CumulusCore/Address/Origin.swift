// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives

/// The target of connections, and the owner of credentials: scheme, host and port (RFC 6454).
///
/// Two origins are equal when all three parts are equal; a subdomain, a different port or a different scheme makes a
/// different origin.
public struct Origin: Hashable, Sendable {
    /// The schemes that Cumulus supports.
    public enum Scheme: String, Sendable, Hashable {
        /// Plain HTTP; port 80 by default.
        case http
        /// HTTP over TLS; port 443 by default.
        case https

        /// The port of a URL that doesn't specify one.
        public var defaultPort: Int { self == .http ? 80 : 443 }
    }

    // One reference, since each stage of a request copies it.
    private let parts: Parts

    /// The scheme.
    public var scheme: Scheme { parts.scheme }
    /// The host in lower case: a name, an IPv4 address, or an IPv6 address without brackets.
    public var host: String { parts.host }
    /// The port; the scheme's default if none was set.
    public var port: Int { parts.port }
    /// The host and port as in the `Host` field: brackets around IPv6, without the default port.
    public var authority: String { parts.authority }

    /// Creates an origin from parts, which are not checked: a request to a host that can't exist fails.
    ///
    /// - Parameters:
    ///   - scheme: The scheme.
    ///   - host: A host name or address, compared case-insensitively; IPv6 with or without brackets.
    ///   - port: The port; `nil` for the scheme's default.
    public init(scheme: Scheme, host: String, port: Int? = nil) {
        let name = Origin.name(of: host)
        let number = port ?? scheme.defaultPort
        let shown = name.has(":") ? "[\(name)]" : name
        let authority = number == scheme.defaultPort ? shown : "\(shown):\(number)"
        parts = Parts(scheme: scheme, host: name, port: number, authority: authority)
    }

    /// A host in lower case, without brackets.
    static func name(of host: String) -> String {
        let isAddress = host.begins(with: "[") && host.ends(with: "]")
        let bare = isAddress ? String(host.utf8.dropFirst().dropLast()) : nil
        return (bare ?? host).lowercased()
    }

    /// Whether scheme, host and port are the same.
    public static func == (left: Origin, right: Origin) -> Bool {
        left.parts === right.parts
            || left.scheme == right.scheme && left.port == right.port && left.host == right.host
    }

    /// Hashes scheme, host and port.
    public func hash(into hasher: inout Hasher) { hasher.combine(parts.hash) }

    /// A number that is the same for equal origins; computed once, since each request needs it.
    package var stableHash: Int { parts.hash }

    private final class Parts: Sendable {
        let scheme: Scheme
        let host: String
        let port: Int
        let authority: String
        /// The hash of the other parts, without the authority.
        let hash: Int

        init(scheme: Scheme, host: String, port: Int, authority: String) {
            (self.scheme, self.host, self.port, self.authority) = (scheme, host, port, authority)
            var hasher = Hasher()
            hasher.combine(scheme)
            hasher.combine(host)
            hasher.combine(port)
            hash = hasher.finalize()
        }
    }
}

extension Origin: CustomStringConvertible {
    /// The origin as in a URL, `https://api.example.com:8443`.
    public var description: String { "\(scheme.rawValue)://\(authority)" }
}

extension Origin {
    /// Whether the name or address is this machine's, so that traffic never crosses a network.
    ///
    /// Servers can't define names below `localhost` (RFC 6761 section 6.3), and transports don't look them up.
    public var isLoopback: Bool {
        if host == "localhost" || host == "::1" || isBelowLocalhost { return true }
        let parts = host.parts(at: ".")
        return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
    }

    /// Whether the name ends in `.localhost`.
    package var isBelowLocalhost: Bool { host.ends(with: ".localhost") }

    /// Whether secrets may be exchanged with this origin directly, without a proxy: over TLS, or within this machine.
    public var isConfidential: Bool { scheme == .https || isLoopback }
}

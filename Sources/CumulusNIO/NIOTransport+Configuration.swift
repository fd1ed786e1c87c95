// SPDX-License-Identifier: Apache-2.0

public import CumulusCore

extension NIOTransport {
    /// The configuration of a transport: its connections, the servers it trusts, and its limits.
    public struct Configuration: Sendable {
        /// The TLS settings.
        ///
        /// Default: the system's roots, with full verification.
        public var tls = TLS()
        /// The TLS settings for connections to proxies; `nil`: those of ``tls``.
        package var proxyTLS: TLS?
        /// The path of a Unix domain socket that all connections use instead of the host.
        ///
        /// Default: none.
        ///
        /// The URL's host is still used for `Host` and TLS. TLS can't verify an IP address this way.
        public var unixSocketPath: String?
        /// IP addresses of hosts, by name in lower case, which replace the system's lookup.
        ///
        /// `host:port` applies only to that port of the host, and takes precedence over `host`. Several addresses are
        /// tried in turn, with a short delay (RFC 8305). Default: none; the system looks up names.
        public var addresses: [String: [String]] = [:]
        /// A function that looks up hosts in place of the system, for example by DNS over HTTPS or in a service
        /// registry.
        ///
        /// Default: none.
        ///
        /// It receives the name of the host or the proxy for each new connection, and returns IP addresses, which are
        /// tried in turn, like ``addresses``. Hosts in ``addresses`` take precedence, and `localhost` is never looked
        /// up. An error or an empty list ends the request with a `TransportFailure` of kind `lookup`;
        /// ``connectTimeout`` limits the wait for the function. A rule's allowed addresses are checked afterwards.
        /// Responses to `http` requests are not cached, since the function determines which server sent them.
        public var resolver: (@Sendable (_ host: String) async throws -> [String])?
        /// The kinds of a host's addresses that are used.
        ///
        /// Default: all.
        public var addressFamily = AddressFamily.any
        /// The maximum number of connections that one event loop opens to one origin; further requests wait.
        ///
        /// Requests to one origin share a loop, unless they are sent from an event loop. Default: 256.
        public var maximumConnectionsPerOrigin = 256
        /// The maximum number of idle connections that one event loop keeps.
        ///
        /// Default: 128.
        public var maximumIdleConnections = 128
        /// The time for which an idle connection is kept.
        ///
        /// Default: 60 seconds.
        public var idleLifetime = Duration.seconds(60)
        /// The limit for connecting, including TLS, if the request sets no limit.
        ///
        /// Default: 30 seconds. It limits the connection attempt itself, which may serve a request other than the one
        /// that started it.
        public var connectTimeout = Duration.seconds(30)

        /// The kinds of a host's addresses that are used.
        public enum AddressFamily: Sendable, Hashable {
            /// All addresses.
            case any
            /// Only IPv4 addresses.
            case ipv4
            /// Only IPv6 addresses.
            case ipv6
        }

        /// A function that is called when a connection has been opened, becomes active or idle, or is closed.
        ///
        /// It runs on an event loop, so it must return quickly. `ConnectionTelemetry` from the module
        /// `CumulusTelemetry` counts connections this way. Default: none.
        public var onConnectionEvent: (@Sendable (ConnectionEvent) -> Void)?

        /// Creates the default configuration.
        public init() {}

        /// The configured addresses of a peer; `nil` if the system looks it up.
        func addresses(of peer: Origin) -> [String]? {
            addresses.isEmpty ? nil : addresses["\(peer.host):\(peer.port)"] ?? addresses[peer.host]
        }
    }
}

// SPDX-License-Identifier: Apache-2.0

import CumulusCore

extension NIOTransport {
    /// How a transport connects, whom it trusts, and how many connections it keeps.
    public struct Configuration: Sendable, Hashable {
        /// How TLS connections are made; default: the system's roots, full verification.
        public var tls = TLS()
        /// A Unix domain socket to which all connections go instead of to the host; default: none.
        ///
        /// The URL's host still names the server in `Host` and TLS. An IP address can't be verified by TLS that way.
        public var unixSocketPath: String?
        /// IP addresses of hosts, by name in lower case, which are used instead of those that the system knows.
        ///
        /// `host:port` stands for that port of the host alone, and goes before `host`.
        /// Several are tried one after the other, a little apart (RFC 8305). Default: none; the system is asked.
        public var addresses: [String: [String]] = [:]
        /// Which addresses of a host are connected to; default: all.
        public var addressFamily = AddressFamily.any
        /// How many connections one event loop opens to one origin; further requests wait in line.
        ///
        /// Requests of one origin share a loop, unless they are sent from a loop themselves. Default: 256.
        public var maximumConnectionsPerOrigin = 256
        /// How many unused connections one event loop keeps.
        ///
        /// Default: 128.
        public var maximumIdleConnections = 128
        /// How long an unused connection is kept.
        ///
        /// Default: 60 seconds.
        public var idleLifetime = Duration.seconds(60)
        /// How long connecting may take, TLS included, where the request doesn't say.
        ///
        /// Default: 30 seconds. It bounds the attempt as such, which may serve another request than the one it was begun for.
        public var connectTimeout = Duration.seconds(30)

        /// Which addresses of a host are connected to.
        public enum AddressFamily: Sendable, Hashable {
            /// All of them.
            case any
            /// Those of IPv4 alone.
            case ipv4
            /// Those of IPv6 alone.
            case ipv6
        }

        /// Makes the default configuration.
        public init() {}

        /// The addresses that are given for a peer; `nil` if the system is asked.
        func addresses(of peer: Origin) -> [String]? {
            addresses.isEmpty ? nil : addresses["\(peer.host):\(peer.port)"] ?? addresses[peer.host]
        }
    }
}

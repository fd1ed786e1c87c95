// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives

/// The reason why a connection to an address is refused.
///
/// It is the `cause` of a ``TransportFailure`` of the kind `forbiddenAddress`.
public struct AddressRefusal: Error, Sendable, Hashable {
    /// The kind of address.
    public enum Rule: String, Sendable, Hashable, CaseIterable {
        /// 0.0.0.0/8 and `::`, which systems treat as their own addresses.
        case unspecified
        /// 127.0.0.0/8 and `::1`.
        case loopback
        /// RFC 1918: 10.0.0.0/8, 172.16.0.0/12, 192.168.0.0/16.
        case privateUse
        /// RFC 4193: fc00::/7.
        case uniqueLocal
        /// 169.254.0.0/16 and fe80::/10.
        case linkLocal
        /// fec0::/10, which RFC 3879 withdrew.
        case siteLocal
        /// 100.64.0.0/10, which carriers use behind their NAT (RFC 6598).
        case sharedSpace
        /// Addresses of cloud metadata services, which provide a machine's identity and credentials.
        case metadata
        /// 224.0.0.0/4 and ff00::/8.
        case multicast
        /// Addresses for documentation (RFC 5737, RFC 3849, RFC 9637).
        case documentation
        /// 198.18.0.0/15, for measurements between networks (RFC 2544).
        case benchmarking
        /// 192.0.0.0/24 and 2001::/23, reserved for IETF protocols.
        case protocolAssignment
        /// 6to4, Teredo and a network's own NAT64, which lead to an IPv4 address or to a tunnel.
        case transition
        /// All other addresses that public hosts don't have: 240.0.0.0/4, and IPv6 outside of 2000::/3.
        case reserved
        /// The transport connects to a Unix domain socket.
        case unixSocket
        /// A proxy would look up the host's name, so its address can't be checked.
        case lookedUpByProxy
    }

    /// The requested host.
    public let host: String
    /// The host's address; `nil` if there is none to check.
    public let address: String?
    /// The rule that refuses the address.
    public let rule: Rule

    /// Creates a refusal.
    public init(_ rule: Rule, host: String, address: String? = nil) {
        self.rule = rule
        self.host = host
        self.address = address
    }
}

extension AddressRefusal: CustomStringConvertible {
    /// The host, address and rule, in a sentence.
    public var description: String {
        let place = address.map { $0 == host ? host : "\(host) (\($0))" } ?? host
        return PeerText.printable("the address policy refuses \(place): \(rule)")
    }
}

extension AddressRefusal.Rule: CustomStringConvertible {
    /// A description of the rule.
    public var description: String {
        switch self {
        case .unspecified: "it is the unspecified address"
        case .loopback: "it is a loopback address"
        case .privateUse: "it is a private address"
        case .uniqueLocal: "it is a unique local address"
        case .linkLocal: "it is a link-local address"
        case .siteLocal: "it is a site-local address"
        case .sharedSpace: "it is a carrier-grade NAT address"
        case .metadata: "it is a cloud metadata service"
        case .multicast: "it is a multicast address"
        case .documentation: "it is reserved for documentation"
        case .benchmarking: "it is reserved for benchmarks"
        case .protocolAssignment: "it is reserved for a protocol"
        case .transition: "it belongs to an IPv6 transition mechanism"
        case .reserved: "it is reserved"
        case .unixSocket: "the transport connects to a Unix domain socket"
        case .lookedUpByProxy: "the proxy would look up the name itself"
        }
    }
}

// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives

/// The addresses that a request may connect to: all of them, or only those of public hosts.
///
/// Use it in programs that fetch URLs from untrusted sources, so that no URL, redirect or DNS name leads their requests
/// into your network:
///
/// ```swift
/// site.setRules { $0.allowedAddresses = .publicOnly }
/// let policy = try AddressPolicy.publicOnly(allowing: "10.1.0.0/16", "auth.internal")
/// site.setRules { $0.allowedAddresses = policy }
/// ```
///
/// ``publicOnly`` refuses each kind of address in ``AddressRefusal/Rule``: those in IANA's registries of
/// special-purpose addresses (RFC 6890), those that embed one of these, and cloud metadata services.
public struct AddressPolicy: Sendable, Hashable {
    // One reference, `nil` if all are allowed: it is sent along with each request and is part of the pool's keys.
    private final class Exceptions: Sendable {
        let hosts: HostList

        init(_ hosts: HostList) { self.hosts = hosts }
    }

    private let exceptions: Exceptions?

    private init(_ exceptions: Exceptions?) { self.exceptions = exceptions }

    /// All addresses.
    public static let any = AddressPolicy(nil)

    /// Addresses of public hosts.
    public static let publicOnly = AddressPolicy(Exceptions(.empty))

    /// Creates a policy that allows the addresses of public hosts, and exceptions.
    ///
    /// - Parameter hosts: The names (with all names below them), addresses and networks, each with or without a port,
    ///   as in ``ProxyExceptions``; `*` is refused. A listed name may have any address, so list only names in your own
    ///   DNS. A listed address is allowed for any name.
    /// - Returns: The policy.
    /// - Throws: ``AddressPolicyMalformation``.
    public static func publicOnly(allowing hosts: String...) throws(AddressPolicyMalformation) -> AddressPolicy {
        try publicOnly(allowing: hosts)
    }

    /// Creates a policy that allows the addresses of public hosts, and the exceptions in a list.
    ///
    /// - Parameter hosts: The names, addresses and networks, as in the variadic overload.
    /// - Returns: The policy.
    /// - Throws: ``AddressPolicyMalformation``.
    public static func publicOnly(allowing hosts: [String]) throws(AddressPolicyMalformation) -> AddressPolicy {
        do throws(HostList.Malformation) {
            let list = try HostList(hosts.joined(separator: ","))
            if list.holdsAll { throw HostList.Malformation(entry: "*") }
            return AddressPolicy(Exceptions(list))
        } catch {
            throw AddressPolicyMalformation(error.entry)
        }
    }

    /// Whether all addresses are allowed.
    public var isAny: Bool { exceptions == nil }

    /// Whether a host may have any address, so that a transport may leave the lookup to another program, such as a
    /// proxy.
    public func allows(_ origin: Origin) -> Bool { exceptions?.hosts.contains(origin) ?? true }

    /// Returns the reason why an address of an origin is refused; `nil` if it is allowed.
    ///
    /// A transport calls this for each address that it would connect to, and throws
    /// ``TransportFailure/forbidden(_:)->TransportFailure``.
    public func refusal(of address: IPAddress, for origin: Origin) -> AddressRefusal? {
        guard let exceptions, let rule = SpecialAddresses.rule(of: address) else { return nil }
        if exceptions.hosts.contains(address, port: origin.port) || exceptions.hosts.contains(origin) { return nil }
        return AddressRefusal(rule, host: origin.host, address: "\(address)")
    }

    /// Returns the reason why an origin whose host is an address is refused; `nil` for names, which must be looked up.
    public func refusal(of origin: Origin) -> AddressRefusal? {
        guard exceptions != nil, let address = IPAddress(origin.host) else { return nil }
        return refusal(of: address, for: origin)
    }

    /// The exceptions as they were written; `nil` if all addresses are allowed.
    var exceptionList: String? { exceptions?.hosts.text }

    /// Whether two policies allow the same addresses.
    public static func == (left: AddressPolicy, right: AddressPolicy) -> Bool {
        left.exceptions === right.exceptions || left.exceptions?.hosts == right.exceptions?.hosts
    }

    /// Hashes the allowed addresses.
    public func hash(into hasher: inout Hasher) { hasher.combine(exceptions?.hosts) }
}

extension AddressPolicy: Redacted {
    /// A description of the policy.
    public var description: String {
        guard let hosts = exceptions?.hosts else { return "any" }
        return hosts.isEmpty ? "public only" : "public only, and \(PeerText.printable(hosts.text))"
    }
}

/// An entry passed to ``AddressPolicy/publicOnly(allowing:)-(String...)`` that is not a host, address or network.
public struct AddressPolicyMalformation: Error, Sendable, Hashable, CustomStringConvertible {
    /// The problem, with the entry quoted.
    public let description: String

    init(_ entry: String) {
        let why = entry == "*" ? "allows every host; use `.any` for that" : "is not a host, address or network"
        description = "\"\(PeerText.printable(entry, limit: 80))\" \(why)"
    }
}

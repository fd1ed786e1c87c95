// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives

/// The hosts that are reached without a proxy, in the format of `no_proxy`.
///
/// Entries are separated by commas or spaces:
///
/// - `example.com`, which is the same as `.example.com` and `*.example.com`: the host and all hosts below it. Names are
///   compared by labels, so `notexample.com` is not included. They may be in any script: `bücher.example`.
/// - `10.1.2.3`, `fd00::1`, `10.0.0.0/8`, `[fd00::]/8`: an address, or the addresses of a network. They are compared
///   numerically with addresses in URLs; no name is looked up.
/// - any of these with a port, `example.com:8080` or `[::1]:8080`: only that port.
/// - `*`: every host.
public struct ProxyExceptions: Sendable, Hashable {
    private let hosts: HostList

    /// No exceptions.
    public static let none = ProxyExceptions(hosts: .empty)

    private init(hosts: HostList) { self.hosts = hosts }

    /// Creates exceptions from a list.
    ///
    /// - Throws: ``ProxyMalformation`` for an invalid entry.
    public init(_ list: String) throws(ProxyMalformation) {
        do throws(HostList.Malformation) {
            hosts = try HostList(list)
        } catch {
            throw ProxyMalformation("\"\(error.entry)\" is not a host, address or network")
        }
    }

    /// Parses a list from the environment; entries that can't be read are left out.
    package init(_ list: String, leavingOut others: inout [String]) { hosts = HostList(list, leavingOut: &others) }

    /// Whether there are no entries.
    public var isEmpty: Bool { hosts.isEmpty }

    /// Whether an origin is reached without a proxy.
    public func contains(_ origin: Origin) -> Bool { hosts.contains(origin) }
}

extension ProxyExceptions: CustomStringConvertible {
    /// The list as it was written.
    public var description: String { PeerText.printable(hosts.text) }
}

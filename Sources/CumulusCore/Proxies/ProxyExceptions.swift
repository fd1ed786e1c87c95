// SPDX-License-Identifier: Apache-2.0

/// The hosts that are reached without a proxy, as `no_proxy` has them.
///
/// Entries are separated by commas or blanks:
///
/// - `example.com`, and the same as `.example.com` and `*.example.com`: the host and all below it, label by label, so
///   that `notexample.com` is not part of it.
/// - `10.1.2.3`, `fd00::1`, `10.0.0.0/8`, `[fd00::]/8`: an address, or the addresses of a network. They are compared as
///   numbers with addresses in URLs; no name is looked up for it.
/// - any of these with a port, `example.com:8080` or `[::1]:8080`: at that port only.
/// - `*`: every host.
public struct ProxyExceptions: Sendable, Hashable {
    private let hosts: HostList

    /// No exceptions.
    public static let none = ProxyExceptions(hosts: .empty)

    private init(hosts: HostList) { self.hosts = hosts }

    /// Reads a list.
    ///
    /// - Throws: ``ProxyMalformation`` for an entry in none of the forms above.
    public init(_ list: String) throws(ProxyMalformation) {
        do throws(HostList.Malformation) {
            hosts = try HostList(list)
        } catch {
            throw ProxyMalformation("\"\(error.entry)\" is not a host, address or network")
        }
    }

    /// Whether there are no entries.
    public var isEmpty: Bool { hosts.isEmpty }

    /// Whether an origin is reached without a proxy.
    public func contains(_ origin: Origin) -> Bool { hosts.contains(origin) }
}

extension ProxyExceptions: CustomStringConvertible {
    /// The list as it was written.
    public var description: String { PeerText.printable(hosts.text) }
}

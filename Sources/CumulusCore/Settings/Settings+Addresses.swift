// SPDX-License-Identifier: Apache-2.0

extension Resource.Settings {
    /// The addresses that requests may connect to: for programs that fetch URLs from untrusted sources.
    ///
    /// Each address is checked at the time of the connection, after the name was looked up, so a name can't evade the
    /// policy by changing its address. If a name has several addresses, the refused ones are skipped. The policy also
    /// applies to each redirect, each link, each renewed URL of a download, and each token request. A refused request
    /// fails with ``CumulusError/Code/addressRefused`` and is not retried.
    ///
    /// The proxy's own address is not checked. Through a tunnel (https, SOCKS) the name is looked up on this machine,
    /// and the proxy receives the address; a plain request to a name, which an HTTP proxy would look up, is refused.
    /// Unix domain sockets are refused, as is every request over a transport that can't check its addresses, such as
    /// `URLSessionTransport`.
    ///
    /// Default: `.any`, which has no cost. The nearest layer wins.
    public var allowedAddresses: AddressPolicy {
        get { self[key: AllowedAddressesKey.self] }
        set { self[key: AllowedAddressesKey.self] = newValue }
    }
}

/// The key of ``Resource/Settings/allowedAddresses``.
enum AllowedAddressesKey: SettingKey {
    /// All addresses.
    static var defaultValue: AddressPolicy { .any }

    /// True: it is a restriction, so a link must not remove it.
    static var crossesOrigins: Bool { true }
}

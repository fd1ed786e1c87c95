// SPDX-License-Identifier: Apache-2.0

extension Resource.Settings {
    /// The proxy that requests use.
    ///
    /// It is looked up for each origin that a call leads to, including redirects. If a transport can't use the proxy,
    /// the request fails with the code `unsupported`; it is never sent directly instead. The setting is ignored if the
    /// transport connects to a Unix domain socket.
    ///
    /// Default: `.none`; the environment is not read. The nearest layer wins.
    public var proxy: ProxyPolicy {
        get { self[key: ProxyKey.self] }
        set { self[key: ProxyKey.self] = newValue }
    }
}

/// The key of ``Resource/Settings/proxy``.
enum ProxyKey: SettingKey {
    /// Requests connect directly.
    static var defaultValue: ProxyPolicy { .none }

    /// It reveals nothing to another origin, and the route of a connection doesn't depend on the origin.
    static var crossesOrigins: Bool { true }
}

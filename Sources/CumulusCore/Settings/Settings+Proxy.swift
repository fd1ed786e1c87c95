// SPDX-License-Identifier: Apache-2.0

extension Settings {
    /// The proxy that requests use.
    ///
    /// It is looked up for each origin that a call leads to, redirects included. A transport that can't use the proxy
    /// fails the request with the code `unsupported`; the request is never sent directly instead. It is ignored if the
    /// transport connects to a Unix domain socket.
    ///
    /// Default: `.none`; the environment is not read. The nearest layer wins.
    public var proxy: ProxyPolicy {
        get { self[ProxyKey.self] }
        set { self[ProxyKey.self] = newValue }
    }
}

/// The key of ``Settings/proxy``.
enum ProxyKey: SettingKey {
    /// Directly.
    static var defaultValue: ProxyPolicy { .none }

    /// It tells another origin nothing, and where connections go by is not a matter of origins.
    static var crossesOrigins: Bool { true }
}

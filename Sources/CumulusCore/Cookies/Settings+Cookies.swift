// SPDX-License-Identifier: Apache-2.0

extension Resource.Settings {
    /// The jar that stores and sends cookies; a child's replaces its parent's.
    ///
    /// Default: `nil`, with which cookies are neither stored nor sent, except for your own `Cookie` header. Set `nil`
    /// to turn off an inherited jar.
    public var cookies: CookieJar? {
        get { self[key: CookiesKey.self] }
        set { self[key: CookiesKey.self] = newValue }
    }
}

/// The key of ``Resource/Settings/cookies``.
enum CookiesKey: SettingKey {
    /// None.
    static var defaultValue: CookieJar? { nil }

    /// A jar gives each host its own cookies.
    static var crossesOrigins: Bool { true }
}

// SPDX-License-Identifier: Apache-2.0

extension Settings {
    /// The jar that stores cookies and sends them; a child's replaces its parent's.
    ///
    /// Default: none, and cookies are neither kept nor sent, except for a `Cookie` header of your own. `nil` is none
    /// for a place below a jar.
    public var cookies: CookieJar? {
        get { self[CookiesKey.self] }
        set { self[CookiesKey.self] = newValue }
    }
}

/// The key of ``Settings/cookies``.
enum CookiesKey: SettingKey {
    /// None.
    static var defaultValue: CookieJar? { nil }

    /// A jar gives each host its own cookies.
    static var crossesOrigins: Bool { true }
}

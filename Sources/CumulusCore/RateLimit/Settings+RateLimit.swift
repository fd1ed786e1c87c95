// SPDX-License-Identifier: Apache-2.0

extension Resource.Settings {
    /// A limit is counted at a place.
    @available(*, unavailable, message: "a limit is counted at a place: write it in `setRules { }`")
    public var rateLimit: RateLimit? {
        get { self[key: RateLimitKey.self] }
        set {}
    }
}

/// The key of ``Resource/Rules/rateLimit``.
enum RateLimitKey: HarmlessSettingKey, UncomparedSettingKey {
    /// None.
    static var defaultValue: RateLimit? { nil }
}

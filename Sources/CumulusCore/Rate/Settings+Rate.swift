// SPDX-License-Identifier: Apache-2.0

extension Resource.Settings {
    /// The speed limit for bodies in both directions: all requests of the resource that sets it, and below, share the
    /// rate.
    ///
    /// Bytes are counted as transmitted, before content is decoded; heads don't count. While a body is held back,
    /// ``Resource/Settings/timeout`` is suspended, but ``Resource/Settings/deadline`` is not. Default: none. The nearest layer wins.
    public var rateLimit: TransferRate? {
        get { self[key: RateLimitKey.self] }
        set { self[key: RateLimitKey.self] = newValue }
    }
}

/// The key of ``Resource/Settings/rateLimit``.
enum RateLimitKey: HarmlessSettingKey {
    /// None.
    static var defaultValue: TransferRate? { nil }
}

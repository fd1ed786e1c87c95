// SPDX-License-Identifier: Apache-2.0

extension SettingKeys {
    /// How fast bodies go, both ways: all requests of the resource that sets it and below share the rate.
    ///
    /// Bytes are counted as they travel, before content codings are undone; heads don't count. While a body is held
    /// back, ``SettingKeys/timeout`` doesn't run, and ``SettingKeys/deadline`` does. Default: none. The nearest layer
    /// wins.
    public var rateLimit: RateLimitKey.Type { RateLimitKey.self }
}

/// The key of ``SettingKeys/rateLimit``.
public enum RateLimitKey: SettingKey {
    /// None.
    public static var defaultValue: TransferRate? { nil }

    /// It tells another origin nothing.
    public static var crossesOrigins: Bool { true }
}

// SPDX-License-Identifier: Apache-2.0

extension Resource.Settings {
    /// A limit is counted at a place.
    @available(*, unavailable, message: "a limit is counted at a place: write it in `setRules { }`")
    public var pace: RequestPace? {
        get { self[key: PaceKey.self] }
        set {}
    }

    /// A quota is tracked at a place.
    @available(*, unavailable, message: "a quota is tracked at a place: write it in `setRules { }`")
    public var tracksQuota: Bool {
        get { self[key: TracksQuotaKey.self] }
        set {}
    }
}

/// The key of ``Resource/Rules/pace``.
enum PaceKey: UncomparedSettingKey {
    /// None.
    static var defaultValue: RequestPace? { nil }

    /// It reveals nothing to another origin, and each origin is counted separately.
    static var crossesOrigins: Bool { true }
}

/// The key of ``Resource/Rules/tracksQuota``.
enum TracksQuotaKey: HarmlessSettingKey, UncomparedSettingKey {
    /// False.
    static var defaultValue: Bool { false }
}

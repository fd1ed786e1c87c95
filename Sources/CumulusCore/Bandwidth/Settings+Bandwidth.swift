// SPDX-License-Identifier: Apache-2.0

extension Resource.Settings {
    /// A limit is counted at a place.
    @available(*, unavailable, message: "a limit is counted at a place: write it in `setRules { }`")
    public var bandwidth: Bandwidth? {
        get { self[key: BandwidthKey.self] }
        set {}
    }
}

/// The key of ``Resource/Rules/bandwidth``.
enum BandwidthKey: HarmlessSettingKey {
    /// None.
    static var defaultValue: Bandwidth? { nil }
}

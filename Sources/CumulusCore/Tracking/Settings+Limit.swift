// SPDX-License-Identifier: Apache-2.0

extension Resource.Settings {
    /// A limit is counted at a place.
    @available(*, unavailable, message: "a limit is counted at a place: write it in `setRules { }`")
    public var maxConcurrentRequests: Int {
        get { self[key: MaxConcurrentRequestsKey.self] }
        set {}
    }
}

/// The key of ``Resource/Rules/maxConcurrentRequests``.
enum MaxConcurrentRequestsKey: HarmlessSettingKey {
    /// No limit.
    static var defaultValue: Int { 0 }
}

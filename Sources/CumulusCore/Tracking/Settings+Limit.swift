// SPDX-License-Identifier: Apache-2.0

extension Resource.Rules {
    /// How many requests may run at once at this place and below it, all together.
    ///
    /// The others wait, first come, first served; the wait ends with `CancellationError` when they are cancelled, and
    /// counts towards ``Settings/deadline``. A place below that has its own limit has its own line. Changing the limit
    /// doesn't affect running requests. Default: 0, no limit by the tree: as many run as the transport has connections
    /// to the origin (256 on each event loop of `NIOTransport`, `httpMaximumConnectionsPerHost` of `URLSession`). The
    /// nearest place wins.
    public var maxConcurrentRequests: Int {
        get { settings[MaxConcurrentRequestsKey.self] }
        set { settings[MaxConcurrentRequestsKey.self] = newValue }
    }
}

extension Settings {
    /// A limit is counted at a place.
    @available(*, unavailable, message: "a limit is counted at a place: write it in `setRules { }`")
    public var maxConcurrentRequests: Int {
        get { self[MaxConcurrentRequestsKey.self] }
        set {}
    }
}

/// The key of ``Resource/Rules/maxConcurrentRequests``.
enum MaxConcurrentRequestsKey: HarmlessSettingKey {
    /// No limit.
    static var defaultValue: Int { 0 }
}

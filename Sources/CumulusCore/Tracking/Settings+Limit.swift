// SPDX-License-Identifier: Apache-2.0

extension Settings {
    /// How many requests may run at once on the resource that sets it and all of its descendants together.
    ///
    /// The others wait, first come, first served; the wait ends with `CancellationError` when they are cancelled, and
    /// counts towards ``Settings/deadline``. A layer below that sets its own limit has its own line. Changing the limit
    /// doesn't affect running requests. Default: 0, no limit by the tree: as many run as the transport has connections
    /// to the origin (256 on each event loop of `NIOTransport`, `httpMaximumConnectionsPerHost` of `URLSession`). The
    /// nearest layer wins.
    public var maxConcurrentRequests: Int {
        get { self[MaxConcurrentRequestsKey.self] }
        set { self[MaxConcurrentRequestsKey.self] = newValue }
    }
}

/// The key of ``Settings/maxConcurrentRequests``.
enum MaxConcurrentRequestsKey: HarmlessSettingKey {
    /// No limit.
    static var defaultValue: Int { 0 }
}

// SPDX-License-Identifier: Apache-2.0

extension Settings {
    /// How many requests may run at once on the resource that sets it and below, all of its descendants together.
    ///
    /// The others wait, first come, first served; the wait ends with `CancellationError` when they are cancelled, and
    /// counts for ``Settings/deadline``. A layer below that sets its own limit has a line of its own. Changing the
    /// limit touches no request that runs. Default: 0, which is no limit of the tree's own: as many run as the transport
    /// has connections to the origin for (256 on each event loop of `NIOTransport`, `httpMaximumConnectionsPerHost` of
    /// `URLSession`). The nearest layer wins.
    public var maxConcurrentRequests: Int {
        get { self[MaxConcurrentRequestsKey.self] }
        set { self[MaxConcurrentRequestsKey.self] = newValue }
    }
}

/// The key of ``Settings/maxConcurrentRequests``.
enum MaxConcurrentRequestsKey: SettingKey {
    /// No limit.
    static var defaultValue: Int { 0 }

    /// It tells another origin nothing.
    static var crossesOrigins: Bool { true }
}

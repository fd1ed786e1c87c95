// SPDX-License-Identifier: Apache-2.0

extension SettingKeys {
    /// How many requests may run at once on the resource that sets it and below, all of its descendants together.
    ///
    /// The others wait, first come, first served; the wait ends with `CancellationError` when they are cancelled, and
    /// counts for ``SettingKeys/deadline``. A layer below that sets its own limit has a line of its own. Changing the
    /// limit touches no request that runs. Default: 0, which is no limit (a transport limits its connections
    /// itself). The nearest layer wins.
    public var maxConcurrentRequests: MaxConcurrentRequestsKey.Type { MaxConcurrentRequestsKey.self }
}

/// The key of ``SettingKeys/maxConcurrentRequests``.
public enum MaxConcurrentRequestsKey: SettingKey {
    /// No limit.
    public static var defaultValue: Int { 0 }

    /// It tells another origin nothing.
    public static var crossesOrigins: Bool { true }
}

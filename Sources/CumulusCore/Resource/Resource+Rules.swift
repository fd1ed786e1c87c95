// SPDX-License-Identifier: Apache-2.0

extension Resource {
    /// The settings of a place, which apply to every resource at or below it.
    ///
    /// They are all ``Resource/Settings``, and the limits that the calls at and below a place count against together.
    @dynamicMemberLookup
    public struct Rules: Sendable {
        /// What a single resource may override, too.
        public var settings: Settings

        /// A setting, by name.
        public subscript<Value>(dynamicMember setting: WritableKeyPath<Resource.Settings, Value>) -> Value {
            get { settings[keyPath: setting] }
            set { settings[keyPath: setting] = newValue }
        }

        /// Removes the place's own value of a setting, so that it inherits again.
        public mutating func inherit<Value>(_ setting: WritableKeyPath<Rules, Value>) {
            for key in Rules.keys(of: setting) { settings.inherit(key) }
        }

        /// The keys that a property reads.
        static func keys<Value>(of setting: WritableKeyPath<Rules, Value>) -> [any SettingKey.Type] {
            Settings.keys { _ = Rules(settings: $0)[keyPath: setting] }
        }
    }
}

// MARK: Limits

extension Resource.Rules {
    /// How many requests may run at once at this place and below it, all together.
    ///
    /// The others wait, first come, first served; the wait ends with `CancellationError` when they are cancelled, and
    /// counts towards ``Resource/Settings/deadline``. A place below that has its own limit has its own line. Changing the limit
    /// doesn't affect running requests. Default: 0, no limit by the tree: as many run as the transport has connections
    /// to the origin (256 on each event loop of `NIOTransport`, `httpMaximumConnectionsPerHost` of `URLSession`). The
    /// nearest place wins.
    public var maxConcurrentRequests: Int {
        get { settings[key: MaxConcurrentRequestsKey.self] }
        set { settings[key: MaxConcurrentRequestsKey.self] = newValue }
    }

    /// When requests may start, at this place and below it, all together.
    ///
    /// The others wait, first come, first served, in a separate line for each origin, and occupy neither a connection
    /// nor a slot of ``maxConcurrentRequests``. The wait ends with `CancellationError` if they are cancelled; one that
    /// would outlast ``Resource/Settings/deadline`` fails immediately. A place below that has its own pace has its own line. It is
    /// independent of ``Resource/Settings/rateLimit``, which counts bytes. Default: none. The nearest place wins.
    public var pace: RequestPace? {
        get { settings[key: PaceKey.self] }
        set { settings[key: PaceKey.self] = newValue }
    }

    /// Whether the server's quota is tracked, for ``Resource/quota``.
    ///
    /// All resources below share it. If ``pace`` is set, here or above, the quota is tracked anyway. Default: `false`.
    /// The nearest place wins.
    public var tracksQuota: Bool {
        get { settings[key: TracksQuotaKey.self] }
        set { settings[key: TracksQuotaKey.self] = newValue }
    }
}

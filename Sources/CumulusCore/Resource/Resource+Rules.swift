// SPDX-License-Identifier: Apache-2.0

extension Resource {
    /// The settings of a place, which apply to every resource at or below it.
    ///
    /// They consist of all ``Resource/Settings``, and the limits that all calls at and below a place share.
    @dynamicMemberLookup
    public struct Rules: Sendable {
        /// The settings that a single resource may also override.
        public var settings: Settings

        /// A setting, by name.
        public subscript<Value>(dynamicMember setting: WritableKeyPath<Resource.Settings, Value>) -> Value {
            get { settings[keyPath: setting] }
            set { settings[keyPath: setting] = newValue }
        }

        /// Removes the place's own value of a setting, so that the inherited value applies again.
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
    /// The maximum total number of requests that run at once at this place and below it.
    ///
    /// Other requests wait, first come, first served; the wait ends with `CancellationError` when they are cancelled,
    /// and counts towards ``Resource/Settings/deadline``. A place below that has its own limit also has its own queue.
    /// Changing the limit doesn't affect running requests. Default: 0, which sets no limit other than the number of the
    /// transport's connections to the origin (256 on each event loop of `NIOTransport`, `httpMaximumConnectionsPerHost`
    /// of `URLSession`). The nearest place wins.
    public var maxConcurrentRequests: Int {
        get { settings[key: MaxConcurrentRequestsKey.self] }
        set { settings[key: MaxConcurrentRequestsKey.self] = newValue }
    }

    /// The limit on the rate at which requests start, shared by all requests at this place and below it.
    ///
    /// Requests wait, first come, first served, in a separate queue for each origin, and occupy neither a connection
    /// nor a slot of ``maxConcurrentRequests``. The wait ends with `CancellationError` if they are cancelled; a wait
    /// that would outlast ``Resource/Settings/deadline`` fails immediately. A place below that has its own limit also
    /// has its own queue. The server's quota is tracked with any limit, for ``Resource/quota``. Default: none. The
    /// nearest place wins.
    public var rateLimit: RateLimit? {
        get { settings[key: RateLimitKey.self] }
        set { settings[key: RateLimitKey.self] = newValue }
    }

    /// The speed limit for bodies in both directions, shared by all requests at this place and below it.
    ///
    /// Bytes are counted as transmitted, before content is decoded; heads don't count. While a body is held back,
    /// ``Resource/Settings/timeout`` is suspended, but ``Resource/Settings/deadline`` is not. Default: none. The
    /// nearest place wins.
    public var bandwidth: Bandwidth? {
        get { settings[key: BandwidthKey.self] }
        set { settings[key: BandwidthKey.self] = newValue }
    }

    /// The clock for requests and limits; tests use a manual clock.
    ///
    /// Default: the system's continuous clock. The nearest place wins.
    public var clock: any RequestClock {
        get { settings[key: ClockKey.self] }
        set { settings[key: ClockKey.self] = newValue }
    }
}

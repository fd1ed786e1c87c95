// SPDX-License-Identifier: Apache-2.0

/// How many requests a service takes, by what its makers say and by what its answers say.
public struct ServiceRate: Sendable, Hashable {
    /// How many requests may begin in a time; `nil` for any number.
    public var limit: Limit?
    /// Whether what answers say of the quota is kept for ``Service/quota``.
    public var tracksQuota: Bool
    /// Whether requests wait while the service says that nothing is left.
    public var heedsQuota: Bool

    /// So many requests in a time.
    public struct Limit: Sendable, Hashable {
        /// How many in that time.
        public var requests: Int
        /// The time, in seconds.
        public var seconds: Double
        /// How many may start together after a pause.
        public var burst: Int

        /// States a limit.
        public init(_ requests: Int, perSeconds seconds: Double, burst: Int = 1) {
            self.requests = requests
            self.seconds = seconds
            self.burst = burst
        }
    }

    /// States what is known; by default nothing.
    public init(limit: Limit? = nil, tracksQuota: Bool = false, heedsQuota: Bool = false) {
        self.limit = limit
        self.tracksQuota = tracksQuota
        self.heedsQuota = heedsQuota
    }

    /// Writes the settings that keep to it.
    func apply(to settings: inout Settings) {
        if tracksQuota { settings.tracksQuota = true }
        if let limit {
            let pace = RequestPace.requests(limit.requests, per: .seconds(limit.seconds), burst: limit.burst)
            settings.pace = heedsQuota ? pace.heedingQuota() : pace
        } else if heedsQuota {
            settings.pace = .quota
        }
    }
}

// SPDX-License-Identifier: Apache-2.0

import CumulusCore

/// The number of requests that a service accepts, according to its documentation and its responses.
public struct ServiceRate: Sendable, Hashable {
    /// The number of requests that may start in a period; `nil` means no limit.
    public var limit: Limit?
    /// Whether quotas in responses are tracked for ``Service/quota``.
    public var tracksQuota: Bool
    /// Whether requests wait while the service reports that its quota is used up.
    public var heedsQuota: Bool

    /// A number of requests per period.
    public struct Limit: Sendable, Hashable {
        /// The number of requests.
        public var requests: Int
        /// The period, in seconds.
        public var seconds: Double
        /// The number of requests that may start together after a pause.
        public var burst: Int

        /// Creates a limit.
        public init(_ requests: Int, perSeconds seconds: Double, burst: Int = 1) {
            self.requests = requests
            self.seconds = seconds
            self.burst = burst
        }
    }

    /// Creates a rate; by default without limits.
    public init(limit: Limit? = nil, tracksQuota: Bool = false, heedsQuota: Bool = false) {
        self.limit = limit
        self.tracksQuota = tracksQuota
        self.heedsQuota = heedsQuota
    }

    /// Writes the rules that comply with the rate.
    func apply(to rules: inout Resource.Rules) {
        if let limit {
            let rate = RateLimit.requests(limit.requests, per: .seconds(limit.seconds), burst: limit.burst)
            rules.rateLimit = heedsQuota ? rate.heedingQuota() : rate
        } else if heedsQuota {
            rules.rateLimit = .quota
        } else if tracksQuota, rules.rateLimit == nil {
            // A limit that is inherited tracks it anyway, and stays.
            rules.rateLimit = .tracking
        }
    }
}

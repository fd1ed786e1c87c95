// SPDX-License-Identifier: Apache-2.0

extension Resource {
    /// The server's latest quota, from any response at or below the place that sets ``Resource/Rules/rateLimit``;
    /// ``RateLimit/tracking`` is one without a limit.
    ///
    /// Values that a response leaves out stay the same. `nil` if the server sent none, or the rule is not set.
    public var quota: RequestQuota? {
        guard let origin = try? place.address.get().origin else { return nil }
        return snapshot.limiters.rateLimiter?.quota(of: origin)
    }

    /// The current ``quota``, and then each change; a slow reader gets only the newest.
    ///
    /// Ends at once if no ``Resource/Rules/rateLimit`` is set.
    public var quotas: AsyncStream<RequestQuota> {
        guard let origin = try? place.address.get().origin, let limiter = snapshot.limiters.rateLimiter else {
            return AsyncStream { $0.finish() }
        }
        return limiter.quotas(of: origin)
    }
}

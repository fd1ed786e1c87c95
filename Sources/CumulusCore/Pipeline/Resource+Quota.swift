// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

extension Resource {
    /// The latest quota that the server reported to this user, in any response at or below the place that sets
    /// ``Resource/Rules/rateLimit``.
    ///
    /// Use ``RateLimit/tracking`` to track it without limiting requests. Each user of a tree has a separate quota, as
    /// described for ``RateLimit/quota``. Values that a response omits stay the same. `nil` if the server sent none, or
    /// the rule is not set.
    public var quota: RequestQuota? { quotaLine.flatMap { limiter, line in limiter.quota(of: line) } }

    /// The current ``quota``, and then each change; a slow reader receives only the newest.
    ///
    /// The stream ends immediately if no ``Resource/Rules/rateLimit`` is set.
    public var quotas: AsyncStream<RequestQuota> {
        guard let (limiter, line) = quotaLine else { return AsyncStream { $0.finish() } }
        return limiter.quotas(of: line)
    }

    private var quotaLine: (RateLimiter, RateLimiter.Line)? {
        let snapshot = snapshot
        guard let limiter = snapshot.limiters.rateLimiter, let address = try? place.address.get() else { return nil }
        let request = EncodedRequest(
            .init(method: .get, origin: address.origin, target: address.path, node: node, id: .next())
        )
        let user = snapshot.pipeline.attemptLoop.stages.partitions.quotaUser(of: request, after: [])
        return (limiter, RateLimiter.Line(origin: address.origin, user: StorePartition(user)))
    }
}

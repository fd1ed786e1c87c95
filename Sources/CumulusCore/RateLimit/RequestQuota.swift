// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives
public import HTTPTypes

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A server's quota for your requests: how many it accepts per window, how many are left, and when it resets.
///
/// It is parsed from `RateLimit` and `RateLimit-Policy` (draft-ietf-httpapi-ratelimit-headers), from the earlier drafts
/// (`RateLimit-Limit`, `-Remaining`, `-Reset`), and from the fields of services: `X-RateLimit-...`, `X-Rate-Limit-...`,
/// Discord's `X-RateLimit-Reset-After`, and the fields of OpenAI, Anthropic, HubSpot, Shopify and Azure. Malformed,
/// negative, past or out-of-range values are ignored. If there are several limits, the one with the fewest requests
/// left is used.
public struct RequestQuota: Sendable, Hashable {
    /// The number of requests that the server accepts per window.
    public internal(set) var limit: Int64?
    /// The number of requests that are left in the window.
    public internal(set) var remaining: Int64?
    /// The date when the quota resets, according to this machine's clock.
    public internal(set) var reset: Date?
    /// The time from the response's arrival to the reset; at most a year.
    public internal(set) var resetsAfter: Duration?
    /// The window in which requests are counted.
    public internal(set) var window: Duration?
    /// The server's name for the limit: the name in `RateLimit`, GitHub's `X-RateLimit-Resource`, Discord's
    /// `X-RateLimit-Bucket`.
    public internal(set) var name: String?
    /// The time for which nothing should be sent: the `Retry-After` of a 4xx or 5xx response.
    public internal(set) var retryAfter: Duration?

    /// Creates a quota from a response's fields; `nil` if they contain none.
    ///
    /// Dates are relative to the server's own `Date`, so a difference between the clocks doesn't matter.
    ///
    /// - Parameters:
    ///   - headers: The fields.
    ///   - status: The response's status.
    ///   - now: The date when the response was received.
    public init?(_ headers: HTTPFields, status: HTTPResponse.Status = .ok, at now: Date = Date()) {
        guard var quota = QuotaReader(headers, now).quota(status) else { return nil }
        quota.reset = quota.resetsAfter.map { now.addingTimeInterval($0 / .seconds(1)) }
        self = quota
    }

    init() {}

    /// The time for which no request will be accepted: ``retryAfter``, or the time until the reset if nothing is left.
    public var wait: Duration? { retryAfter ?? (remaining == 0 ? resetsAfter : nil) }

    /// The quota after a response that may contain less: missing values are kept.
    func updated(by newer: RequestQuota) -> RequestQuota {
        if let name = newer.name, name != self.name { return newer }
        var quota = newer
        quota.limit = newer.limit ?? limit
        quota.remaining = newer.remaining ?? remaining
        quota.window = newer.window ?? window
        quota.name = newer.name ?? name
        if newer.resetsAfter == nil { (quota.reset, quota.resetsAfter) = (reset, resetsAfter) }
        return quota
    }
}

extension RequestQuota: Redacted {
    /// A description of the quota, on one line.
    public var description: String {
        var parts: [String] = []
        switch (remaining, limit) {
        case (let remaining?, let limit?): parts.append("\(remaining) of \(limit) left")
        case (let remaining?, nil): parts.append("\(remaining) left")
        case (nil, let limit?): parts.append("at most \(limit)")
        case (nil, nil): break
        }
        if let window { parts.append("counted over \(SpokenDuration(window))") }
        if let resetsAfter { parts.append("reset after \(SpokenDuration(resetsAfter))") }
        if let retryAfter { parts.append("no requests for \(SpokenDuration(retryAfter))") }
        let text = parts.joined(separator: ", ")
        return name.map { "\(PeerText.printable($0, limit: 64)): \(text)" } ?? text
    }
}

extension Response {
    /// The server's quota in the response; `nil` if the response doesn't contain one.
    ///
    /// It is parsed from the header fields on each access. ``Resource/quota`` is the latest one.
    public var quota: RequestQuota? { RequestQuota(headers, status: status, at: receivedAt) }
}

extension ResponseStream {
    /// The server's quota in the response; `nil` if the response doesn't contain one.
    public var quota: RequestQuota? { RequestQuota(headers, status: status) }
}

// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives

/// The rate and the server quota that determine when requests may start.
///
/// ```swift
/// site.setRules { $0.rateLimit = .requests(10, per: .seconds(1), burst: 5) }
/// site["search"].setRules { $0.rateLimit = .quota }  // waits while the server reports that nothing is left
/// ```
///
/// It counts requests, while ``Resource/Rules/bandwidth`` counts the bytes of bodies. Each attempt counts, including
/// redirects, retries and the pieces of a download.
public struct RateLimit: Sendable, Hashable {
    /// A number of requests per period.
    public struct Rate: Sendable, Hashable {
        /// The number of requests.
        public let count: Int
        /// The period in which the requests are counted.
        public let period: Duration
        /// The number of requests that may start together after a pause.
        public let burst: Int

        /// The interval between the starts of two requests.
        var interval: Duration { period / count }

        init(_ count: Int, _ period: Duration, _ burst: Int) {
            // Bounds within which no sum of durations overflows.
            self.count = min(max(count, 1), 1_000_000_000)
            self.period = min(max(period, .zero), .seconds(31_536_000))
            self.burst = min(max(burst, 1), 1_000_000)
        }
    }

    /// The rate at which requests may start; `nil` means no limit.
    public var rate: Rate?
    /// Whether to follow servers' quotas; see ``quota``.
    public var heedsQuota: Bool
    /// The longest wait that a server's quota may require; `nil` means no limit.
    ///
    /// If the quota requires a longer wait, the call ends immediately with ``CumulusError/Code/timeout``.
    public var maxWait: Duration?

    /// Creates a limit of a number of requests per period, evenly spaced except for a burst.
    ///
    /// - Parameters:
    ///   - count: The number of requests; less than one counts as one.
    ///   - period: The period, up to a year; zero or less means no limit.
    ///   - burst: The number of requests that may start together after a pause.
    /// - Returns: The rate limit.
    public static func requests(_ count: Int, per period: Duration, burst: Int = 1) -> RateLimit {
        RateLimit(rate: Rate(count, period, burst), heedsQuota: false, maxWait: nil)
    }

    /// A rate limit that starts no request while the server's quota is used up (``RequestQuota``), for up to a minute.
    ///
    /// Each user has a separate quota. The user is identified by the authorizers, the cookie jar, and the header fields
    /// of the settings, except neutral ones (``Resource/Settings/neutralHeaders``). Requests in flight are counted, so
    /// that no more are sent than the quota allows. After a `Retry-After`, the user's requests wait for that time, and
    /// only a few are sent at first. Without a reset time, requests don't wait.
    public static let quota = RateLimit(rate: nil, heedsQuota: true, maxWait: .seconds(60))

    /// No limit: only the server's quota is tracked, for ``Resource/quota``.
    public static let tracking = RateLimit(rate: nil, heedsQuota: false, maxWait: nil)

    /// Returns a copy of the rate limit that also follows the server's quota.
    ///
    /// All users of an origin share the rate; each has a separate quota, as with ``quota``.
    ///
    /// - Parameter maxWait: The longest wait; see ``maxWait``.
    /// - Returns: The rate limit.
    public func heedingQuota(maxWait: Duration? = .seconds(60)) -> RateLimit {
        RateLimit(rate: rate, heedsQuota: true, maxWait: maxWait)
    }
}

extension RateLimit {
    /// The part that a line follows: the rate, or a user's quota.
    func part(of line: RateLimiter.Line) -> RateLimit {
        line.user == nil
            ? RateLimit(rate: rate, heedsQuota: false, maxWait: nil)
            : RateLimit(rate: nil, heedsQuota: heedsQuota, maxWait: maxWait)
    }
}

extension RateLimit: CustomStringConvertible {
    /// A description of the rate limit.
    public var description: String {
        let rate = rate.map { "\($0.count) requests each \(SpokenDuration($0.period)), \($0.burst) at once" }
        let quota = heedsQuota ? "as the server's quota allows" : nil
        let parts = [rate, quota].compactMap(\.self)
        return parts.isEmpty ? "only tracked" : parts.joined(separator: ", ")
    }
}

extension Resource.Settings {
    /// Unavailable: a limit is set for a place, not for a copy.
    @available(*, unavailable, message: "a limit is set for a place, not for a copy: use `setRules { }`")
    public var rateLimit: RateLimit? {
        get { self[key: RateLimitKey.self] }
        set {}
    }
}

/// The key of ``Resource/Rules/rateLimit``.
enum RateLimitKey: HarmlessSettingKey, UncomparedSettingKey {
    /// No limit.
    static var defaultValue: RateLimit? { nil }
}

/// A duration as Go formats it: `6m0s`, `1h2m3.5s`, `120ms`.
struct SpanText: Sendable, Hashable {
    let duration: Duration

    /// `nil` if it is invalid, or longer than a hundred years.
    init?(_ text: String) {
        guard text.utf8.count <= 64, !text.utf8.isEmpty else { return nil }
        var rest = text.utf8[...]
        var seconds = 0.0
        while !rest.isEmpty {
            let digits = rest.prefix { $0 &- 0x30 < 10 || $0 == UInt8(ascii: ".") }
            rest = rest[digits.endIndex...]
            let unit = rest.prefix { 0x61...0x7A ~= $0 }
            rest = rest[unit.endIndex...]
            guard let number = ServerTiming.decimal(String(Substring(digits))),
                let size = SpanText.units[String(Substring(unit))]
            else { return nil }
            seconds += number * size
        }
        guard seconds <= 3.2e9 else { return nil }
        duration = .seconds(seconds)
    }

    private static let units: [String: Double] = ["ms": 0.001, "s": 1, "m": 60, "h": 3_600, "d": 86_400]
}

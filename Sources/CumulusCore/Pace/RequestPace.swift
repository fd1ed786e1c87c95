// SPDX-License-Identifier: Apache-2.0

/// When requests may start: at a rate, and within the server's quota.
///
/// ```swift
/// site.pace = .requests(10, per: .seconds(1), burst: 5)
/// site["search"].pace = .quota  // waits where the server says that nothing is left
/// ```
///
/// It counts requests, while ``Settings/rateLimit`` counts the bytes of bodies. Each attempt counts, so redirects, retries
/// and the pieces of a download do as well.
public struct RequestPace: Sendable, Hashable {
    /// So many requests in a time.
    public struct Rate: Sendable, Hashable {
        /// How many in that time.
        public let count: Int
        /// The time.
        public let period: Duration
        /// How many may start together after a pause.
        public let burst: Int

        /// From the beginning of a request to that of the next.
        var interval: Duration { period / count }

        init(_ count: Int, _ period: Duration, _ burst: Int) {
            // Bounds within which no sum of durations overflows.
            self.count = min(max(count, 1), 1_000_000_000)
            self.period = min(max(period, .zero), .seconds(31_536_000))
            self.burst = min(max(burst, 1), 1_000_000)
        }
    }

    /// How many requests may start in a time; `nil` means any number.
    public var rate: Rate?
    /// Whether to follow servers' quotas; see ``quota``.
    public var heedsQuota: Bool
    /// The longest wait that a server's quota may ask for; `nil` is any.
    ///
    /// Where it asks for a longer one, the call ends at once with ``CumulusError/Code/timeout``.
    public var maxWait: Duration?

    /// At most this many requests in a time, evenly spaced except for a burst.
    ///
    /// - Parameters:
    ///   - count: How many in that time; less than one counts as one.
    ///   - period: The time, up to a year; none, or less, is no limit.
    ///   - burst: How many may start together after a pause.
    /// - Returns: The pace.
    public static func requests(_ count: Int, per period: Duration, burst: Int = 1) -> RequestPace {
        RequestPace(rate: Rate(count, period, burst), heedsQuota: false, maxWait: nil)
    }

    /// No request starts while the server's quota is used up (``RequestQuota``), up to an hour.
    ///
    /// Requests that are under way are counted, so that no more go out than there is quota for. If the server says
    /// `Retry-After`, nothing goes out until then, and only a few at first. Without a reset time, nothing waits.
    public static let quota = RequestPace(rate: nil, heedsQuota: true, maxWait: .seconds(3_600))

    /// This pace, which also follows the server's quota.
    ///
    /// - Parameter maxWait: See ``maxWait``.
    /// - Returns: The pace.
    public func heedingQuota(maxWait: Duration? = .seconds(3_600)) -> RequestPace {
        RequestPace(rate: rate, heedsQuota: true, maxWait: maxWait)
    }
}

extension RequestPace: CustomStringConvertible {
    /// The pace in words.
    public var description: String {
        let rate = rate.map { "\($0.count) requests each \(SpokenDuration($0.period)), \($0.burst) at once" }
        let quota = heedsQuota ? "as the server's quota allows" : nil
        return [rate, quota].compactMap(\.self).joined(separator: ", ")
    }
}

// SPDX-License-Identifier: Apache-2.0

/// When requests may begin: so many in a time, and no more than the server says are left.
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
        /// How many may begin together when there were none for a while.
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

    /// How many requests may begin in a time; `nil` is any number.
    public var rate: Rate?
    /// Whether what servers say of their quota is heeded; see ``quota``.
    public var heedsQuota: Bool
    /// The longest wait that a server's quota may ask for; `nil` is any.
    ///
    /// Where it asks for a longer one, the call ends at once with ``CumulusError/Code/timeout``.
    public var maxWait: Duration?

    /// At most so many requests in a time, evenly spaced except for a burst.
    ///
    /// - Parameters:
    ///   - count: How many in that time; less than one counts as one.
    ///   - period: The time, up to a year; none, or less, is no limit.
    ///   - burst: How many may begin together when there were none for a while.
    /// - Returns: The pace.
    public static func requests(_ count: Int, per period: Duration, burst: Int = 1) -> RequestPace {
        RequestPace(rate: Rate(count, period, burst), heedsQuota: false, maxWait: nil)
    }

    /// No request begins while the server says that nothing is left of its quota (``RequestQuota``), up to an hour.
    ///
    /// Requests that are under way are counted, so that no more go out than there is quota for. If the server says
    /// `Retry-After`, nothing goes out until then, and only a few at first. What tells no reset holds nothing up.
    public static let quota = RequestPace(rate: nil, heedsQuota: true, maxWait: .seconds(3_600))

    /// This pace, which heeds the server's quota as well.
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

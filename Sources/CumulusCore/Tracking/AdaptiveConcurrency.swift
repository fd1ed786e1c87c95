// SPDX-License-Identifier: Apache-2.0

/// A limit of concurrent requests that adapts to the server.
///
/// ```swift
/// site.adaptiveConcurrency = AdaptiveConcurrency(upTo: 64)
/// print(site.concurrencyLimit)  // 17: what has been found out so far
/// ```
///
/// The limit grows while it is fully used and responses stay as fast as before: at first it doubles with each round of
/// responses, later it grows by one per round. It shrinks by a third when the server refuses (429, 503) or a time limit
/// passes, and by a tenth when responses take longer than ``tolerance`` allows; at most once per round.
public struct AdaptiveConcurrency: Sendable, Hashable {
    /// The bounds of the limit.
    public var range: ClosedRange<Int>
    /// How many requests may run at once at the beginning.
    public var start: Int
    /// The multiple of the shortest time to a response's head that still counts as equally fast.
    public var tolerance: Double

    /// Makes a limit with bounds; values below one count as one.
    ///
    /// - Parameters:
    ///   - most: The most requests that may run at once.
    ///   - least: The lower bound of the limit, no matter how busy the server is.
    ///   - start: How many requests may run at once at the beginning.
    ///   - tolerance: See ``tolerance``; values below one count as one.
    public init(upTo most: Int = 64, least: Int = 1, start: Int = 4, tolerance: Double = 2) {
        let least = max(1, least)
        range = least...max(least, most)
        self.start = min(max(start, range.lowerBound), range.upperBound)
        self.tolerance = tolerance >= 1 ? tolerance : 1
    }
}

extension AdaptiveConcurrency: CustomStringConvertible {
    /// The bounds in words.
    public var description: String { "\(range.lowerBound) to \(range.upperBound) at once, adapted to the server" }
}

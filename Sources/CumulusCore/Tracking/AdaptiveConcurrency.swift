// SPDX-License-Identifier: Apache-2.0

/// A limit of concurrent requests that adapts to the server.
///
/// ```swift
/// site.adaptiveConcurrency = AdaptiveConcurrency(upTo: 64)
/// print(site.concurrencyLimit)  // 17: what has been found out so far
/// ```
///
/// The limit grows while answers come as fast as before and all of it is used: at first it doubles with each round of
/// answers, later it grows by one a round. It shrinks by a third when the server refuses (429, 503) or a time limit
/// passes, and by a tenth when answers take longer than ``tolerance`` allows; once a round at most.
public struct AdaptiveConcurrency: Sendable, Hashable {
    /// The fewest and the most.
    public var range: ClosedRange<Int>
    /// How many may run at once in the beginning.
    public var start: Int
    /// How many times the shortest time to an answer's head counts as just as fast.
    public var tolerance: Double

    /// Names the bounds; less than one counts as one.
    ///
    /// - Parameters:
    ///   - most: The most that may run at once.
    ///   - least: The fewest; however busy the server is, so many may run.
    ///   - start: How many may run at once in the beginning.
    ///   - tolerance: See ``tolerance``; less than one counts as one.
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

// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives

/// The minimum rate of a body's transfer, in either direction.
///
/// Without it, a peer that is never silent for long could keep a transfer from ending. The rate is the average over a
/// ``period``, checked at the end of each period. A transfer that becomes too slow ends within two periods. Time in
/// which your own side causes the delay, such as under a rate limit or while a body isn't read, doesn't count. Neither
/// does the wait for the response's head, which has its own limit (``Resource/Settings/timeout``).
public struct MinimumRate: Sendable, Hashable {
    /// The rate in bytes per second, in both directions together; 0 means no limit.
    public var bytesPerSecond: Int64
    /// The period of the average.
    public var period: Duration

    /// Creates a rate, by default over 30 seconds.
    public init(bytesPerSecond: Int64, over period: Duration = .seconds(30)) {
        self.bytesPerSecond = bytesPerSecond
        self.period = period
    }

    /// No limit, not even for downloads.
    public static let none = MinimumRate(bytesPerSecond: 0)
}

extension MinimumRate: CustomStringConvertible {
    /// A description of the rate.
    public var description: String {
        guard bytesPerSecond > 0 else { return "none" }
        return "\(bytesPerSecond) byte\(bytesPerSecond == 1 ? "" : "s") per second over \(SpokenDuration(period))"
    }
}

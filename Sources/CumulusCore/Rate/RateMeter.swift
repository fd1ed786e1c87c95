// SPDX-License-Identifier: Apache-2.0

/// The sums of a rate: how many bytes have been asked for, and how many time has granted; no clock, no waiting.
///
/// Bytes stand in one line: who asks gets a place, and may go on once so many bytes have been granted. That is first
/// come, first served, whoever shares the rate, and goes on rightly when the rate changes.
struct RateMeter: Sendable {
    /// What someone at a place in the line has to do.
    enum Wait: Sendable, Equatable {
        case none
        case until(ContinuousClock.Instant)
        /// Until the rate is another one.
        case held
    }

    /// How much time's worth can be saved up while nobody asks, so that late wake-ups cost no speed.
    private static let slack = 0.1

    /// Bytes a second; `nil` is as fast as it goes, 0 not at all.
    private(set) var rate: Int64?
    private var next: Int64??
    private var asked: Double = 0
    private var granted: Double = 0
    private var settledAt: ContinuousClock.Instant?

    init(rate: Int64?) { self.rate = rate }

    /// Changes the rate; time that has passed counts at the old one.
    mutating func change(to rate: Int64?) { next = .some(rate) }

    /// Puts bytes at the end of the line.
    ///
    /// - Returns: Their places.
    mutating func ask(_ count: Int, at now: ContinuousClock.Instant) -> Range<Double> {
        settle(at: now)
        let start = asked
        asked += Double(count)
        return start..<asked
    }

    /// Takes bytes back that were asked for and are not needed.
    mutating func giveBack(_ count: Int) { granted += Double(count) }

    /// What one has to do whose place in the line is this.
    mutating func wait(for place: Double, at now: ContinuousClock.Instant) -> Wait {
        settle(at: now)
        guard place > granted, let rate else { return .none }
        guard rate > 0 else { return .held }
        // A place that is weeks away is looked at again in between.
        return .until(now + .seconds(min((place - granted) / Double(rate), 86_400)))
    }

    private mutating func settle(at now: ContinuousClock.Instant) {
        let seconds = max(0, (now - (settledAt ?? now)) / .seconds(1))
        settledAt = now
        if let rate {
            granted = min(asked + Double(rate) * RateMeter.slack, granted + Double(rate) * seconds)
        } else {
            granted = max(granted, asked)
        }
        if let next {
            rate = next
            self.next = nil
        }
    }
}

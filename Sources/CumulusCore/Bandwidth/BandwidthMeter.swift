// SPDX-License-Identifier: Apache-2.0

/// Tracks a rate: how many bytes have been requested, and how many the elapsed time has granted; no clock, no waiting.
///
/// Bytes form one line: each request gets a place, and may proceed once that many bytes have been granted. All users of
/// the rate are served in order, also when the rate changes.
struct BandwidthMeter: Sendable {
    /// What someone at a place in the line must do.
    enum Wait: Sendable, Equatable {
        case none
        case until(ContinuousClock.Instant)
        /// Wait until the rate changes.
        case held
    }

    /// How much unused time may be saved up, so that late wake-ups cost no speed.
    private static let slack = 0.1

    /// Bytes per second; `nil` means no limit, and 0 pauses.
    private(set) var rate: Int64?
    private var next: Int64??
    private var asked: Double = 0
    private var granted: Double = 0
    private var settledAt: ContinuousClock.Instant?

    init(rate: Int64?) { self.rate = rate }

    /// Changes the rate; elapsed time counts at the old one.
    mutating func change(to rate: Int64?) { next = .some(rate) }

    /// Adds bytes to the end of the line.
    ///
    /// - Returns: Their places.
    mutating func ask(_ count: Int, at now: ContinuousClock.Instant) -> Range<Double> {
        settle(at: now)
        let start = asked
        asked += Double(count)
        return start..<asked
    }

    /// Returns bytes that were requested and are not needed.
    mutating func giveBack(_ count: Int) { granted += Double(count) }

    /// What someone at this place in the line must do.
    mutating func wait(for place: Double, at now: ContinuousClock.Instant) -> Wait {
        settle(at: now)
        guard place > granted, let rate else { return .none }
        guard rate > 0 else { return .held }
        // A place that is weeks away is checked again in between.
        return .until(now + .seconds(min((place - granted) / Double(rate), 86_400)))
    }

    private mutating func settle(at now: ContinuousClock.Instant) {
        let seconds = max(0, (now - (settledAt ?? now)) / .seconds(1))
        settledAt = now
        if let rate {
            granted = min(asked + Double(rate) * BandwidthMeter.slack, granted + Double(rate) * seconds)
        } else {
            granted = max(granted, asked)
        }
        if let next {
            rate = next
            self.next = nil
        }
    }
}

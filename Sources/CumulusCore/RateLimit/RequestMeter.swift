// SPDX-License-Identifier: Apache-2.0

/// Spaces requests at a rate, without a clock or a lock.
///
/// It is a token bucket, stored as one instant: the time when the last request so far would have started at an even
/// rate.
struct RequestMeter: Sendable {
    private(set) var rate: RateLimit.Rate
    private var due: Moment?

    init(_ rate: RateLimit.Rate) { self.rate = rate }

    /// The time when a request may start after this many others; `nil` means now.
    func opening(after others: Int = 0, at now: Moment) -> Moment? {
        guard let due else {
            return others < rate.burst ? nil : now + rate.interval * (min(others, 1_000_000) - rate.burst + 1)
        }
        let opening = max(due, now) + rate.interval * (min(others, 1_000_000) - rate.burst + 1)
        return opening > now ? opening : nil
    }

    /// Starts a request.
    mutating func take(at now: Moment) { due = max(due ?? now, now) + rate.interval }

    /// Undoes the start of a request that isn't sent after all.
    mutating func giveBack() { due = due.map { $0 - rate.interval } }

    /// Changes the rate; no wait becomes longer than a whole burst of the new rate.
    mutating func change(to rate: RateLimit.Rate, at now: Moment) {
        guard rate != self.rate else { return }
        self.rate = rate
        due = due.map { min($0, now + rate.interval * rate.burst) }
    }
}

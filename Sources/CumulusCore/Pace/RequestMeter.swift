// SPDX-License-Identifier: Apache-2.0

/// Spaces requests by a rate: no clock, no lock.
///
/// A token bucket, kept as one instant: when the last of all requests so far would have begun at the even pace.
struct RequestMeter: Sendable {
    private(set) var rate: RequestPace.Rate
    private var due: Moment?

    init(_ rate: RequestPace.Rate) { self.rate = rate }

    /// When a request may begin that so many others go before; `nil` is now.
    func opening(after others: Int = 0, at now: Moment) -> Moment? {
        guard let due else {
            return others < rate.burst ? nil : now + rate.interval * (min(others, 1_000_000) - rate.burst + 1)
        }
        let opening = max(due, now) + rate.interval * (min(others, 1_000_000) - rate.burst + 1)
        return opening > now ? opening : nil
    }

    /// Begins a request.
    mutating func take(at now: Moment) { due = max(due ?? now, now) + rate.interval }

    /// A request that was begun isn't sent after all.
    mutating func giveBack() { due = due.map { $0 - rate.interval } }

    /// Goes on by another rate, and makes nobody wait longer than a whole burst of it.
    mutating func change(to rate: RequestPace.Rate, at now: Moment) {
        guard rate != self.rate else { return }
        self.rate = rate
        due = due.map { min($0, now + rate.interval * rate.burst) }
    }
}

// SPDX-License-Identifier: Apache-2.0

/// An instant of a request's clock, as everything that lives as long as a request keeps it.
///
/// `ContinuousClock.Instant` has a layout that only the standard library knows: whatever holds one is copied, moved and
/// destroyed by way of tables made at run time, which is a tenth of what a small request costs.
package struct Moment: Hashable, Comparable, Sendable {
    private static let origin = ContinuousClock.now

    private let sinceOrigin: Duration

    private init(sinceOrigin: Duration) { self.sinceOrigin = sinceOrigin }

    /// The same instant.
    package init(_ instant: ContinuousClock.Instant) { sinceOrigin = Moment.origin.duration(to: instant) }

    /// The present instant of the system's clock.
    package static var now: Moment { Moment(ContinuousClock.now) }

    /// The same instant, for clocks and callers.
    package var instant: ContinuousClock.Instant { Moment.origin.advanced(by: sinceOrigin) }

    package static func + (moment: Moment, duration: Duration) -> Moment {
        Moment(sinceOrigin: moment.sinceOrigin + duration)
    }

    package static func - (moment: Moment, duration: Duration) -> Moment {
        Moment(sinceOrigin: moment.sinceOrigin - duration)
    }

    package static func - (later: Moment, earlier: Moment) -> Duration { later.sinceOrigin - earlier.sinceOrigin }

    package static func < (one: Moment, other: Moment) -> Bool { one.sinceOrigin < other.sinceOrigin }
}

extension RequestClock {
    /// The present instant.
    package var moment: Moment { Moment(now) }
}

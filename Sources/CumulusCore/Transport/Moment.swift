// SPDX-License-Identifier: Apache-2.0

/// An instant of a request's clock, in the form that long-lived objects of a request store.
///
/// Only the standard library knows the layout of `ContinuousClock.Instant`: a type that contains one is copied, moved
/// and destroyed through metadata made at run time, which is a tenth of the cost of a small request.
package struct Moment: Hashable, Comparable, Sendable {
    private static let origin = ContinuousClock.now

    private let sinceOrigin: Duration

    private init(sinceOrigin: Duration) { self.sinceOrigin = sinceOrigin }

    /// Makes a moment of an instant.
    package init(_ instant: ContinuousClock.Instant) { sinceOrigin = Moment.origin.duration(to: instant) }

    /// The present instant of the system's clock.
    package static var now: Moment { Moment(ContinuousClock.now) }

    /// The instant, for clocks and callers.
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

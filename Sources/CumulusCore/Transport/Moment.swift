// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// An instant of a request's clock, in the form that long-lived objects of a request store.
///
/// Only the standard library knows the layout of `ContinuousClock.Instant`: a type that contains one is copied, moved
/// and destroyed through metadata made at run time, which is a tenth of the cost of a small request.
package struct Moment: Hashable, Comparable, Sendable {
    #if compiler(>=6.3)
    private static let origin = ContinuousClock().systemEpoch
    #else
    private static let origin = ContinuousClock.now
    #endif

    private let sinceOrigin: Duration

    private init(sinceOrigin: Duration) { self.sinceOrigin = sinceOrigin }

    /// Creates a moment of an instant.
    package init(_ instant: ContinuousClock.Instant) { sinceOrigin = Moment.origin.duration(to: instant) }

    /// The present instant of the system's clock.
    package static var now: Moment {
        #if !os(Linux)
        return Moment(ContinuousClock.now)
        #elseif compiler(>=6.3)
        // The clock behind `ContinuousClock`, read directly: its instants would cost three times as much.
        var time = timespec()
        clock_gettime(CLOCK_BOOTTIME, &time)
        let attoseconds = Int64(time.tv_nsec) * 1_000_000_000
        return Moment(
            sinceOrigin: Duration(secondsComponent: Int64(time.tv_sec), attosecondsComponent: attoseconds)
        )
        #else
        return Moment(ContinuousClock.now)
        #endif
    }

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
    package var moment: Moment { isSystem ? .now : Moment(now) }

    /// Whether it is the system's clock.
    package var isSystem: Bool { Self.self == SystemClock.self }
}

// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Converts instants of a call's clock to dates.
///
/// The system's date is read once, so that a change of it makes no response younger or older.
struct CacheTime: Sendable {
    private let date: Date
    /// The instant at which it is that date.
    let instant: ContinuousClock.Instant

    init(_ date: Date, at instant: ContinuousClock.Instant = .now) {
        self.date = date
        self.instant = instant
    }

    /// The date at an instant.
    func date(at instant: ContinuousClock.Instant) -> Date {
        date.addingTimeInterval(CacheTime.seconds(self.instant.duration(to: instant)))
    }

    /// The whole seconds from one date to another; `nil` if the second one is earlier, because the clock was set.
    static func elapsed(from earlier: Date, to later: Date) -> Int64? {
        // A date that is written and read again may lose a little.
        let seconds = later.timeIntervalSince(earlier) + 0.001
        return seconds < 0 ? nil : Int64(min(seconds, Double(DeltaSeconds.most)))
    }

    private static func seconds(_ duration: Duration) -> Double {
        let parts = duration.components
        return Double(parts.seconds) + Double(parts.attoseconds) / 1e18
    }
}

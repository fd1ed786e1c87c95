// SPDX-License-Identifier: Apache-2.0

/// Sizes, rates and times in readable form.
enum Amount {
    private static let units = ["B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"]

    /// A size with about three digits: `12.3 MiB`.
    static func size(_ bytes: Int64) -> String {
        let unit = unit(for: bytes)
        return "\(number(bytes, in: unit)) \(units[unit])"
    }

    /// A part of a whole, in the whole's unit: `4.1/29.0 MiB`; the width is the same for each part of one whole.
    static func part(_ bytes: Int64, of whole: Int64) -> String {
        let unit = unit(for: whole)
        let (done, all) = (number(bytes, in: unit), number(whole, in: unit))
        return "\(padded(done, to: all.count))/\(all) \(units[unit])"
    }

    /// Bytes per second: `4.1 MiB/s`.
    static func rate(_ bytesPerSecond: Double) -> String {
        let bytes = bytesPerSecond.isFinite ? Int64(min(max(bytesPerSecond, 0), 9e18)) : 0
        return "\(size(bytes))/s"
    }

    /// A time in minutes and seconds, `0:07`, or with hours, `2:00:07`; more than four days as days.
    static func time(_ duration: Duration) -> String {
        let seconds = max(0, duration.components.seconds)
        let (minutes, hours) = (seconds / 60, seconds / 3600)
        if hours > 99 { return "\(hours / 24) days" }
        if hours > 0 { return "\(hours):\(twoDigits(minutes % 60)):\(twoDigits(seconds % 60))" }
        return "\(minutes):\(twoDigits(seconds % 60))"
    }

    /// A duration: `7.1 s`, or as a time from one minute on.
    static func span(_ duration: Duration) -> String {
        if duration >= .seconds(60) { return time(duration) }
        let (seconds, attoseconds) = duration.components
        let tenths = max(0, seconds * 10 + attoseconds / 100_000_000_000_000_000)
        return "\(tenths / 10).\(tenths % 10) s"
    }

    /// A text padded with spaces on the left.
    static func padded(_ text: String, to width: Int) -> String {
        String(repeating: " ", count: max(0, width - text.count)) + text
    }

    private static func unit(for bytes: Int64) -> Int {
        var (unit, rest) = (0, bytes)
        while rest >= 1_000, unit < units.count - 1 {
            // From 1000 on, so that no number has four digits before its decimal point.
            rest = rest / 1_024 + (rest % 1_024 > 0 ? 1 : 0)
            unit += 1
        }
        return unit
    }

    private static func number(_ bytes: Int64, in unit: Int) -> String {
        guard unit > 0 else { return "\(bytes)" }
        // Unsigned numbers leave room for ten times the rest, in any unit.
        let (bytes, divisor) = (UInt64(max(0, bytes)), UInt64(1) << (10 * UInt64(unit)))
        // Truncated instead of rounded: an incomplete part never looks complete.
        let tenths = bytes / divisor * 10 + bytes % divisor * 10 / divisor
        return "\(tenths / 10).\(tenths % 10)"
    }

    private static func twoDigits(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
}

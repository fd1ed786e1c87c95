// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// Instants in ISO 8601, with fractions of a second if there are any.
package enum ISO8601Date {
    /// `2026-11-22T10:00:00Z`, to the millisecond if the instant isn't a whole second; `nil` outside the years 0 to
    /// 9999.
    package static func text(_ date: Date) -> String? {
        let milliseconds = (date.timeIntervalSince1970 * 1_000).rounded()
        // The years that four digits can hold; NaN is outside.
        guard -62_167_219_200_000..<253_402_300_800_000 ~= milliseconds else { return nil }
        let hasFraction = milliseconds.truncatingRemainder(dividingBy: 1_000) != 0
        let rounded = Date(timeIntervalSince1970: milliseconds / 1_000)
        return rounded.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: hasFraction))
    }

    /// The instant that a text expresses, with or without a fraction, in upper or lower case (RFC 3339 section 5.6);
    /// `nil` if it is invalid.
    package static func date(_ text: String) -> Date? {
        let text = text.has(anyOf: "t", "z") ? text.uppercased() : text
        // Foundation would accept 31 February as 3 March.
        let day = text.utf8.prefix(10).split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
            .map { Int(Substring($0)) ?? 0 }
        guard day.count == 3, GregorianCalendar.days(year: day[0], month: day[1], day: day[2]) != nil else {
            return nil
        }
        if let date = try? Date(text, strategy: Date.ISO8601FormatStyle()) { return date }
        return try? Date(text, strategy: Date.ISO8601FormatStyle(includingFractionalSeconds: true))
    }
}

// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// Instants in ISO 8601, with fractions of a second if there are any.
///
/// Foundation would read 31 February as 3 March, pass over what follows the zone, and cut fractions off.
package enum ISO8601Date {
    /// `2026-11-22T10:00:00Z`, to the millisecond if the instant isn't a whole second; `nil` outside the years 0 to
    /// 9999.
    package static func text(_ date: Date) -> String? {
        let rounded = (date.timeIntervalSince1970 * 1_000).rounded()
        // The years that four digits can hold; NaN is outside.
        guard -62_167_219_200_000..<253_402_300_800_000 ~= rounded else { return nil }
        let milliseconds = Int(rounded)
        let ofDay = (milliseconds % 86_400_000 + 86_400_000) % 86_400_000
        let day = GregorianCalendar.day(after: (milliseconds - ofDay) / 86_400_000)
        let seconds = ofDay / 1_000
        let digits = GregorianCalendar.digits
        var text = "\(digits(day.year, 4))-\(digits(day.month, 2))-\(digits(day.day, 2))T"
        text += "\(digits(seconds / 3_600, 2)):\(digits(seconds / 60 % 60, 2)):\(digits(seconds % 60, 2))"
        if ofDay % 1_000 != 0 { text += ".\(digits(ofDay % 1_000, 3))" }
        return text + "Z"
    }

    /// The instant that a text expresses, with or without a fraction, in upper or lower case (RFC 3339 section 5.6), the
    /// zone also without its colon or its minutes; `nil` if it is invalid.
    package static func date(_ text: String) -> Date? {
        var reader = DateScanner(text)
        guard let year = reader.number(4), reader.skip("-"), let month = reader.number(2), reader.skip("-"),
            let day = reader.number(2), let days = GregorianCalendar.days(year: year, month: month, day: day),
            reader.skip(oneOf: "Tt"), let hour = reader.number(2), reader.skip(":"), let minute = reader.number(2),
            reader.skip(":"), let second = reader.number(2), hour < 24, minute < 60, second <= 60,
            let fraction = reader.fraction(), let offset = reader.zone(), reader.isAtEnd
        else { return nil }
        let seconds = ((days * 24 + hour) * 60 + minute - offset) * 60 + second
        return Date(timeIntervalSince1970: Double(seconds) + fraction)
    }
}

extension DateScanner {
    /// The fraction of a second, 0 if there is none; `nil` for a point without digits.
    fileprivate mutating func fraction() -> Double? {
        guard skip(oneOf: ".,") else { return 0 }
        let start = place
        var (value, unit) = (0.0, 1.0)
        while let digit = number(1) {
            // More digits change no instant.
            guard place - start <= 15 else { continue }
            value = value * 10 + Double(digit)
            unit *= 10
        }
        return place > start ? value / unit : nil
    }

    /// How many minutes the zone is ahead.
    fileprivate mutating func zone() -> Int? {
        if skip(oneOf: "Zz") { return 0 }
        let isAhead = skip("+")
        guard isAhead || skip("-"), let hours = number(2), hours < 24 else { return nil }
        var minutes = 0
        if skip(":") || !isAtEnd {
            guard let more = number(2), more < 60 else { return nil }
            minutes = more
        }
        return (hours * 60 + minutes) * (isAhead ? 1 : -1)
    }
}

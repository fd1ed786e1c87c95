// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A point in time in the format of header fields, `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110 section 5.6.7), in whole
/// seconds.
public struct HTTPDate: Sendable, Hashable {
    /// The number of seconds since 1970.
    public let secondsSince1970: Int64

    /// Creates an HTTP date from a date; fractions of a second are dropped.
    ///
    /// A date outside the years 0 to 9999 becomes the nearest one within that range.
    public init(_ date: Date) {
        let seconds = date.timeIntervalSince1970.isNaN ? 0 : date.timeIntervalSince1970.rounded(.down)
        // The years that four digits can hold.
        secondsSince1970 = Int64(min(max(seconds, -62_167_219_200), 253_402_300_799))
    }

    /// Creates a date from any of the three forms that a recipient must accept: IMF-fixdate, RFC 850, asctime.
    ///
    /// Letters may be in either case (RFC 9111 section 4.2). A two-digit year that seems to be more than 50 years ahead
    /// is interpreted as the most recent year with the same last two digits. The name of the weekday is not compared
    /// with the date.
    ///
    /// - Parameters:
    ///   - text: The field's value.
    ///   - now: The date with which a two-digit year is compared.
    public init?(parsing text: String, now: Date = Date()) {
        var reader = HTTPDateReader(text)
        guard let fields = reader.imfFixdate() ?? reader.rfc850() ?? reader.asctime() else { return nil }
        var year = fields.year
        if fields.hasShortYear {
            let current = HTTPDate(now).day.year
            year += current - current % 100
            if year > current + 50 { year -= 100 }
        }
        guard let days = GregorianCalendar.days(year: year, month: fields.month, day: fields.day) else { return nil }
        // A leap second becomes the last second of its minute, since the count can't express it.
        let seconds = fields.hour * 3_600 + fields.minute * 60 + min(fields.second, 59)
        secondsSince1970 = Int64(days) * 86_400 + Int64(seconds)
    }

    /// The point in time as `Date`.
    public var date: Date { Date(timeIntervalSince1970: Double(secondsSince1970)) }

    private var day: (year: Int, month: Int, day: Int, weekday: Int) {
        GregorianCalendar.day(after: Int((Double(secondsSince1970) / 86_400).rounded(.down)))
    }
}

extension HTTPDate: CustomStringConvertible {
    /// The date as IMF-fixdate, the only form that is sent.
    public var description: String {
        let (year, month, day, weekday) = day
        let second = Int(((secondsSince1970 % 86_400) + 86_400) % 86_400)
        let digits = GregorianCalendar.digits
        let time = [second / 3_600, second / 60 % 60, second % 60].map { digits($0, 2) }.joined(separator: ":")
        let name = GregorianCalendar.weekdays[weekday]
        return "\(name), \(digits(day, 2)) \(GregorianCalendar.months[month - 1]) \(digits(year, 4)) \(time) GMT"
    }
}

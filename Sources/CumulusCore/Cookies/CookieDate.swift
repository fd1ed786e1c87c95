// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives

/// Parses a cookie's date as leniently as browsers do (RFC 6265 section 5.1.1).
struct CookieDate {
    private var time: (hour: Int, minute: Int, second: Int)?
    private var day: Int?
    private var month: Int?
    private var year: Int?

    /// Seconds since 1970; `nil` for an invalid date.
    static func seconds(_ text: ArraySlice<UInt8>) -> Int64? {
        var date = CookieDate()
        for token in text.split(whereSeparator: isDelimiter) { date.take(token) }
        return date.seconds
    }

    private static func isDelimiter(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x09, 0x20...0x2F, 0x3B...0x40, 0x5B...0x60, 0x7B...0x7E: true
        default: false
        }
    }

    /// The first token that can be a time is the time, then likewise the day, the month and the year.
    private mutating func take(_ token: ArraySlice<UInt8>) {
        if time == nil, let found = CookieDate.time(token) {
            time = found
        } else if day == nil, let found = CookieDate.number(token, digits: 1...2)?.value {
            day = found
        } else if month == nil, let found = CookieDate.month(token) {
            month = found
        } else if year == nil, let found = CookieDate.number(token, digits: 2...4)?.value {
            year = found
        }
    }

    private var seconds: Int64? {
        guard let time, let day, let month, var year else { return nil }
        if 70...99 ~= year { year += 1_900 } else if 0...69 ~= year { year += 2_000 }
        guard year >= 1_601, time.hour < 24, time.minute < 60, time.second < 60,
            let days = GregorianCalendar.days(year: year, month: month, day: day)
        else { return nil }
        return Int64(days) * 86_400 + Int64(time.hour * 3_600 + time.minute * 60 + time.second)
    }

    /// The number at the start of a token, and the bytes after it; `nil` if the number of digits isn't allowed.
    private static func number(
        _ token: ArraySlice<UInt8>,
        digits: ClosedRange<Int>
    ) -> (value: Int, rest: ArraySlice<UInt8>)? {
        let found = token.prefix { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
        guard digits ~= found.count else { return nil }
        return (found.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }, token[found.endIndex...])
    }

    private static func time(_ token: ArraySlice<UInt8>) -> (Int, Int, Int)? {
        let colon = UInt8(ascii: ":")
        guard let hour = number(token, digits: 1...2), hour.rest.first == colon,
            let minute = number(hour.rest.dropFirst(), digits: 1...2), minute.rest.first == colon,
            let second = number(minute.rest.dropFirst(), digits: 1...2)
        else { return nil }
        return (hour.value, minute.value, second.value)
    }

    private static func month(_ token: ArraySlice<UInt8>) -> Int? {
        let names: [StaticString] = [
            "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
        ]
        return names.firstIndex { CookieSyntax.begins(token, with: $0) }.map { $0 + 1 }
    }
}

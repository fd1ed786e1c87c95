// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Instants as HTTP writes them (RFC 9110 section 5.6.7), in English and GMT wherever the program runs.
enum HTTPDate {
    private static let days = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
    /// The year 0 to the end of the year 9999, in seconds from 1970.
    private static let range = -62_167_219_200.0...253_402_300_799.0

    /// `Sun, 06 Nov 1994 08:49:37 GMT`; what lies beyond the years 0 to 9999 is moved to their ends.
    static func text(_ date: Date) -> String {
        let seconds = date.timeIntervalSince1970
        let bounded = seconds.isNaN ? 0 : min(max(seconds, range.lowerBound), range.upperBound)
        let whole = Int(bounded.rounded(.down))
        let day = whole >= 0 ? whole / 86_400 : (whole - 86_399) / 86_400
        let second = whole - day * 86_400
        let (year, month, dayOfMonth) = civil(day)
        let name = days[((day % 7) + 7) % 7]
        let time = [second / 3600, second / 60 % 60, second % 60].map { padded($0, to: 2) }.joined(separator: ":")
        return "\(name), \(padded(dayOfMonth, to: 2)) \(months[month - 1]) \(padded(year, to: 4)) \(time) GMT"
    }

    /// The date of a day that is counted from 1970: years are counted from March, so that leap days end them.
    private static func civil(_ day: Int) -> (year: Int, month: Int, day: Int) {
        let shifted = day + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
    }

    private static func padded(_ number: Int, to width: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, width - text.count)) + text
    }
}

// SPDX-License-Identifier: Apache-2.0

/// Days of the Gregorian calendar, which also counts the years before it.
package enum GregorianCalendar {
    /// The names of months in header fields.
    package static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    /// The names of weekdays in header fields.
    package static let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]

    /// A number with zeros before it, of at least so many digits.
    package static func digits(_ number: Int, _ count: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, count - text.utf8.count)) + text
    }

    /// Days from 1970 to a day; `nil` for a day that the month doesn't have.
    package static func days(year: Int, month: Int, day: Int) -> Int? {
        let isLeap = year.isMultiple(of: 4) && !year.isMultiple(of: 100) || year.isMultiple(of: 400)
        let lengths = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        guard 1...12 ~= month, 1...lengths[month - 1] ~= day else { return nil }
        // Years before this one, and their leap days, counted from the year 1; 1970 began after 719,162 days.
        let past = year - 1
        let leapDays = past.floored(4) - past.floored(100) + past.floored(400)
        return past * 365 + leapDays + lengths[..<(month - 1)].reduce(0, +) + day - 1 - 719_162
    }

    /// The day that begins a number of days after 1970 did, and its weekday (0 is Sunday).
    package static func day(after days: Int) -> (year: Int, month: Int, day: Int, weekday: Int) {
        // For the calculation, years begin in March: 0000-03-01 was 719,468 days before 1970. 400 years have 146,097.
        let shifted = days + 719_468
        let era = shifted.floored(146_097)
        let ofEra = shifted - era * 146_097
        let yearOfEra = (ofEra - ofEra / 1_460 + ofEra / 36_524 - ofEra / 146_096) / 365
        let ofYear = ofEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let month = (5 * ofYear + 2) / 153
        let day = ofYear - (153 * month + 2) / 5 + 1
        let civilMonth = month < 10 ? month + 3 : month - 9
        // 1 January 1970 was a Thursday.
        let weekday = ((days + 4) % 7 + 7) % 7
        return (era * 400 + yearOfEra + (civilMonth <= 2 ? 1 : 0), civilMonth, day, weekday)
    }
}

extension Int {
    /// The quotient rounded down, also for negative numbers.
    fileprivate func floored(_ divisor: Int) -> Int { self >= 0 ? self / divisor : -((divisor - 1 - self) / divisor) }
}

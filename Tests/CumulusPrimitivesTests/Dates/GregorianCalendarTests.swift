// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives
import Testing

@Suite struct GregorianCalendarTests {
    @Test func eachDayIsFoundAgainAndTheWeekGoesOn() {
        var last: Int?
        // From the year -1 to the year 10000, with each of some years' days.
        for days in Array(stride(from: -719_900, to: 2_932_900, by: 367)) + Array(10_950..<12_500) {
            let day = GregorianCalendar.day(after: days)
            #expect(GregorianCalendar.days(year: day.year, month: day.month, day: day.day) == days)
            if let last, days - last == 1 {
                #expect(day.weekday == (GregorianCalendar.day(after: last).weekday + 1) % 7)
            }
            last = days
        }
        #expect(GregorianCalendar.day(after: 0) == (1970, 1, 1, 4))
        #expect(GregorianCalendar.day(after: -1) == (1969, 12, 31, 3))
        #expect(GregorianCalendar.day(after: 11_016) == (2000, 2, 29, 2))
    }

    @Test(arguments: [(1900, 2, 29), (2023, 2, 29), (2024, 2, 30), (2024, 4, 31), (2024, 13, 1), (2024, 1, 0)])
    func aDayThatTheMonthLacksHasNoNumber(year: Int, month: Int, day: Int) {
        #expect(GregorianCalendar.days(year: year, month: month, day: day) == nil)
    }
}

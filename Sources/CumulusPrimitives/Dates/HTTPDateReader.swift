// SPDX-License-Identifier: Apache-2.0

/// Reads the three forms of a date in header fields (RFC 9110 section 5.6.7).
package struct HTTPDateReader {
    /// The fields of a date.
    package struct Fields {
        package var year = 0
        package var hasShortYear = false
        package var month = 0
        package var day = 0
        package var hour = 0
        package var minute = 0
        package var second = 0
    }

    private var scanner: DateScanner

    package init(_ text: String) { scanner = DateScanner(text) }

    /// `Sun, 06 Nov 1994 08:49:37 GMT`; servers that format for mail write `+0000`.
    package mutating func imfFixdate() -> Fields? {
        scanner.restart()
        var fields = Fields()
        guard scanner.word(of: GregorianCalendar.weekdays) != nil, scanner.skip(", "), let day = scanner.number(2),
            scanner.skip(" "), month(&fields), scanner.skip(" "), let year = scanner.number(4), scanner.skip(" "),
            time(&fields),
            scanner.skip(" GMT") || scanner.skip(" +0000") || scanner.skip(" UTC"), scanner.isAtEnd
        else { return nil }
        (fields.day, fields.year) = (day, year)
        return fields
    }

    /// `Sunday, 06-Nov-94 08:49:37 GMT`.
    package mutating func rfc850() -> Fields? {
        scanner.restart()
        var fields = Fields()
        let names = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"]
        guard scanner.word(of: names) != nil, scanner.skip(", "), let day = scanner.number(2), scanner.skip("-"),
            month(&fields), scanner.skip("-"), let year = scanner.number(2), scanner.skip(" "), time(&fields),
            scanner.skip(" GMT"), scanner.isAtEnd
        else { return nil }
        (fields.day, fields.year, fields.hasShortYear) = (day, year, true)
        return fields
    }

    /// `Sun Nov  6 08:49:37 1994`.
    package mutating func asctime() -> Fields? {
        scanner.restart()
        var fields = Fields()
        guard scanner.word(of: GregorianCalendar.weekdays) != nil, scanner.skip(" "), month(&fields), scanner.skip(" ")
        else { return nil }
        let day = scanner.skip(" ") ? scanner.number(1) : scanner.number(2)
        guard let day, scanner.skip(" "), time(&fields), scanner.skip(" "), let year = scanner.number(4),
            scanner.isAtEnd
        else { return nil }
        (fields.day, fields.year) = (day, year)
        return fields
    }

    private mutating func month(_ fields: inout Fields) -> Bool {
        guard let index = scanner.word(of: GregorianCalendar.months) else { return false }
        fields.month = index + 1
        return true
    }

    private mutating func time(_ fields: inout Fields) -> Bool {
        guard let hour = scanner.number(2), scanner.skip(":"), let minute = scanner.number(2), scanner.skip(":"),
            let second = scanner.number(2), hour < 24, minute < 60, second <= 60
        else { return false }
        (fields.hour, fields.minute, fields.second) = (hour, minute, second)
        return true
    }
}

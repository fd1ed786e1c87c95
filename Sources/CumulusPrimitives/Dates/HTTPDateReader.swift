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

    private let text: String
    private var rest: Substring.UTF8View

    package init(_ text: String) {
        self.text = text
        rest = self.text[...].utf8
    }

    /// `Sun, 06 Nov 1994 08:49:37 GMT`; servers that format for mail write `+0000`.
    package mutating func imfFixdate() -> Fields? {
        rest = text[...].utf8
        var fields = Fields()
        guard word(of: GregorianCalendar.weekdays) != nil, skip(", "), let day = number(2), skip(" "), month(&fields),
            skip(" "),
            let year = number(4), skip(" "), time(&fields), skip(" GMT") || skip(" +0000") || skip(" UTC"), rest.isEmpty
        else { return nil }
        (fields.day, fields.year) = (day, year)
        return fields
    }

    /// `Sunday, 06-Nov-94 08:49:37 GMT`.
    package mutating func rfc850() -> Fields? {
        rest = text[...].utf8
        var fields = Fields()
        let names = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"]
        guard word(of: names) != nil, skip(", "), let day = number(2), skip("-"), month(&fields), skip("-"),
            let year = number(2), skip(" "), time(&fields), skip(" GMT"), rest.isEmpty
        else { return nil }
        (fields.day, fields.year, fields.hasShortYear) = (day, year, true)
        return fields
    }

    /// `Sun Nov  6 08:49:37 1994`.
    package mutating func asctime() -> Fields? {
        rest = text[...].utf8
        var fields = Fields()
        guard word(of: GregorianCalendar.weekdays) != nil, skip(" "), month(&fields), skip(" ") else { return nil }
        let day = skip(" ") ? number(1) : number(2)
        guard let day, skip(" "), time(&fields), skip(" "), let year = number(4), rest.isEmpty else { return nil }
        (fields.day, fields.year) = (day, year)
        return fields
    }

    private mutating func month(_ fields: inout Fields) -> Bool {
        guard let index = word(of: GregorianCalendar.months) else { return false }
        fields.month = index + 1
        return true
    }

    private mutating func time(_ fields: inout Fields) -> Bool {
        guard let hour = number(2), skip(":"), let minute = number(2), skip(":"), let second = number(2),
            hour < 24, minute < 60, second <= 60
        else { return false }
        (fields.hour, fields.minute, fields.second) = (hour, minute, second)
        return true
    }

    private mutating func word(of words: [String]) -> Int? {
        guard let index = words.firstIndex(where: { rest.starts(with: $0.utf8) }) else { return nil }
        rest = rest.dropFirst(words[index].utf8.count)
        return index
    }

    private mutating func number(_ digits: Int) -> Int? {
        let text = rest.prefix(digits)
        guard text.count == digits, text.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }) else { return nil }
        rest = rest.dropFirst(digits)
        return text.reduce(0) { $0 * 10 + Int($1 &- UInt8(ascii: "0")) }
    }

    private mutating func skip(_ text: String) -> Bool {
        guard rest.starts(with: text.utf8) else { return false }
        rest = rest.dropFirst(text.utf8.count)
        return true
    }
}

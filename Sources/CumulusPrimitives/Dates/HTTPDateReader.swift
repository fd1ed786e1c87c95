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

    private let bytes: [UInt8]
    private var place = 0

    package init(_ text: String) { bytes = Array(text.utf8) }

    private var isAtEnd: Bool { place == bytes.count }

    /// `Sun, 06 Nov 1994 08:49:37 GMT`; servers that format for mail write `+0000`.
    package mutating func imfFixdate() -> Fields? {
        place = 0
        var fields = Fields()
        guard word(of: GregorianCalendar.weekdays) != nil, skip(", "), let day = number(2), skip(" "), month(&fields),
            skip(" "),
            let year = number(4), skip(" "), time(&fields), skip(" GMT") || skip(" +0000") || skip(" UTC"), isAtEnd
        else { return nil }
        (fields.day, fields.year) = (day, year)
        return fields
    }

    /// `Sunday, 06-Nov-94 08:49:37 GMT`.
    package mutating func rfc850() -> Fields? {
        place = 0
        var fields = Fields()
        let names = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"]
        guard word(of: names) != nil, skip(", "), let day = number(2), skip("-"), month(&fields), skip("-"),
            let year = number(2), skip(" "), time(&fields), skip(" GMT"), isAtEnd
        else { return nil }
        (fields.day, fields.year, fields.hasShortYear) = (day, year, true)
        return fields
    }

    /// `Sun Nov  6 08:49:37 1994`.
    package mutating func asctime() -> Fields? {
        place = 0
        var fields = Fields()
        guard word(of: GregorianCalendar.weekdays) != nil, skip(" "), month(&fields), skip(" ") else { return nil }
        let day = skip(" ") ? number(1) : number(2)
        guard let day, skip(" "), time(&fields), skip(" "), let year = number(4), isAtEnd else { return nil }
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
        guard let index = words.firstIndex(where: { stands($0) }) else { return nil }
        place += words[index].utf8.count
        return index
    }

    private mutating func number(_ digits: Int) -> Int? {
        guard bytes.count - place >= digits else { return nil }
        var number = 0
        for byte in bytes[place..<place + digits] {
            guard UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte else { return nil }
            number = number * 10 + Int(byte &- UInt8(ascii: "0"))
        }
        place += digits
        return number
    }

    private mutating func skip(_ text: String) -> Bool {
        guard stands(text) else { return false }
        place += text.utf8.count
        return true
    }

    /// Whether a text is next.
    private func stands(_ text: String) -> Bool {
        guard bytes.count - place >= text.utf8.count else { return false }
        var index = place
        for byte in text.utf8 {
            guard bytes[index] == byte else { return false }
            index += 1
        }
        return true
    }
}

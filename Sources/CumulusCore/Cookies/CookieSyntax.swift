// SPDX-License-Identifier: Apache-2.0

/// The bytes and limits of cookies (RFC 6265bis sections 5.4 to 5.7).
enum CookieSyntax {
    /// The limit of name and value together, in bytes.
    static let longestPair = 4_096
    /// The limit of an attribute's value, in bytes.
    static let longestAttribute = 1_024
    /// The longest lifetime of a cookie: 400 days, in seconds.
    static let longestAge: Int64 = 400 * 86_400
    /// The limit of cookies read from one response.
    static let mostOfResponse = 180

    /// Whether a byte is never allowed in a cookie; a tab is allowed around its parts.
    static func isControl(_ byte: UInt8) -> Bool { byte < 0x20 && byte != 0x09 || byte == 0x7F }

    /// The bytes without surrounding spaces and tabs.
    static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var bytes = bytes
        while let first = bytes.first, first == 0x20 || first == 0x09 { bytes.removeFirst() }
        while let last = bytes.last, last == 0x20 || last == 0x09 { bytes.removeLast() }
        return bytes
    }

    /// Whether bytes equal an ASCII word case-insensitively; the word is in lower case.
    static func matches(_ bytes: ArraySlice<UInt8>, _ word: StaticString) -> Bool {
        bytes.count == word.utf8CodeUnitCount && begins(bytes, with: word)
    }

    /// Whether bytes begin with an ASCII word case-insensitively; the word is in lower case.
    static func begins(_ bytes: ArraySlice<UInt8>, with word: StaticString) -> Bool {
        word.withUTF8Buffer { word in
            bytes.count >= word.count && zip(bytes, word).allSatisfy { lowercased($0) == $1 }
        }
    }

    static func lowercased(_ byte: UInt8) -> UInt8 {
        UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte ? byte | 0x20 : byte
    }

    /// The value of decimal digits, at most `Int64.max`; `nil` for anything else.
    static func number(_ digits: ArraySlice<UInt8>) -> Int64? {
        guard !digits.isEmpty, digits.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }) else { return nil }
        return digits.reduce(0 as Int64) { number, digit in
            let (tenfold, overflow) = number.multipliedReportingOverflow(by: 10)
            let (sum, carry) = tenfold.addingReportingOverflow(Int64(digit - UInt8(ascii: "0")))
            return overflow || carry ? .max : sum
        }
    }

    /// Checks name and value, of which only the pair is sent.
    static func check(name: ArraySlice<UInt8>, value: ArraySlice<UInt8>) throws(CookieRefusal) {
        if name.isEmpty, value.isEmpty { throw .empty }
        // It would be sent like a name and a value.
        if name.isEmpty, value.contains(UInt8(ascii: "=")) { throw .delimiter }
        if name.count + value.count > longestPair { throw .tooLong }
        if name.contains(where: { isControl($0) || $0 == 0x09 }) { throw .controlCharacter }
        if value.contains(where: { isControl($0) || $0 == 0x09 }) { throw .controlCharacter }
    }
}

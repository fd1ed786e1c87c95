// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives

/// The numbers and dates of TOML.
enum TOMLNumber {
    /// An integer in decimal, or with 0x, 0o or 0b; `nil` for anything else, and for more than 64 bits.
    static func integer(_ word: String) -> Int64? {
        for (prefix, radix) in [("0x", 16), ("0o", 8), ("0b", 2)] where word.begins(with: prefix) {
            let digits = word.utf8.dropFirst(2).text
            guard let plain = withoutUnderscores(digits, isDigit: isHexadecimal), plain.utf8.first != UInt8(ascii: "-"),
                plain.utf8.first != UInt8(ascii: "+")
            else { return nil }
            return Int64(plain, radix: radix)
        }
        guard let plain = withoutUnderscores(word), !hasLeadingZero(plain) else { return nil }
        return Int64(plain)
    }

    /// Whether it is a decimal integer of any size.
    static func isInteger(_ word: String) -> Bool {
        guard let plain = withoutUnderscores(word), !hasLeadingZero(plain) else { return false }
        let digits = plain.utf8.drop { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "+") }
        return plain.utf8.count - digits.count <= 1 && !digits.isEmpty && digits.allSatisfy(isDigit)
    }

    /// A floating-point number.
    static func float(_ word: String) -> Double? {
        switch word {
        case "inf", "+inf": return .infinity
        case "-inf": return -.infinity
        case "nan", "+nan", "-nan": return .nan
        default: break
        }
        guard let plain = withoutUnderscores(word) else { return nil }
        let unsigned = plain.utf8.drop { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "+") }
        guard plain.utf8.count - unsigned.count <= 1 else { return nil }
        let whole = unsigned.prefix(while: isDigit)
        guard !whole.isEmpty, !hasLeadingZero(whole.text) else { return nil }
        var rest = unsigned.dropFirst(whole.count)
        // Digits alone are an integer, even if it is too large.
        guard !rest.isEmpty else { return nil }
        if rest.first == UInt8(ascii: ".") {
            let digits = rest.dropFirst().prefix(while: isDigit)
            guard !digits.isEmpty else { return nil }
            rest = rest.dropFirst(1 + digits.count)
        }
        if let first = rest.first {
            guard first | 0x20 == UInt8(ascii: "e") else { return nil }
            let power = rest.dropFirst()
            let digits =
                power.first.map { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "+") } == true
                ? power.dropFirst() : power
            guard !digits.isEmpty, digits.allSatisfy(isDigit) else { return nil }
        }
        return Double(plain)
    }

    /// Whether it looks like a date or a time.
    static func isDate(_ word: String) -> Bool {
        let bytes = Array(word.utf8)
        let isDay = bytes.count >= 10 && bytes[4] == UInt8(ascii: "-") && bytes[7] == UInt8(ascii: "-")
        let isTime = bytes.count >= 8 && bytes[2] == UInt8(ascii: ":") && bytes[5] == UInt8(ascii: ":")
        guard isDay || isTime, isDigit(bytes[0]), isDigit(bytes[1]) else { return false }
        return bytes.allSatisfy { isDigit($0) || ":-+.TtZz".utf8.contains($0) }
    }

    /// The word without the underscores between its digits; `nil` if there is one elsewhere.
    private static func withoutUnderscores(
        _ word: String,
        isDigit: (UInt8) -> Bool = TOMLNumber.isDigit
    ) -> String? {
        let bytes = Array(word.utf8)
        for (place, byte) in bytes.enumerated() where byte == UInt8(ascii: "_") {
            guard place > 0, place + 1 < bytes.count, isDigit(bytes[place - 1]), isDigit(bytes[place + 1])
            else { return nil }
        }
        return String(decoding: bytes.filter { $0 != UInt8(ascii: "_") }, as: UTF8.self)
    }

    private static func hasLeadingZero(_ word: String) -> Bool {
        let digits = word.utf8.drop { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "+") }
        return digits.count > 1 && digits.first == UInt8(ascii: "0") && digits.dropFirst().first.map(isDigit) == true
    }

    private static func isDigit(_ byte: UInt8) -> Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte }

    private static func isHexadecimal(_ byte: UInt8) -> Bool {
        isDigit(byte) || UInt8(ascii: "a")...UInt8(ascii: "f") ~= byte | 0x20
    }
}

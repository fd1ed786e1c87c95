// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// A conversion of a format: `%05d`, `%.2f`, `%x`, `%2$@`.
struct FormatConversion {
    /// A value doesn't fit the conversion.
    struct Mismatch: Error {
        /// The required kind of value.
        let wanted: String
    }

    /// The largest width, and the largest number of decimals.
    private static let (widest, finest) = (256, 64)

    /// The position of its value, from 1; `nil` for the next.
    let position: Int?
    private var flags: Set<UInt8> = []
    private var width = 0
    private var precision: Int?
    private let letter: UInt8

    /// Parses the text after a `%`; `nil` if it is invalid, or the field is too wide.
    init?(reading bytes: [UInt8], at index: inout Int) {
        let start = index
        let number = FormatConversion.number(bytes, &index)
        if let number, number > 0, FormatConversion.take("$", bytes, &index) {
            position = number
        } else {
            position = nil
            index = start
        }
        while index < bytes.count, "-+ 0#".utf8.contains(bytes[index]) {
            flags.insert(bytes[index])
            index += 1
        }
        width = FormatConversion.number(bytes, &index) ?? 0
        if FormatConversion.take(".", bytes, &index) { precision = FormatConversion.number(bytes, &index) ?? 0 }
        while index < bytes.count, "hlqLztj".utf8.contains(bytes[index]) { index += 1 }
        guard index < bytes.count, "@sdiuxXofFeEgG".utf8.contains(bytes[index]),
            width <= FormatConversion.widest, precision ?? 0 <= FormatConversion.finest
        else { return nil }
        letter = bytes[index]
        index += 1
    }

    /// Formats a value's description.
    func text(of value: String) throws(Mismatch) -> String {
        switch letter {
        case UInt8(ascii: "@"), UInt8(ascii: "s"):
            let whole = precision.map { String(value.unicodeScalars.prefix($0)) } ?? value
            return padded("", whole, withZeros: false)
        case UInt8(ascii: "d"), UInt8(ascii: "i"), UInt8(ascii: "u"): return try integer(value)
        case UInt8(ascii: "x"), UInt8(ascii: "X"), UInt8(ascii: "o"): return try unsigned(value)
        default: return try fraction(value)
        }
    }

    private func integer(_ value: String) throws(Mismatch) -> String {
        let isNegative = value.begins(with: "-")
        let digits = value.utf8.dropFirst(isNegative ? 1 : 0)
        guard !digits.isEmpty, digits.allSatisfy({ 0x30...0x39 ~= $0 }) else { throw Mismatch(wanted: "an integer") }
        if isNegative, letter == UInt8(ascii: "u") { throw Mismatch(wanted: "a non-negative integer") }
        return padded(isNegative ? "-" : sign, lengthened(String(Substring(digits))), withZeros: precision == nil)
    }

    private func unsigned(_ value: String) throws(Mismatch) -> String {
        guard let number = UInt64(value) else {
            throw Mismatch(wanted: "a non-negative integer of at most 64 bits")
        }
        let isOctal = letter == UInt8(ascii: "o")
        let digits = String(number, radix: isOctal ? 8 : 16, uppercase: letter == UInt8(ascii: "X"))
        let isMarked = flags.contains(UInt8(ascii: "#")) && number > 0
        let mark = isOctal ? "0" : letter == UInt8(ascii: "X") ? "0X" : "0x"
        return padded(isMarked ? mark : "", lengthened(digits), withZeros: precision == nil)
    }

    private func fraction(_ value: String) throws(Mismatch) -> String {
        guard let number = Double(value), number.isFinite else { throw Mismatch(wanted: "a finite number") }
        let isAlternative = flags.contains(UInt8(ascii: "#")) ? "#" : ""
        let format = "%\(isAlternative).\(precision ?? 6)\(String(decoding: [letter], as: UTF8.self))"
        var buffer = [CChar](repeating: 0, count: 512)
        let count = withVaList([number.magnitude]) { vsnprintf(&buffer, buffer.count, format, $0) }
        let digits = buffer.prefix(max(0, min(Int(count), buffer.count - 1))).map { UInt8(bitPattern: $0) }
        return padded(number.sign == .minus ? "-" : sign, FormatConversion.pointed(digits), withZeros: true)
    }

    /// A number with a decimal point, whatever the program's locale uses.
    private static func pointed(_ digits: [UInt8]) -> String {
        var bytes: [UInt8] = []
        for byte in digits {
            if "0123456789+-eE".utf8.contains(byte) {
                bytes.append(byte)
            } else if bytes.last != UInt8(ascii: ".") {
                bytes.append(UInt8(ascii: "."))
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private var sign: String {
        flags.contains(UInt8(ascii: "+")) ? "+" : flags.contains(UInt8(ascii: " ")) ? " " : ""
    }

    private func lengthened(_ digits: String) -> String {
        String(repeating: "0", count: max(0, (precision ?? 0) - digits.utf8.count)) + digits
    }

    private func padded(_ sign: String, _ text: String, withZeros: Bool) -> String {
        let missing = max(0, width - sign.utf8.count - text.unicodeScalars.count)
        if flags.contains(UInt8(ascii: "-")) { return sign + text + String(repeating: " ", count: missing) }
        if withZeros, flags.contains(UInt8(ascii: "0")) { return sign + String(repeating: "0", count: missing) + text }
        return String(repeating: " ", count: missing) + sign + text
    }

    /// Parses a number; `nil` if there is none.
    ///
    /// A number that is too long exceeds every limit.
    private static func number(_ bytes: [UInt8], _ index: inout Int) -> Int? {
        var number: Int?
        while index < bytes.count, 0x30...0x39 ~= bytes[index] {
            number = min((number ?? 0) * 10 + Int(bytes[index] - 0x30), 10_000)
            index += 1
        }
        return number
    }

    private static func take(_ mark: Unicode.Scalar, _ bytes: [UInt8], _ index: inout Int) -> Bool {
        guard index < bytes.count, UInt32(bytes[index]) == mark.value else { return false }
        index += 1
        return true
    }
}

// SPDX-License-Identifier: Apache-2.0

/// A decimal number of any length as sign, digits and exponent, so that two notations can be compared exactly.
struct JSONDecimal: Hashable {
    /// Never set for zero.
    private(set) var isNegative = false

    /// Values 0 to 9, the most significant first, without zeros at either end; empty for zero.
    private(set) var digits: [UInt8] = []

    /// The limit of exponents, so that sums with them can't overflow.
    ///
    /// 2^48, and 2^16 where `Int` has 32 bits, as on a watch.
    private static let bound = UInt(1) << (Int.bitWidth - 16)

    /// The power of ten by which the digits, read as an integer, are multiplied.
    private(set) var exponent = 0

    /// Parses text that already follows RFC 8259, section 6; nil if its exponent is beyond the limit.
    init?(_ text: String) {
        var fraction = 0
        var isFraction = false
        var bytes = text.utf8[...]
        if bytes.first == UInt8(ascii: "-") {
            isNegative = true
            bytes.removeFirst()
        }
        while let byte = bytes.popFirst() {
            switch byte {
            case UInt8(ascii: "."):
                isFraction = true
            case UInt8(ascii: "e"), UInt8(ascii: "E"):
                // Zero times any power of ten is zero.
                let isZero = digits.allSatisfy { $0 == 0 }
                let written = isZero ? 0 : Int(Substring(bytes))
                // `magnitude`, since the least `Int` has no positive counterpart.
                guard let written, written.magnitude < Self.bound else { return nil }
                exponent = written
                bytes = bytes[bytes.endIndex...]
            default:
                digits.append(byte &- UInt8(ascii: "0"))
                fraction += isFraction ? 1 : 0
            }
        }
        exponent -= fraction
        trimZeros()
    }

    private mutating func trimZeros() {
        digits.removeFirst(digits.prefix { $0 == 0 }.count)
        while digits.last == 0 {
            digits.removeLast()
            exponent += 1
        }
        if digits.isEmpty {
            isNegative = false
            exponent = 0
        }
    }

    /// The number as an integer, or `nil` if it has a fraction or doesn't fit.
    func integer<T: FixedWidthInteger>(_ type: T.Type) -> T? {
        // 39 digits hold every integer of up to 128 bits.
        if digits.isEmpty { return 0 }
        guard exponent >= 0, exponent <= 39, digits.count + exponent <= 39 else { return nil }
        var result: T = 0
        for position in 0..<(digits.count + exponent) {
            let digit = position < digits.count ? T(digits[position]) : 0
            let (product, overflowed) = result.multipliedReportingOverflow(by: 10)
            let (sum, spilled) =
                isNegative
                ? product.subtractingReportingOverflow(digit) : product.addingReportingOverflow(digit)
            guard !overflowed, !spilled else { return nil }
            result = sum
        }
        return result
    }
}

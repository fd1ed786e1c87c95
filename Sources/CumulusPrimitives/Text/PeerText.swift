// SPDX-License-Identifier: Apache-2.0

/// Makes a peer's text fit to print in an error, a log line, a progress line or a description.
///
/// It works on scalars, never on characters: a joiner after a control character must not hide it.
package enum PeerText {
    /// The limit of a text, in scalars.
    package static let limit = 200
    /// The limit of a message that quotes such texts, in scalars.
    package static let longestMessage = 2_000

    /// The text with control and invisible characters made visible, truncated to `limit` scalars.
    ///
    /// They become `\u001b`, which JSON reads as the same scalar, or beyond the basic plane `\u{e0041}`.
    @inlinable package static func printable(_ text: some StringProtocol, limit: Int = PeerText.limit) -> String {
        let scalars = text.unicodeScalars
        guard let cut = scalars.index(scalars.startIndex, offsetBy: limit, limitedBy: scalars.endIndex),
            cut < scalars.endIndex
        else { return visible(scalars) }
        return visible(scalars[..<cut]) + "..."
    }

    /// The same for bytes; invalid UTF-8 becomes U+FFFD.
    @inlinable package static func printable(bytes: some Collection<UInt8>, limit: Int = PeerText.limit) -> String {
        // A scalar has four bytes at most, so only the shown part is decoded.
        let (count, overflow) = limit.addingReportingOverflow(1)
        let (most, tooMany) = count.multipliedReportingOverflow(by: 4)
        return printable(
            String(decoding: bytes.prefix(overflow || tooMany ? .max : most), as: UTF8.self),
            limit: limit
        )
    }

    /// A text for an error: in quotes, shortened, with control characters made visible.
    @inlinable package static func quoted(_ text: some StringProtocol) -> String { "\"\(printable(text, limit: 80))\"" }

    @inlinable static func visible(_ scalars: some Sequence<Unicode.Scalar>) -> String {
        var result = String.UnicodeScalarView()
        for scalar in scalars {
            if steers(scalar) || hides(scalar) {
                result.append(contentsOf: visible(scalar).unicodeScalars)
            } else {
                result.append(scalar)
            }
        }
        return String(result)
    }

    /// Whether a scalar affects how a terminal shows others: C0, DEL, C1, line separators, bidirectional controls.
    @inlinable package static func steers(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F...0x9F, 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: true
        default: false
        }
    }

    /// Whether a scalar is invisible, so that two different texts look the same.
    @inlinable package static func hides(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x00AD, 0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x180B...0x180F, 0x200B...0x200D, 0x2060...0x206F, 0x2800,
            0x3164, 0xFE00...0xFE0F, 0xFEFF, 0xFFA0, 0xFFF0...0xFFFB, 0x1BCA0...0x1BCA3, 0x1D173...0x1D17A,
            0xE0000...0xE0FFF:
            true
        default: false
        }
    }

    /// The scalar's number in place of the scalar.
    package static func visible(_ scalar: Unicode.Scalar) -> String {
        let digits = String(scalar.value, radix: 16)
        guard digits.utf8.count <= 4 else { return "\\u{\(digits)}" }
        return "\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits
    }
}

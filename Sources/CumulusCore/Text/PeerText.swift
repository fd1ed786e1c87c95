// SPDX-License-Identifier: Apache-2.0

/// What a peer said, made fit to print in an error, a log line, a progress line or a description (T-61).
///
/// Works on scalars, never on characters: a joiner behind a control character must not hide it.
package enum PeerText {
    /// How many scalars of a text are shown.
    package static let limit = 200
    /// How many scalars a message has that quotes such texts among words of ours.
    package static let longestMessage = 2_000

    /// The text with everything that steers or hides made visible, cut off behind `limit` scalars.
    ///
    /// Visible means `\u001b`, which JSON reads as the same scalar; beyond the basic plane it is `\u{e0041}`.
    package static func printable(_ text: some StringProtocol, limit: Int = PeerText.limit) -> String {
        let scalars = text.unicodeScalars
        guard let cut = scalars.index(scalars.startIndex, offsetBy: limit, limitedBy: scalars.endIndex),
            cut < scalars.endIndex
        else { return visible(scalars) }
        return visible(scalars[..<cut]) + "..."
    }

    /// The same for bytes; what is not UTF-8 becomes U+FFFD.
    package static func printable(bytes: some Collection<UInt8>, limit: Int = PeerText.limit) -> String {
        // Four bytes a scalar at most, so that no more than what is shown is decoded.
        let (count, overflow) = limit.addingReportingOverflow(1)
        let (most, tooMany) = count.multipliedReportingOverflow(by: 4)
        return printable(
            String(decoding: bytes.prefix(overflow || tooMany ? .max : most), as: UTF8.self),
            limit: limit
        )
    }

    private static func visible(_ scalars: some Sequence<Unicode.Scalar>) -> String {
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

    /// Whether a scalar changes what a terminal does with others: C0, DEL, C1, line separators, bidirectional controls.
    package static func steers(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F...0x9F, 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: true
        default: false
        }
    }

    /// Whether a scalar shows nothing by itself, so that two texts look alike that are not.
    package static func hides(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x00AD, 0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x180B...0x180F, 0x200B...0x200D, 0x2060...0x206F, 0x2800,
            0x3164, 0xFE00...0xFE0F, 0xFEFF, 0xFFA0, 0xFFF0...0xFFFB, 0x1BCA0...0x1BCA3, 0x1D173...0x1D17A,
            0xE0000...0xE0FFF:
            true
        default: false
        }
    }

    /// A scalar's number in the place of the scalar.
    package static func visible(_ scalar: Unicode.Scalar) -> String {
        let digits = String(scalar.value, radix: 16)
        guard digits.utf8.count <= 4 else { return "\\u{\(digits)}" }
        return "\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits
    }
}

// SPDX-License-Identifier: Apache-2.0

/// How many columns of a terminal a text takes.
enum DisplayWidth {
    /// The columns of a text without control characters.
    ///
    /// Counted by scalars: terminals differ in which they join, and none uses more columns than the sum.
    static func of(_ text: some StringProtocol) -> Int { text.unicodeScalars.reduce(0) { $0 + columns($1) } }

    /// A text shortened in its middle, where file names differ least.
    static func fitted(_ text: String, to width: Int, dots: String) -> String {
        guard of(text) > width else { return text }
        let room = width - of(dots)
        guard room > 0 else { return String(dots.prefix(max(0, width))) }
        let end = suffix(of: text, within: room / 2)
        return prefix(of: text, within: room - of(end)) + dots + end
    }

    private static func prefix(of text: String, within width: Int) -> String {
        String(String.UnicodeScalarView(fitting(text.unicodeScalars, width)))
    }

    private static func suffix(of text: String, within width: Int) -> String {
        // A mark whose letter is cut off would attach to the character before it.
        let end = fitting(text.unicodeScalars.reversed(), width).reversed().drop { columns($0) == 0 }
        return String(String.UnicodeScalarView(end))
    }

    private static func fitting(_ scalars: some Sequence<Unicode.Scalar>, _ width: Int) -> [Unicode.Scalar] {
        var used = 0
        return Array(
            scalars.prefix { scalar in
                used += columns(scalar)
                return used <= width
            }
        )
    }

    private static func columns(_ scalar: Unicode.Scalar) -> Int {
        if 0x20..<0x7F ~= scalar.value { return 1 }
        return switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format: 0
        default: isWide(scalar.value) ? 2 : 1
        }
    }

    /// The ranges of East Asian wide characters and of emoji (Unicode Annex 11), as far as terminals agree on them.
    private static func isWide(_ value: UInt32) -> Bool {
        switch value {
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
            0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F, 0x1F680...0x1F6FF, 0x1F900...0x1FAFF,
            0x20000...0x3FFFD:
            true
        default: false
        }
    }
}

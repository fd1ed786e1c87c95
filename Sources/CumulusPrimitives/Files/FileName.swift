// SPDX-License-Identifier: Apache-2.0

/// Makes a file name proposed by someone else safe.
///
/// It works on scalars, never on characters: a joiner or a mark after a slash combines with it into another character,
/// and yet the file system sees a slash. The result stays safe in any normalization form of a file system.
package enum FileName {
    /// The limit of most file systems, in bytes, minus what a number needs.
    package static let longest = 255 - 32

    /// The text of a name's bytes: UTF-8, or else ISO 8859-1, which has a letter for each byte.
    package static func text(of bytes: [UInt8]) -> String {
        String(validating: bytes, as: UTF8.self)
            ?? String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
    }

    /// The last component of a proposed path, without anything that could lead elsewhere, hide, or mislead; `nil` if
    /// nothing is left.
    package static func safe(_ proposed: String) -> String? {
        // Both separators, whatever system the name is from.
        let last = proposed.unicodeScalars.reversed().prefix { $0 != "/" && $0 != "\\" }.reversed()
        var kept: [Unicode.Scalar] = []
        for scalar in last where !isForbidden(scalar) {
            if scalar.properties.isWhitespace {
                // Runs of spaces become one: they could push an extension out of sight.
                if kept.last != " " { kept.append(" ") }
            } else {
                if scalar == ".", kept.last == " " { kept.removeLast() }
                kept.append(isReserved(scalar) ? "_" : scalar)
            }
        }
        kept.removeFirst(kept.prefix { ".-~ ".unicodeScalars.contains($0) || isMark($0) }.count)
        var name = shortened(kept)
        // Before it is shortened, so that it stays within the limit.
        if isDevice(name) { name = shortened(["_"] + kept) }
        return name.isEmpty ? nil : String(String.UnicodeScalarView(name))
    }

    /// Whether bytes are a single path component, other than `.` and `..`.
    @inlinable package static func isOneComponent(_ bytes: some Collection<UInt8>) -> Bool {
        let isItself = bytes.elementsEqual([0x2E]) || bytes.elementsEqual([0x2E, 0x2E])
        return !bytes.isEmpty && bytes.count <= 255 && !isItself && !bytes.contains { $0 == 0x2F || $0 == 0 }
    }

    /// Control characters, invisible characters, and those that change the text direction.
    private static func isForbidden(_ scalar: Unicode.Scalar) -> Bool {
        let properties = scalar.properties
        switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse: return true
        default:
            return scalar == "\u{FFFD}" || properties.isDefaultIgnorableCodePoint
                || properties.isNoncharacterCodePoint || PeerText.steers(scalar) || PeerText.hides(scalar)
        }
    }

    /// The colon of a drive or stream, and other characters that Windows doesn't allow.
    private static func isReserved(_ scalar: Unicode.Scalar) -> Bool {
        ":*?\"<>|\u{226E}\u{226F}".unicodeScalars.contains(scalar)
    }

    /// Whether a scalar combines with the previous one; at the beginning of a name there is none.
    private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .spacingMark, .enclosingMark: true
        default: false
        }
    }

    /// Cuts between scalars, keeps the extension, and leaves no space or dot at the end.
    private static func shortened(_ name: [Unicode.Scalar]) -> [Unicode.Scalar] {
        let name = trimmed(name)
        guard size(name) > longest else { return name }
        var ending: ArraySlice<Unicode.Scalar> = []
        if let point = name.lastIndex(of: "."), size(name[point...]) <= 32 { ending = name[point...] }
        var room = longest - size(ending)
        let base = name.dropLast(ending.count).prefix { scalar in
            room -= UTF8.width(scalar)
            return room >= 0
        }
        return trimmed(trimmed(Array(base)) + ending)
    }

    private static func trimmed(_ name: [Unicode.Scalar]) -> [Unicode.Scalar] {
        var name = name
        while name.last == "." || name.last == " " { name.removeLast() }
        return name
    }

    private static func size(_ name: some Sequence<Unicode.Scalar>) -> Int { name.reduce(0) { $0 + UTF8.width($1) } }

    /// Whether Windows reserves the name for a device, whatever its extension.
    private static func isDevice(_ name: [Unicode.Scalar]) -> Bool {
        let base = name.prefix { $0 != "." }.filter { $0 != " " }.map { $0.properties.uppercaseMapping }.joined()
        if ["CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$"].contains(base) { return true }
        let scalars = Array(base.unicodeScalars)
        guard scalars.count == 4, ["COM", "LPT"].contains(base.unicodeScalars.prefix(3).map(String.init).joined())
        else { return false }
        return "0123456789¹²³".unicodeScalars.contains(scalars[3])
    }
}

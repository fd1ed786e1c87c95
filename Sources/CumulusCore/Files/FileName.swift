// SPDX-License-Identifier: Apache-2.0

/// A name for a file that somebody else proposed, made safe (T-57).
///
/// Judged by scalars, never by characters: a joiner or a mark behind a slash makes another character of it, and still
/// the file system sees a slash. What is left stays safe in whatever form a file system normalizes it to.
enum FileName {
    /// What most file systems take, in bytes; less what `.part.json.new` and a number need.
    static let longest = 255 - 32

    /// The last part of a proposed path, without what could lead elsewhere, hide, or fool; `nil` if nothing is left.
    static func safe(_ proposed: String) -> String? {
        // Both separators, whoever wrote the name.
        let last = proposed.unicodeScalars.reversed().prefix { $0 != "/" && $0 != "\\" }.reversed()
        var kept: [Unicode.Scalar] = []
        for scalar in last where !isForbidden(scalar) {
            if scalar.properties.isWhitespace {
                // One blank says as much as many, which could push an extension out of sight.
                if kept.last != " " { kept.append(" ") }
            } else {
                if scalar == ".", kept.last == " " { kept.removeLast() }
                kept.append(isReserved(scalar) ? "_" : scalar)
            }
        }
        kept.removeFirst(kept.prefix { ".-~ ".unicodeScalars.contains($0) || isMark($0) }.count)
        var name = shortened(kept)
        // Before it is cut, so that it stays within the limit.
        if isDevice(name) { name = shortened(["_"] + kept) }
        return name.isEmpty ? nil : String(String.UnicodeScalarView(name))
    }

    /// Whether bytes are one name in a directory, and not that of the directory or of the one above.
    static func isOneComponent(_ bytes: some Collection<UInt8>) -> Bool {
        let isItself = bytes.elementsEqual([0x2E]) || bytes.elementsEqual([0x2E, 0x2E])
        return !bytes.isEmpty && bytes.count <= 255 && !isItself && !bytes.contains { $0 == 0x2F || $0 == 0 }
    }

    /// Controls, invisible characters, and those that turn the direction of writing.
    private static func isForbidden(_ scalar: Unicode.Scalar) -> Bool {
        let properties = scalar.properties
        switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse: return true
        default:
            return scalar == "\u{FFFD}" || properties.isDefaultIgnorableCodePoint
                || properties.isNoncharacterCodePoint || PeerText.steers(scalar) || PeerText.hides(scalar)
        }
    }

    /// A drive's or stream's colon, and what else Windows takes in no name; two signs are such with a stroke.
    private static func isReserved(_ scalar: Unicode.Scalar) -> Bool {
        ":*?\"<>|\u{226E}\u{226F}".unicodeScalars.contains(scalar)
    }

    /// Whether a scalar changes the one before it; at the beginning of a name there is none.
    private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .spacingMark, .enclosingMark: true
        default: false
        }
    }

    /// Cuts between scalars, keeps the extension, and lets no blank or point stand at the end.
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

    /// Names that Windows keeps for devices, whatever their extension.
    private static func isDevice(_ name: [Unicode.Scalar]) -> Bool {
        let base = name.prefix { $0 != "." }.filter { $0 != " " }.map { $0.properties.uppercaseMapping }.joined()
        if ["CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$"].contains(base) { return true }
        let scalars = Array(base.unicodeScalars)
        guard scalars.count == 4, ["COM", "LPT"].contains(base.unicodeScalars.prefix(3).map(String.init).joined())
        else { return false }
        return "0123456789¹²³".unicodeScalars.contains(scalars[3])
    }
}

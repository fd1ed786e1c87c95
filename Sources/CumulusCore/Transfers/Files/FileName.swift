// SPDX-License-Identifier: Apache-2.0

/// A name for a file that somebody else proposed, made safe.
enum FileName {
    /// What most file systems take, in bytes; less what `.part.json.new` and a number need.
    static let longest = 255 - 32

    /// The last part of a proposed path, without what could lead elsewhere, hide, or fool; `nil` where nothing is left.
    static func safe(_ proposed: String) -> String? {
        // Both separators, and a drive's or stream's colon, whoever wrote the name.
        let last = proposed.split(omittingEmptySubsequences: false) { $0 == "/" || $0 == "\\" }.last ?? ""
        var scalars = String.UnicodeScalarView()
        for scalar in last.unicodeScalars where !isForbidden(scalar) {
            scalars.append(":*?\"<>|".unicodeScalars.contains(scalar) ? "_" : scalar)
        }
        var name = String(scalars)
        name = String(name.drop { ".-~ ".contains($0) || $0.isWhitespace })
        while let end = name.last, end == "." || end.isWhitespace { name.removeLast() }
        name = shortened(name)
        guard !name.isEmpty else { return nil }
        return isDevice(name) ? "_\(name)" : name
    }

    /// Controls, invisible characters, and those that turn the direction of writing.
    private static func isForbidden(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse: true
        default: scalar == "\u{FFFD}"
        }
    }

    /// Cuts between characters, and keeps the extension.
    private static func shortened(_ name: String) -> String {
        guard name.utf8.count > longest else { return name }
        var ending = ""
        if let point = name.lastIndex(of: "."), name[point...].utf8.count <= 32 { ending = String(name[point...]) }
        var base = ""
        var room = longest - ending.utf8.count
        for character in name.dropLast(ending.count) {
            room -= character.utf8.count
            if room < 0 { break }
            base.append(character)
        }
        return base + ending
    }

    /// Names that Windows keeps for devices, whatever their extension.
    private static func isDevice(_ name: String) -> Bool {
        let base = name.prefix { $0 != "." }.uppercased().filter { $0 != " " }
        if ["CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$"].contains(base) { return true }
        guard base.count == 4, base.hasPrefix("COM") || base.hasPrefix("LPT"), let digit = base.last else {
            return false
        }
        return "0123456789¹²³".contains(digit)
    }
}

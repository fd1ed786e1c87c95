// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives

/// Bytes quoted so that a shell reads exactly these bytes as one word.
///
/// Plain text is unquoted; other text is put in single quotes, in which POSIX shells interpret nothing; bytes that are
/// invisible or not UTF-8 are written as `$'...'` with octal escapes (POSIX.1-2024 section 2.2.4). NUL can't be
/// written.
package struct ShellWord: CustomStringConvertible {
    private let bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    package init(_ text: String) { bytes = Array(text.utf8) }

    package var description: String {
        if !bytes.isEmpty, bytes.allSatisfy(ShellWord.isPlain) { return String(decoding: bytes, as: UTF8.self) }
        guard let text = String(validating: bytes, as: UTF8.self), text.unicodeScalars.allSatisfy(ShellWord.isVisible)
        else { return "$'\(bytes.map(ShellWord.escaped).joined())'" }
        let parts = bytes.split(separator: UInt8(ascii: "'"), omittingEmptySubsequences: false)
        return parts.map { "'\(String(decoding: $0, as: UTF8.self))'" }.joined(separator: #"\'"#)
    }

    /// The same bytes as an argument of `printf %b`, which can also write NUL.
    var printfArgument: String {
        let parts = bytes.map { byte in
            switch byte {
            case UInt8(ascii: "\\"): #"\\"#
            case 0x20...0x7E where byte != UInt8(ascii: "'"): String(UnicodeScalar(byte))
            default: "\\0\(ShellWord.octal(byte))"
            }
        }
        return "'\(parts.joined())'"
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "/"), UInt8(ascii: ":"), UInt8(ascii: ","), UInt8(ascii: "+"), UInt8(ascii: "@"):
            true
        default: false
        }
    }

    /// Whether a scalar is visible: not a control character, and not one that changes the text direction.
    private static func isVisible(_ scalar: Unicode.Scalar) -> Bool {
        if scalar == "\n" { return true }
        if PeerText.steers(scalar) || PeerText.hides(scalar) { return false }
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .unassigned, .privateUse, .surrogate: return false
        default: return true
        }
    }

    private static func escaped(_ byte: UInt8) -> String {
        switch byte {
        case UInt8(ascii: "\\"): #"\\"#
        case UInt8(ascii: "'"): #"\'"#
        case 0x20...0x7E: String(UnicodeScalar(byte))
        default: "\\\(octal(byte))"
        }
    }

    /// Three digits, so that a following digit isn't read as part of it.
    private static func octal(_ byte: UInt8) -> String {
        let digits = String(byte, radix: 8)
        return String(repeating: "0", count: 3 - digits.count) + digits
    }
}

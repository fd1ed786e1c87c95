// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives

/// Recognizes secrets in a text within a value: a document, a URL, header lines, pairs or a private key in a string.
///
/// Such a text is not parsed: it is hidden as a whole if it contains a name that indicates a secret.
enum EmbeddedText {
    /// How many times a percent-encoded text is decoded; one that is encoded more often is hidden.
    private static let mostLevels = 4

    /// A text that may be shown: of a URL everything but its secrets, of another text all or nothing.
    static func redacted(_ text: String) -> String {
        guard hasSecrets(text.utf8) else { return text }
        guard isLink(Array(text.utf8)), !hasEncodedPath(text.utf8) else { return "<redacted>" }
        let shown = SecretRedaction.url(text)
        return shown == text || hasUser(Array(shown.utf8)) ? "<redacted>" : shown
    }

    /// Whether a text has secrets, percent-encoded or not.
    static func hasSecrets(_ encoded: some Sequence<UInt8>) -> Bool {
        // Zeros between ASCII characters are UTF-16 or UTF-32.
        var text = encoded.filter { $0 != 0 }
        for _ in 0..<mostLevels {
            if isRevealing(text) { return true }
            guard text.contains(UInt8(ascii: "%")) else { return false }
            let blanks = text.map { $0 == UInt8(ascii: "+") ? UInt8(ascii: " ") : $0 }
            let decoded = PercentEncoding.decodedBytes(of: blanks)
            if decoded == blanks { return false }
            text = decoded.filter { $0 != 0 }
        }
        return true
    }

    private static func isRevealing(_ text: [UInt8]) -> Bool {
        if hasUser(text) { return true }
        guard mayHavePairs(text) else { return false }
        if isLink(text) {
            return text.split(whereSeparator: { isPairSeparator($0) || $0 == UInt8(ascii: "/") }).contains { pair in
                // The value of a pair may have pairs of its own.
                let names = pair.split(separator: UInt8(ascii: "="), omittingEmptySubsequences: false).dropLast()
                return names.contains { name in
                    let start = name.lastIndex { !isNameByte($0) && $0 != UInt8(ascii: "%") }
                    return [name, name[(start.map { $0 + 1 } ?? name.startIndex)...]].contains {
                        Redaction.isSecret(PercentEncoding.decode(String(decoding: $0, as: UTF8.self)))
                    }
                }
            }
        }
        if hasEscapedLetters(text) { return true }
        let names = text.split { !isNameByte($0) }
        return names.contains { Redaction.isSecret(String(decoding: $0, as: UTF8.self)) }
    }

    /// Whether a text is more than words: a document, pairs, lines of a head, a key, a URL.
    ///
    /// Not every word with a colon is a pair: `auth:read` is the name of a permission.
    private static func mayHavePairs(_ text: [UInt8]) -> Bool {
        var before = UInt8(0)
        for byte in text {
            switch byte {
            case UInt8(ascii: "{"), UInt8(ascii: "="), UInt8(ascii: "<"): return true
            case 0x09, 0x0A, 0x0D, 0x20, UInt8(ascii: "/"):
                if before == UInt8(ascii: ":") { return true }
            case UInt8(ascii: ":"):
                if before == UInt8(ascii: "\"") || before == UInt8(ascii: "'") { return true }
            case UInt8(ascii: "-"):
                if before == byte { return true }
            default: break
            }
            before = byte
        }
        return false
    }

    /// Whether a URL in the text has a user; without a scheme, a user with a password.
    private static func hasUser(_ text: [UInt8]) -> Bool {
        let (slash, colon) = (UInt8(ascii: "/"), UInt8(ascii: ":"))
        var start = text.startIndex
        while let index = text[start...].firstIndex(of: slash) {
            start = index + 1
            guard text[start...].first == slash else { continue }
            let authority = text[(start + 1)...].prefix { $0 > 0x20 && !isAuthorityEnd($0) }
            guard let at = authority.lastIndex(of: UInt8(ascii: "@")), at > authority.startIndex else { continue }
            let user = authority[..<at]
            let hasScheme = index > 0 && text[index - 1] == colon
            if hasScheme || user.contains(colon), !user.elementsEqual("<redacted>".utf8) { return true }
        }
        return false
    }

    /// Whether the text is a single URL or path, whose secrets are found by its pairs.
    private static func isLink(_ text: [UInt8]) -> Bool {
        let scheme = text.prefix { isNameByte($0) }
        var path = text[...]
        if text[scheme.endIndex...].starts(with: "://".utf8) {
            path = text[(scheme.endIndex + 3)...].drop { !isAuthorityEnd($0) }
        }
        guard path.first.map(isAuthorityEnd) ?? !text.isEmpty else { return false }
        return text.allSatisfy(isLinkByte) && !path.contains(UInt8(ascii: ":"))
    }

    /// Whether a path is percent-encoded, and so may have pairs of its own.
    private static func hasEncodedPath(_ text: String.UTF8View) -> Bool {
        text.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }.contains(UInt8(ascii: "%"))
    }

    /// Whether letters of a name may be written as numbers: in XML, JavaScript or a string of JSON.
    private static func hasEscapedLetters(_ text: [UInt8]) -> Bool {
        zip(text, text.dropFirst()).contains { first, second in
            first == UInt8(ascii: "&") && second == UInt8(ascii: "#")
                || first == UInt8(ascii: "\\") && (second == UInt8(ascii: "u") || second == UInt8(ascii: "x"))
        }
    }

    /// A name at each level of percent-encoding, up to that at which a value would be hidden.
    static func decodings(_ name: some Sequence<UInt8>) -> [String] {
        var (texts, text) = ([] as [String], Array(name))
        for _ in 0...mostLevels {
            texts.append(String(decoding: text, as: UTF8.self))
            let decoded = PercentEncoding.decodedBytes(of: text)
            if decoded == text { break }
            text = decoded
        }
        return texts
    }

    /// Whether some server treats the byte as the beginning of another pair.
    static func isPairSeparator(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "&"), UInt8(ascii: ";"), UInt8(ascii: "?"), UInt8(ascii: "#"), 0x0A, 0x0D: true
        default: false
        }
    }

    private static func isAuthorityEnd(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "#"), UInt8(ascii: "\""), UInt8(ascii: "'"),
            UInt8(ascii: "<"), UInt8(ascii: ">"):
            true
        default: false
        }
    }

    /// Whether a URL or an encoded form may contain the byte, with those that some encoders don't escape.
    static func isLinkByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\\"),
            UInt8(ascii: "`"), UInt8(ascii: "{"), UInt8(ascii: "}"):
            false
        default: byte > 0x20 && byte < 0x7F
        }
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."),
            UInt8(ascii: "$"), 0x80...:
            true
        default: false
        }
    }
}

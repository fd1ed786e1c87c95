// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives

/// Redacts secrets in bodies for display: values whose names indicate a secret.
enum BodyRedaction {
    /// How deep a text within a text is looked into.
    private static let mostLevels = 4

    /// The body with a placeholder for each secret; unchanged if it has none.
    ///
    /// Only forms are judged by their media type, everything else by its content: no label reveals a secret.
    static func redacted(_ body: ByteChunk, of type: MediaType?) -> [UInt8] { redacted(body.bytes, of: type, level: 0) }

    /// The same for a part of another body, so many levels within it.
    static func redacted(_ bytes: [UInt8], of type: MediaType?, level: Int) -> [UInt8] {
        guard bytes.contains(where: { $0 > 0x20 }) else { return bytes }
        if level > mostLevels { return Array("<redacted>".utf8) }
        return ForeignText.redacted(bytes, of: type, level: level) ?? redacted(decoded: bytes, of: type, level: level)
    }

    /// The same for text that is in UTF-8 or a charset like it, if it is text.
    static func redacted(decoded bytes: [UInt8], of type: MediaType?, level: Int) -> [UInt8] {
        if let boundary = MultipartRedaction.boundary(of: bytes, type) {
            return MultipartRedaction.redacted(bytes, boundary: boundary, level: level)
        }
        let shown = redacted(text: bytes, of: type, level: level)
        return InlineRedaction.redacted(shown, level: level)
    }

    /// A single text by its grammar.
    private static func redacted(text bytes: [UInt8], of type: MediaType?, level: Int) -> [UInt8] {
        if type?.essence == MediaType.form.essence { return redactedForm(bytes, level: level) }
        // A byte-order mark, and the separator of JSON text sequences (RFC 7464), may come before.
        let text = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...]
        switch text.first(where: { $0 > 0x20 }) {
        case UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "\""):
            return TextRedaction.redacted(JSONRedaction.redacted(bytes, level: level))
        case UInt8(ascii: "<"): return XMLRedaction.redacted(bytes, level: level)
        default: break
        }
        if isMedia(type), bytes.contains(0) || String(validating: bytes, as: UTF8.self) == nil { return bytes }
        var end = text
        while let last = end.last, last <= 0x20 { end = end.dropLast() }
        return end.contains { $0 <= 0x20 } ? TextRedaction.redacted(bytes) : redactedForm(bytes, level: level)
    }

    private static func isMedia(_ type: MediaType?) -> Bool {
        guard let type else { return false }
        return ["image", "audio", "video", "font"].contains(type.type) && !type.subtype.ends(with: "xml")
    }

    private static func redactedForm(_ bytes: [UInt8], level: Int) -> [UInt8] {
        let shown = bytes.contains(UInt8(ascii: "{")) ? JSONRedaction.redacted(bytes, level: level) : bytes
        if shown.contains(UInt8(ascii: "=")) { return redactedPairs(shown, mark: "<redacted>", level: level) }
        return hasSecrets(shown[...], level: level) ? Array("<redacted>".utf8) : TextRedaction.redacted(shown)
    }

    /// Whether a percent-encoded text has secrets, as that of a URL within another's query.
    static func hasSecrets(_ encoded: ArraySlice<UInt8>, level: Int) -> Bool {
        guard encoded.contains(UInt8(ascii: "%")) else { return false }
        let blanks = encoded.map { $0 == UInt8(ascii: "+") ? UInt8(ascii: " ") : $0 }
        let text = PercentEncoding.decodedBytes(of: blanks)
        guard text != blanks, mayHaveSecrets(text[...]) else { return false }
        return redacted(text, of: nil, level: level + 1) != text
    }

    /// Whether a short text within another is worth looking into: a document, pairs, lines of a head, a key, a URL.
    ///
    /// Not each word with a colon is a pair: `auth:read` is the name of a permission.
    static func mayHaveSecrets(_ text: ArraySlice<UInt8>) -> Bool {
        var before = UInt8(0)
        for byte in text {
            switch byte {
            case UInt8(ascii: "{"), UInt8(ascii: "="), UInt8(ascii: "%"), UInt8(ascii: "<"): return true
            case 0x20 where before == UInt8(ascii: ":"), UInt8(ascii: "/") where before == UInt8(ascii: ":"):
                return true
            case UInt8(ascii: "-") where before == UInt8(ascii: "-"): return true
            default: before = byte
            }
        }
        return false
    }

    /// `name=value` pairs, with the values of secret names redacted.
    ///
    /// Every character that some server treats as a separator begins another pair.
    static func redactedPairs(
        _ text: some StringProtocol,
        mark: String = "<redacted>",
        hiding isHidden: (String) -> Bool = { _ in false }
    ) -> String {
        String(decoding: redactedPairs(Array(text.utf8), mark: mark, level: 0, hiding: isHidden), as: UTF8.self)
    }

    /// The same by bytes: anything that is not a secret is unchanged, whether it is text or not.
    private static func redactedPairs(
        _ bytes: [UInt8],
        mark: String,
        level: Int,
        hiding isHidden: (String) -> Bool = { _ in false }
    ) -> [UInt8] {
        var shown: [UInt8] = []
        var rest = bytes[...]
        let last = bytes.lastIndex { $0 > 0x20 } ?? 0
        while true {
            let end = rest.indices.first { isSeparator(rest[$0]) || $0 < last && isLineEnd(rest[$0]) } ?? rest.endIndex
            let pair = rest[..<end]
            let name = pair.prefix { $0 != UInt8(ascii: "=") }
            let hasValue = name.endIndex < pair.endIndex
            let text = String(decoding: name, as: UTF8.self)
            if hasValue,
                isSecret(text) || isHidden(PercentEncoding.decode(text)) || isHidden(formName(name))
                    || hasSecrets(pair[name.endIndex...].dropFirst(), level: level)
            {
                shown += Array(name) + [UInt8(ascii: "=")] + Array(mark.utf8)
            } else {
                shown += pair
            }
            rest = rest[pair.endIndex...]
            guard let separator = rest.popFirst() else { return shown }
            shown.append(separator)
        }
    }

    /// A name, decoded as in forms.
    private static func formName(_ bytes: some Sequence<UInt8>) -> String {
        let blanks = bytes.map { $0 == UInt8(ascii: "+") ? UInt8(ascii: " ") : $0 }
        return String(decoding: PercentEncoding.decodedBytes(of: blanks), as: UTF8.self)
    }

    private static func isSecret(_ name: String) -> Bool { Redaction.isSecret(PercentEncoding.decode(name)) }

    private static func isLineEnd(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") }

    private static func isSeparator(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "&") || byte == UInt8(ascii: ";") || byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#")
    }
}

extension RequestURL {
    /// The URL with redacted query values whose names indicate a secret, or that must be hidden.
    func redactingSecrets(hiding isHidden: (String) -> Bool = { _ in false }) -> String {
        let place = SecretRedaction.target("\(origin)\(path)")
        return query.map { "\(place)?\(BodyRedaction.redactedPairs($0, hiding: isHidden))" } ?? place
    }
}

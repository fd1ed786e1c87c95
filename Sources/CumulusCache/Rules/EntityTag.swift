// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives
import HTTPTypes

/// Entity tags of fields (RFC 9110 section 8.8.3), each byte as one scalar: they need not be UTF-8.
enum EntityTag {
    /// The lines of a field.
    static func lines(_ name: HTTPField.Name, in fields: HTTPFields) -> [String] {
        fields[fields: name].map { field in
            field.withUnsafeBytesOfValue { bytes in
                String(String.UnicodeScalarView(bytes.lazy.map { Unicode.Scalar($0) }))
            }
        }
    }

    /// The tag of a response; `nil` if it is missing or can't be sent back.
    static func valid(in fields: HTTPFields) -> String? {
        guard let line = fields.line(.eTag) else { return nil }
        // Of ASCII, each byte is one scalar already.
        if line.utf8.allSatisfy({ $0 < 0x80 }) { return valid(line) }
        return valid(lines(.eTag, in: fields).joined(separator: ", "))
    }

    /// A field with a tag's bytes.
    static func field(_ name: HTTPField.Name, _ tag: String) -> HTTPField {
        HTTPField(name: name, value: tag.unicodeScalars.compactMap { UInt8(exactly: $0.value) })
    }

    /// A tag that can be sent back; `nil` for text that is not a tag.
    ///
    /// Some servers send tags without quotes, and compare them with the text that they sent.
    static func valid(_ text: String) -> String? {
        let tag = text.trimmed
        guard let opaque = opaque(tag) else { return nil }
        let isQuoted = opaque.utf8.first == quote
        let content = isQuoted ? Substring(opaque.utf8.dropFirst().dropLast()) : opaque
        guard !isQuoted || opaque.utf8.count >= 2 && opaque.utf8.last == quote, !content.utf8.contains(quote) else {
            return nil
        }
        guard isQuoted || content.utf8.allSatisfy({ 0x21...0x7E ~= $0 && $0 != UInt8(ascii: ",") }) else { return nil }
        return tag.utf8.count == text.utf8.count ? text : String(tag)
    }

    /// Whether two tags identify the same, or an equivalent, representation (section 8.8.3.2: weak comparison).
    static func matchWeakly(_ one: some StringProtocol, _ other: some StringProtocol) -> Bool {
        guard let one = opaque(Substring(one)), let other = opaque(Substring(other)) else { return false }
        return one == other
    }

    /// Whether two tags identify exactly the same bytes: strong comparison.
    static func matchStrongly(_ one: String, _ other: String) -> Bool {
        one == other && !one.trimmed.begins(with: "W/")
    }

    private static let quote = UInt8(ascii: "\"")

    private static func opaque(_ tag: Substring) -> Substring? {
        let opaque = tag.begins(with: "W/") ? Substring(tag.utf8.dropFirst(2)) : tag
        return opaque.utf8.isEmpty ? nil : opaque
    }
}

// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives

/// Entity tags of fields (RFC 9110 section 8.8.3).
enum EntityTag {
    /// A tag with quotes; `nil` for text that is none, which can't be sent in a list.
    static func valid(_ text: String) -> String? {
        let opaque = opaque(text.trimmed)
        guard let opaque, opaque.utf8.count >= 2, opaque.utf8.first == quote, opaque.utf8.last == quote else {
            return nil
        }
        return opaque.utf8.dropFirst().dropLast().contains(quote) ? nil : String(text.trimmed)
    }

    /// Whether two tags name the same, or an equivalent, representation (section 8.8.3.2: weak comparison).
    static func matchWeakly(_ one: some StringProtocol, _ other: some StringProtocol) -> Bool {
        guard let one = opaque(Substring(one)), let other = opaque(Substring(other)) else { return false }
        return one == other
    }

    /// Whether two tags name the very same bytes: strong comparison.
    static func matchStrongly(_ one: String, _ other: String) -> Bool {
        one == other && !one.trimmed.begins(with: "W/")
    }

    /// The members of an `If-None-Match`.
    static func list(_ text: String) -> [Substring] {
        var (tags, rest) = ([Substring](), text[...].utf8)
        while true {
            rest = rest.drop { $0 == 0x20 || $0 == 0x09 || $0 == UInt8(ascii: ",") }
            guard let open = rest.firstIndex(of: quote) else { return tags }
            let behind = rest.index(after: open)
            guard let close = rest[behind...].firstIndex(of: quote) else { return tags }
            tags.append(Substring(rest[...close]))
            rest = rest[rest.index(after: close)...]
        }
    }

    private static let quote = UInt8(ascii: "\"")

    private static func opaque(_ tag: Substring) -> Substring? {
        let opaque = tag.begins(with: "W/") ? Substring(tag.utf8.dropFirst(2)) : tag
        return opaque.utf8.isEmpty ? nil : opaque
    }
}

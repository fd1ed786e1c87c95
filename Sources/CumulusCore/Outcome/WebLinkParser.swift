// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives

/// Reads a `Link` field, byte by byte, as in RFC 8288, appendix B.2.
///
/// Text after the first fault is not read.
struct WebLinkParser {
    private var rest: ArraySlice<UInt8>
    private let base: RequestURL

    init(_ field: FieldText, base: RequestURL) {
        rest = field.bytes[...]
        self.base = base
    }

    mutating func links() -> [WebLink] {
        var links: [WebLink] = []
        while true {
            rest = rest.drop { WebLinkParser.isBlank($0) || $0 == UInt8(ascii: ",") }
            guard rest.first == UInt8(ascii: "<"), let end = rest.firstIndex(of: UInt8(ascii: ">")) else {
                return links
            }
            let target = FieldText(rest[..<end].dropFirst()).address
            rest = rest[rest.index(after: end)...]
            links.append(WebLink(target: target, parameters: parameters(), of: base))
        }
    }

    /// Names of which only the first occurrence counts (RFC 8288 section 3).
    private static let onceOnly: Set<String> = ["rel", "anchor", "media", "title", "title*", "type"]

    private mutating func parameters() -> [WebLink.Parameter] {
        var found: [WebLink.Parameter] = []
        var seen: Set<String> = []
        while true {
            skipBlanks()
            guard rest.first == UInt8(ascii: ";") else { break }
            rest = rest.dropFirst()
            skipBlanks()
            let word = rest.prefix { !WebLinkParser.isBlank($0) && !"=;,".utf8.contains($0) }
            rest = rest[word.endIndex...]
            let name = String(decoding: word, as: UTF8.self).lowercased()
            let value = value()
            guard !name.isEmpty, !WebLinkParser.onceOnly.contains(name) || !seen.contains(name) else { continue }
            guard let text = name.ends(with: "*") ? ExtendedValue.text(value, isStrict: true) : text(value) else {
                continue
            }
            seen.insert(name)
            found.append(WebLink.Parameter(name: name, value: text))
        }
        // The text between here and the next link is not a parameter.
        rest = rest.drop { $0 != UInt8(ascii: ",") }
        return found
    }

    private func text(_ bytes: [UInt8]) -> String? { String(decoding: bytes, as: UTF8.self) }

    private mutating func value() -> [UInt8] {
        skipBlanks()
        guard rest.first == UInt8(ascii: "=") else { return [] }
        rest = rest.dropFirst()
        skipBlanks()
        if rest.first == UInt8(ascii: "\"") { return quoted() }
        let token = rest.prefix { $0 != UInt8(ascii: ";") && $0 != UInt8(ascii: ",") }
        rest = rest[token.endIndex...]
        return token.reversed().drop(while: WebLinkParser.isBlank).reversed()
    }

    private mutating func quoted() -> [UInt8] {
        rest = rest.dropFirst()
        var bytes: [UInt8] = []
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "\"") { break }
            if byte == UInt8(ascii: "\\"), let next = rest.popFirst() { bytes.append(next) } else { bytes.append(byte) }
        }
        return bytes
    }

    private mutating func skipBlanks() { rest = rest.drop(while: WebLinkParser.isBlank) }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
}

// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives

/// Redacts secrets in XML and HTML: content and attributes whose names indicate a secret, the value after such a key or
/// name, and secrets in the texts between the tags.
///
/// It scans the text, like ``JSONRedaction``; what it leaves of well-formed text is well-formed.
struct XMLRedaction {
    private typealias Attribute = (name: String, value: Range<Int>)

    private static let mark = Array("&lt;redacted&gt;".utf8)
    /// Elements of HTML that have no content and no end.
    private static let void: Set<String> = ["input", "meta", "br", "hr", "img", "link", "param", "source", "wbr"]
    /// Attributes that name what another attribute or the content is.
    private static let naming: Set<String> = ["name", "key", "id", "type", "property"]

    private let bytes: [UInt8]
    private let level: Int
    private let isPropertyList: Bool
    private var place = 0
    private var shown: [UInt8] = []
    private var copied = 0
    /// Whether the next element is the value of a secret key, whatever it is called.
    private var isAnyNext = false
    /// Whether the next element called a value is that of a secret name.
    private var isValueNext = false

    /// The text, with a placeholder for each secret.
    static func redacted(_ bytes: [UInt8], level: Int = 0) -> [UInt8] {
        var redaction = XMLRedaction(bytes: bytes, level: level)
        return redaction.run()
    }

    private init(bytes: [UInt8], level: Int) {
        self.bytes = bytes
        self.level = level
        isPropertyList = InlineRedaction.place(of: "<plist", in: bytes, from: 0) != nil
    }

    private mutating func run() -> [UInt8] {
        while let open = bytes[place...].firstIndex(of: UInt8(ascii: "<")) {
            lookInto(place..<open)
            place = open + 1
            if begins("!--") {
                place += 3
                let comment = untilEnd("-->")
                if level == 0 { lookInto(comment, isEscaped: false) }
            } else if begins("![CDATA[") {
                place += 8
                lookInto(untilEnd("]]>"), isEscaped: false)
            } else if begins("!") || begins("?") || begins("/") {
                skip(behind: ">")
            } else {
                takeElement()
            }
        }
        lookInto(place..<bytes.count)
        return copied == 0 ? bytes : shown + bytes[copied...]
    }

    private mutating func takeElement() {
        let start = place
        skipName()
        let qualified = bytes[start..<place]
        let name = XMLRedaction.local(qualified)
        let (attributes, isEmpty) = takeAttributes()
        let named = attributes.contains { attribute in
            XMLRedaction.naming.contains(attribute.name.lowercased()) && Redaction.isSecret(text(attribute.value))
        }
        let isPair = attributes.contains { $0.name.lowercased() == "value" } || name == "entry" || name == "item"
        for attribute in attributes {
            let isName = isPair && XMLRedaction.naming.contains(attribute.name.lowercased())
            let isValue = named && ["value", "content"].contains(attribute.name.lowercased())
            if isValue || !isName && Redaction.isSecret(attribute.name) {
                hide(attribute.value)
            } else {
                lookInto(attribute.value)
            }
        }
        if isEmpty || XMLRedaction.void.contains(name.lowercased()) { return }
        let isNamed = isAnyNext || isValueNext && Redaction.isNamedBySibling(name)
        isAnyNext = false
        if isNamed {
            isValueNext = false
        } else if Redaction.namesSibling(name) {
            let content = bytes[place...].prefix { $0 != UInt8(ascii: "<") }
            isValueNext = Redaction.isSecret(String(text(content.startIndex..<content.endIndex).trimmed))
            if isPropertyList && name == "key" || name == "name" {
                isAnyNext = isValueNext
                return
            }
        }
        guard named || isNamed || Redaction.isSecret(name) else { return }
        let content = place
        skip(toEndOf: Array(qualified))
        hide(content..<place)
    }

    /// The attributes up to the end of the tag, and whether the element has no content.
    private mutating func takeAttributes() -> ([Attribute], isEmpty: Bool) {
        var found: [Attribute] = []
        while place < bytes.count {
            let byte = bytes[place]
            if byte == UInt8(ascii: ">") {
                place += 1
                return (found, bytes[place - 2] == UInt8(ascii: "/"))
            }
            guard XMLRedaction.isNamed(byte) else {
                place += 1
                continue
            }
            let start = place
            skipName()
            let name = XMLRedaction.local(bytes[start..<place])
            skipSpace()
            guard place < bytes.count, bytes[place] == UInt8(ascii: "=") else { continue }
            place += 1
            skipSpace()
            guard place < bytes.count else { break }
            let quote = bytes[place]
            let isQuoted = quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'")
            if isQuoted { place += 1 }
            let value = place
            while place < bytes.count, isQuoted ? bytes[place] != quote : bytes[place] > 0x20 && bytes[place] != 0x3E {
                place += 1
            }
            found.append((name, value..<place))
            if isQuoted { place = min(place + 1, bytes.count) }
        }
        return (found, true)
    }

    /// Hides a range behind all that were hidden before.
    private mutating func hide(_ range: Range<Int>) {
        guard bytes[range].contains(where: { $0 > 0x20 }) else { return }
        shown += bytes[copied..<range.lowerBound] + XMLRedaction.mark
        copied = range.upperBound
    }

    /// Shows a text between tags or quotes without the secrets in it.
    private mutating func lookInto(_ range: Range<Int>, isEscaped: Bool = true) {
        let written = bytes[range]
        let hasEscapes = isEscaped && written.contains(UInt8(ascii: "&"))
        guard hasEscapes || BodyRedaction.mayHaveSecrets(written) else { return }
        let text = hasEscapes ? XMLEscapes.decoded(written) : Array(written)
        guard BodyRedaction.mayHaveSecrets(text[...]) else { return }
        let clean = BodyRedaction.redacted(text, of: nil, level: level + 1)
        if clean == text { return }
        shown += bytes[copied..<range.lowerBound] + (isEscaped ? XMLEscapes.encoded(clean) : clean)
        copied = range.upperBound
    }

    // MARK: Scanning

    private mutating func skipName() {
        while place < bytes.count, XMLRedaction.isNamed(bytes[place]) { place += 1 }
    }

    private mutating func skipSpace() {
        while place < bytes.count, bytes[place] <= 0x20 { place += 1 }
    }

    /// The text up to an end, behind which the place is then.
    private mutating func untilEnd(_ end: String) -> Range<Int> {
        let start = place
        let found = InlineRedaction.place(of: end, in: bytes, from: place)
        place = found.map { $0 + end.utf8.count } ?? bytes.count
        return start..<(found ?? bytes.count)
    }

    private mutating func skip(behind end: String) {
        place = InlineRedaction.place(of: end, in: bytes, from: place).map { $0 + end.utf8.count } ?? bytes.count
    }

    /// Moves to the end tag of an element, which may contain others of its name, or to the end.
    private mutating func skip(toEndOf name: [UInt8]) {
        var depth = 1
        while let open = bytes[place...].firstIndex(of: UInt8(ascii: "<")) {
            place = open + 1
            if begins("!--") {
                skip(behind: "-->")
            } else if begins("![CDATA[") {
                skip(behind: "]]>")
            } else if begins("/") {
                guard isTag(name, at: place + 1) else { continue }
                depth -= 1
                place = open
                if depth == 0 { return }
                place += 1
            } else if isTag(name, at: place) {
                if !takeAttributes().isEmpty { depth += 1 }
            }
        }
        place = bytes.count
    }

    private func isTag(_ name: [UInt8], at start: Int) -> Bool {
        guard start < bytes.count, bytes[start...].starts(with: name) else { return false }
        let end = start + name.count
        return end >= bytes.count || !XMLRedaction.isNamed(bytes[end])
    }

    private func begins(_ text: String) -> Bool { bytes[place...].starts(with: text.utf8) }

    private func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

    /// A name without its namespace's prefix.
    private static func local(_ name: ArraySlice<UInt8>) -> String {
        let start = name.lastIndex(of: UInt8(ascii: ":")).map { $0 + 1 } ?? name.startIndex
        return String(decoding: name[start...], as: UTF8.self)
    }

    private static func isNamed(_ byte: UInt8) -> Bool {
        switch byte {
        case 0...0x20, UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "/"), UInt8(ascii: "="), UInt8(ascii: "\""),
            UInt8(ascii: "'"):
            false
        default: true
        }
    }
}

/// The escapes of XML and HTML for characters of ASCII.
private enum XMLEscapes {
    private static let names: [String: UInt8] = ["lt": 0x3C, "gt": 0x3E, "amp": 0x26, "quot": 0x22, "apos": 0x27]

    /// A text with its escapes decoded; other ones stay as they are.
    static func decoded(_ written: ArraySlice<UInt8>) -> [UInt8] {
        var text: [UInt8] = []
        var rest = written
        while let byte = rest.popFirst() {
            let name = rest.prefix(byte == UInt8(ascii: "&") ? 8 : 0).prefix { $0 != UInt8(ascii: ";") }
            if !name.isEmpty, rest[name.endIndex...].first == UInt8(ascii: ";"), let meant = meaning(of: name) {
                text.append(meant)
                rest = rest[(name.endIndex + 1)...]
            } else {
                text.append(byte)
            }
        }
        return text
    }

    /// A text that means the same between tags and in quotes.
    static func encoded(_ text: [UInt8]) -> [UInt8] {
        var written: [UInt8] = []
        for byte in text {
            switch byte {
            case UInt8(ascii: "<"): written += "&lt;".utf8
            case UInt8(ascii: ">"): written += "&gt;".utf8
            case UInt8(ascii: "&"): written += "&amp;".utf8
            case UInt8(ascii: "\""): written += "&quot;".utf8
            default: written.append(byte)
            }
        }
        return written
    }

    private static func meaning(of name: ArraySlice<UInt8>) -> UInt8? {
        let text = String(decoding: name, as: UTF8.self).lowercased()
        guard text.begins(with: "#") else { return names[text] }
        let isHexadecimal = text.begins(with: "#x")
        let digits = String(decoding: text.utf8.dropFirst(isHexadecimal ? 2 : 1), as: UTF8.self)
        return UInt8(digits, radix: isHexadecimal ? 16 : 10).flatMap { $0 < 0x80 ? $0 : nil }
    }
}

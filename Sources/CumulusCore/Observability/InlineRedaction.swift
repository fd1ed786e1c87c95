// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives

/// Redacts secrets that are recognized in text of any grammar: users and query values of URLs, and private keys.
struct InlineRedaction {
    private static let mark = Array("<redacted>".utf8)

    private let bytes: [UInt8]
    private let level: Int
    private var place = 0
    private var shown: [UInt8] = []
    private var copied = 0
    /// Where the run of bytes without blanks and quotes around the place began.
    private var runStart = 0
    /// Whether that run has a slash or a question mark, so that a path or query may follow.
    private var isLink = false

    /// The text, with a placeholder for each secret.
    static func redacted(_ bytes: [UInt8], level: Int) -> [UInt8] {
        var redaction = InlineRedaction(bytes: bytes, level: level)
        return redaction.run()
    }

    private init(bytes: [UInt8], level: Int) {
        self.bytes = bytes
        self.level = level
    }

    private mutating func run() -> [UInt8] {
        while place < bytes.count {
            let byte = bytes[place]
            if InlineRedaction.isEnd(byte) {
                (runStart, isLink) = (place + 1, false)
                place += 1
                continue
            }
            switch byte {
            case UInt8(ascii: ":") where begins("://"): takeAuthority()
            case UInt8(ascii: "?") where place > runStart:
                isLink = true
                takePair()
            case UInt8(ascii: "&") where isLink, UInt8(ascii: ";") where isLink, UInt8(ascii: "#") where isLink:
                takePair()
            case UInt8(ascii: "-") where place + 4 < bytes.count && bytes[place + 4] == byte && begins("-----BEGIN "):
                takeKey()
            case UInt8(ascii: "/"):
                isLink = true
                place += 1
            default: place += 1
            }
        }
        return copied == 0 ? bytes : shown + bytes[copied...]
    }

    /// Hides the user of a URL.
    private mutating func takeAuthority() {
        place += 3
        isLink = true
        let start = place
        var at: Int?
        while place < bytes.count, bytes[place] > 0x20, !InlineRedaction.endsAuthority(bytes[place]) {
            if bytes[place] == UInt8(ascii: "@") { at = place }
            place += 1
        }
        // In XML it may be hidden already.
        if let at, at > start, !bytes[start...].starts(with: "&lt;redacted&gt;".utf8) { hide(start..<at) }
    }

    /// Hides the value after a secret name, or one that has an encoded text with secrets.
    private mutating func takePair() {
        place += 1
        let start = place
        while place < bytes.count, bytes[place] != UInt8(ascii: "="), !InlineRedaction.endsPair(bytes[place]) {
            place += 1
        }
        guard place < bytes.count, bytes[place] == UInt8(ascii: "=") else { return }
        let name = String(decoding: bytes[start..<place], as: UTF8.self)
        place += 1
        let value = place
        while place < bytes.count, !InlineRedaction.endsPair(bytes[place]) { place += 1 }
        guard place > value else { return }
        let isHidden =
            Redaction.isSecret(PercentEncoding.decode(name))
            || BodyRedaction.hasSecrets(bytes[value..<place], level: level)
        guard isHidden else { return place = value }
        hide(value..<place)
    }

    /// Hides the content of a private key.
    private mutating func takeKey() {
        let label = bytes[(place + 11)...].prefix { $0 >= 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "-") }
        place = label.endIndex
        guard begins("-----"), InlineRedaction.place(of: "PRIVATE KEY", in: Array(label), from: 0) != nil else {
            return
        }
        place += 5
        let end = InlineRedaction.place(of: "-----END", in: bytes, from: place) ?? bytes.count
        hide(place..<end)
        place = end
        // The line of the end is passed over.
        while place < bytes.count, bytes[place] == UInt8(ascii: "-") { place += 1 }
    }

    private mutating func hide(_ range: Range<Int>) {
        shown += bytes[copied..<range.lowerBound] + InlineRedaction.mark
        copied = range.upperBound
    }

    private func begins(_ text: String) -> Bool { bytes[place...].starts(with: text.utf8) }

    /// The first place of a text at or behind another.
    static func place(of text: String, in bytes: [UInt8], from start: Int) -> Int? {
        let wanted = Array(text.utf8)
        guard let first = wanted.first else { return nil }
        var rest = bytes[min(start, bytes.count)...]
        while let found = rest.firstIndex(of: first) {
            var count = 1
            while count < wanted.count, found + count < bytes.count, bytes[found + count] == wanted[count] {
                count += 1
            }
            if count == wanted.count { return found }
            rest = bytes[(found + 1)...]
        }
        return nil
    }

    private static func isEnd(_ byte: UInt8) -> Bool {
        switch byte {
        case 0...0x20, UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "`"), UInt8(ascii: "<"), UInt8(ascii: ">"),
            UInt8(ascii: "\\"):
            true
        default: false
        }
    }

    private static func endsPair(_ byte: UInt8) -> Bool {
        isEnd(byte) || byte == UInt8(ascii: "&") || byte == UInt8(ascii: ";") || byte == UInt8(ascii: "#")
            || byte == UInt8(ascii: "?")
    }

    private static func endsAuthority(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "#"), UInt8(ascii: "\""), UInt8(ascii: "<"),
            UInt8(ascii: ">"), UInt8(ascii: "\\"), UInt8(ascii: "`"):
            true
        default: false
        }
    }
}

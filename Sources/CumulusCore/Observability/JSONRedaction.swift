// SPDX-License-Identifier: Apache-2.0

/// Redacts secrets in JSON text, and leaves everything else as written.
///
/// It scans the text instead of parsing values, so it needs neither stack nor memory for them, and also hides secrets
/// in text that is truncated or otherwise invalid JSON.
struct JSONRedaction {
    private static let mark = Array("\"<redacted>\"".utf8)

    private let bytes: [UInt8]
    private var place = 0

    /// The text, with a placeholder for the value of each member with a secret name.
    static func redacted(_ bytes: [UInt8]) -> [UInt8] {
        var redaction = JSONRedaction(bytes: bytes)
        return redaction.run()
    }

    private init(bytes: [UInt8]) { self.bytes = bytes }

    private mutating func run() -> [UInt8] {
        var shown: [UInt8] = []
        var copied = 0
        while place < bytes.count {
            guard bytes[place] == UInt8(ascii: "\"") else {
                place += 1
                continue
            }
            let start = place
            skipString()
            let end = place
            skipSpace()
            guard place < bytes.count, bytes[place] == UInt8(ascii: ":") else { continue }
            place += 1
            guard JSONRedaction.isSecret(bytes[start..<end]) else { continue }
            skipSpace()
            shown += bytes[copied..<place] + JSONRedaction.mark
            skipValue()
            copied = place
        }
        return copied == 0 ? bytes : shown + bytes[copied...]
    }

    /// Whether a quoted name is secret; if its escapes are invalid, it is judged as written.
    private static func isSecret(_ name: ArraySlice<UInt8>) -> Bool {
        if name.contains(UInt8(ascii: "\\")), let text = (try? JSON(parsing: name))?.string {
            return Redaction.isSecret(text)
        }
        return Redaction.isSecret(String(decoding: name.dropFirst().dropLast(), as: UTF8.self))
    }

    private mutating func skipSpace() {
        while place < bytes.count, bytes[place] <= 0x20 { place += 1 }
    }

    /// Moves from a quote to after the quote that ends the string, or to the end.
    private mutating func skipString() {
        place += 1
        while place < bytes.count, bytes[place] != UInt8(ascii: "\"") {
            place += bytes[place] == UInt8(ascii: "\\") ? 2 : 1
        }
        place = min(place + 1, bytes.count)
    }

    /// Moves past a value; an unterminated one extends to the end.
    private mutating func skipValue() {
        var depth = 0
        while place < bytes.count {
            switch bytes[place] {
            case UInt8(ascii: "\""):
                skipString()
                if depth == 0 { return }
            case UInt8(ascii: "["), UInt8(ascii: "{"):
                depth += 1
                place += 1
            case UInt8(ascii: "]"), UInt8(ascii: "}"):
                if depth == 0 { return }
                depth -= 1
                place += 1
                if depth == 0 { return }
            case UInt8(ascii: ",") where depth == 0: return
            default: place += 1
            }
        }
    }
}

// SPDX-License-Identifier: Apache-2.0

/// Takes secrets out of JSON text, of which everything else stays as it is written.
///
/// Goes by the text rather than by values, so that it needs neither stack nor memory for them, and hides secrets of
/// text that is cut off or otherwise no JSON, too.
struct JSONRedaction {
    private static let mark = Array("\"<redacted>\"".utf8)

    private let bytes: [UInt8]
    private var place = 0

    /// The text with a word in place of each member's value whose name is secret.
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

    /// A name in its quotes; one whose escapes can't be read is judged as it is written.
    private static func isSecret(_ name: ArraySlice<UInt8>) -> Bool {
        if name.contains(UInt8(ascii: "\\")), let text = (try? JSON(parsing: name))?.string {
            return Redaction.isSecret(text)
        }
        return Redaction.isSecret(String(decoding: name.dropFirst().dropLast(), as: UTF8.self))
    }

    private mutating func skipSpace() {
        while place < bytes.count, bytes[place] <= 0x20 { place += 1 }
    }

    /// Goes from a quote behind the quote that ends the string, or to the end.
    private mutating func skipString() {
        place += 1
        while place < bytes.count, bytes[place] != UInt8(ascii: "\"") {
            place += bytes[place] == UInt8(ascii: "\\") ? 2 : 1
        }
        place = min(place + 1, bytes.count)
    }

    /// Goes behind a value; one that has no end is all of the rest.
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

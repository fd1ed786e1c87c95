// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives

/// Redacts secrets in JSON text, and leaves everything else as written.
///
/// It scans the text instead of parsing values, so it needs neither stack nor memory for them, and also hides secrets
/// in text that is truncated or otherwise invalid JSON. Strings that contain a text of their own, such as a query of
/// GraphQL, a URL or a field of a head, are looked into. In an object such as `{"name":"password","value":"..."}`, the
/// one member names what the other is.
struct JSONRedaction {
    private static let mark = Array("\"<redacted>\"".utf8)

    private let bytes: [UInt8]
    private let level: Int
    private var place = 0
    private var depth = 0
    private var edits: [(range: Range<Int>, shown: [UInt8])] = []
    /// The objects around the place that have a member like `name` or `value`, from the outermost.
    private var pairs: [Pair] = []

    /// An object that may be a name and its value.
    private struct Pair {
        let depth: Int
        var isSecret = false
        var valueStart: Int?
        var valueEnd: Int?
    }

    /// The text, with a placeholder for the value of each member with a secret name.
    ///
    /// - Parameters:
    ///   - bytes: The text.
    ///   - level: How many texts it is within.
    /// - Returns: The text to show.
    static func redacted(_ bytes: [UInt8], level: Int = 0) -> [UInt8] {
        var redaction = JSONRedaction(bytes: bytes, level: level)
        return redaction.run()
    }

    private init(bytes: [UInt8], level: Int) {
        self.bytes = bytes
        self.level = level
    }

    private mutating func run() -> [UInt8] {
        while place < bytes.count {
            switch bytes[place] {
            case UInt8(ascii: "\""):
                takeString()
                continue
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                while let last = pairs.last, last.depth >= depth { close() }
                depth = max(0, depth - 1)
            case UInt8(ascii: ","): endValue()
            default: break
            }
            place += 1
        }
        while !pairs.isEmpty { close() }
        // An object's value may contain others that were hidden before.
        edits.sort { ($0.range.lowerBound, $1.range.upperBound) < ($1.range.lowerBound, $0.range.upperBound) }
        var shown: [UInt8] = []
        var copied = 0
        for edit in edits where edit.range.lowerBound >= copied {
            shown += bytes[copied..<edit.range.lowerBound] + edit.shown
            copied = edit.range.upperBound
        }
        return copied == 0 ? bytes : shown + bytes[copied...]
    }

    /// Takes a string, or a member's name with a secret value.
    private mutating func takeString() {
        let start = place
        skipString()
        let end = place
        skipSpace()
        guard place < bytes.count, bytes[place] == UInt8(ascii: ":") else {
            if let text = redacted(string: bytes[start..<end]) { edits.append((start..<end, text)) }
            return
        }
        place += 1
        skipSpace()
        let name = JSONRedaction.text(bytes[start..<end])
        notePair(name)
        guard Redaction.isSecret(name) else { return }
        let value = place
        skipValue()
        edits.append((value..<place, JSONRedaction.mark))
    }

    // MARK: Names and values

    /// Notes a member that names the object's value, or is it; the place is that of the member's own value.
    private mutating func notePair(_ name: String) {
        let isValue = Redaction.isNamedBySibling(name)
        guard isValue || Redaction.namesSibling(name) else { return }
        endValue()
        if pairs.last?.depth != depth { pairs.append(Pair(depth: depth)) }
        let last = pairs.count - 1
        if isValue {
            // Of several, the last begins anew, and the others are judged by the names before it.
            if pairs[last].valueStart != nil, pairs[last].isSecret { hideValue(of: pairs[last]) }
            (pairs[last].valueStart, pairs[last].valueEnd) = (place, nil)
        } else if place < bytes.count, bytes[place] == UInt8(ascii: "\"") {
            var ahead = place + 1
            while ahead < bytes.count, ahead - place < 64, bytes[ahead] != UInt8(ascii: "\"") {
                ahead += bytes[ahead] == UInt8(ascii: "\\") ? 2 : 1
            }
            let text = bytes[place..<min(ahead + 1, bytes.count)]
            if Redaction.isSecret(JSONRedaction.text(text)) { pairs[last].isSecret = true }
        }
    }

    /// Ends the value of the innermost object, if the place is in it.
    private mutating func endValue() {
        guard let last = pairs.last, last.depth == depth, last.valueStart != nil, last.valueEnd == nil else { return }
        pairs[pairs.count - 1].valueEnd = place
    }

    private mutating func close() {
        guard var pair = pairs.popLast() else { return }
        if pair.valueEnd == nil { pair.valueEnd = place }
        if pair.isSecret { hideValue(of: pair) }
    }

    private mutating func hideValue(of pair: Pair) {
        guard let start = pair.valueStart, var end = pair.valueEnd, start < end else { return }
        while end > start, bytes[end - 1] <= 0x20 { end -= 1 }
        if start < end { edits.append((start..<end, JSONRedaction.mark)) }
    }

    // MARK: Strings

    /// A string without the secrets of the document in it; `nil` if it has none.
    private func redacted(string: ArraySlice<UInt8>) -> [UInt8]? {
        guard BodyRedaction.mayHaveSecrets(string) || string.contains(UInt8(ascii: "\\")),
            let text = (try? JSON(parsing: string))?.string, BodyRedaction.mayHaveSecrets(Array(text.utf8)[...])
        else { return nil }
        let bytes = Array(text.utf8)
        let shown = BodyRedaction.redacted(bytes, of: nil, level: level + 1)
        return shown == bytes ? nil : JSON.string(String(decoding: shown, as: UTF8.self)).encoded()
    }

    /// A quoted text; if its escapes are invalid, as written.
    private static func text(_ quoted: ArraySlice<UInt8>) -> String {
        if quoted.contains(UInt8(ascii: "\\")), let text = (try? JSON(parsing: quoted))?.string { return text }
        return String(decoding: quoted.dropFirst().dropLast(), as: UTF8.self)
    }

    // MARK: Scanning

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

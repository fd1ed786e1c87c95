// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives

/// Redacts secrets in text whose grammar isn't known, or isn't strict: YAML, JSON5, GraphQL, JavaScript, settings.
///
/// It looks for a name, a colon or an equals sign, and a value. In doubt it hides too much: at the beginning of a line
/// the whole line, and the more indented lines after it, which may continue the value. In the middle of a sentence only
/// a quoted value counts.
struct TextRedaction {
    private static let mark = Array("<redacted>".utf8)
    /// Words that may come before a name at the beginning of a line.
    private static let introductions: Set<String> = [
        "export", "var", "let", "const", "set", "env", "static", "public", "private", "final", "val", "def", "string",
    ]

    private let bytes: [UInt8]
    private var place = 0
    private var shown: [UInt8] = []
    private var copied = 0
    /// The brackets around the place.
    private var depth = 0
    private var lineStart = 0
    /// Whether nothing but blanks, marks and introductions came before on the line.
    private var isFirst = true
    /// Where a member told that its sibling is secret: the brackets around it, and its column outside of any.
    private var pair: (depth: Int, column: Int)?

    /// The text, with a placeholder for each value whose name indicates a secret.
    static func redacted(_ bytes: [UInt8]) -> [UInt8] {
        var redaction = TextRedaction(bytes: bytes)
        return redaction.run()
    }

    private init(bytes: [UInt8]) { self.bytes = bytes }

    private mutating func run() -> [UInt8] {
        while place < bytes.count {
            let byte = bytes[place]
            switch byte {
            case UInt8(ascii: "\n"), UInt8(ascii: "\r"):
                place += 1
                (lineStart, isFirst) = (place, true)
            case UInt8(ascii: "\\"): place += 2
            case UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "`"): takeQuoted()
            case UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "("):
                depth += 1
                place += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"), UInt8(ascii: ")"):
                depth = max(0, depth - 1)
                if let pair, pair.depth > depth { self.pair = nil }
                place += 1
            case UInt8(ascii: ";"), UInt8(ascii: "&"):
                isFirst = true
                place += 1
            case _ where TextRedaction.isNamed(byte): takeName()
            case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "-"), UInt8(ascii: "#"), UInt8(ascii: "/"),
                UInt8(ascii: "*"), UInt8(ascii: "?"), UInt8(ascii: "+"), UInt8(ascii: "!"):
                place += 1
            default:
                isFirst = false
                place += 1
            }
        }
        return copied == 0 ? bytes : shown + bytes[min(copied, bytes.count)...]
    }

    // MARK: Names

    private mutating func takeName() {
        let start = place
        while place < bytes.count, TextRedaction.isNamed(bytes[place]) || bytes[place] == UInt8(ascii: "-") {
            place += 1
        }
        let name = String(decoding: bytes[start..<place], as: UTF8.self)
        if takeValue(of: name, at: start) || takeExplicitValue(of: name, at: start) { return }
        isFirst = isFirst && (isProperty(start) || TextRedaction.introductions.contains(name.lowercased()))
    }

    /// Whether a word is a tag or an anchor of YAML, before a name: `!!str name:`, `&anchor name:`.
    private func isProperty(_ start: Int) -> Bool {
        guard start > 0, place < bytes.count, bytes[place] == 0x20 || bytes[place] == 0x09 else { return false }
        return bytes[start - 1] == UInt8(ascii: "!") || bytes[start - 1] == UInt8(ascii: "&")
    }

    /// Takes a text in quotes, which is a name if a separator follows; an apostrophe and a lone quote are passed over.
    private mutating func takeQuoted() {
        let (start, quote) = (place, bytes[place])
        let isApostrophe = quote == UInt8(ascii: "'") && start > 0 && TextRedaction.isNamed(bytes[start - 1])
        var end = start + 1
        while end < bytes.count, bytes[end] != quote, bytes[end] != UInt8(ascii: "\n") {
            end += bytes[end] == UInt8(ascii: "\\") ? 2 : 1
        }
        place = start + 1
        guard !isApostrophe, end < bytes.count, bytes[end] == quote else { return }
        place = end + 1
        let name = String(decoding: bytes[(start + 1)..<end], as: UTF8.self)
        if takeValue(of: name, at: start) || takeExplicitValue(of: name, at: start) { return }
        isFirst = false
        hideWithin(start + 1..<end)
    }

    /// Hides the value in a text in quotes that is a field or a pair: `-H "Authorization: Bearer x"`.
    private mutating func hideWithin(_ content: Range<Int>) {
        let name = bytes[content].prefix { TextRedaction.isNamed($0) || $0 == UInt8(ascii: "-") }
        let rest = bytes[name.endIndex..<content.upperBound]
        guard let separator = rest.first, rest.count > 1 else { return }
        let isField = separator == UInt8(ascii: ":") && rest.dropFirst().first == 0x20
        guard isField || separator == UInt8(ascii: "="), Redaction.isSecret(String(decoding: name, as: UTF8.self))
        else {
            return
        }
        shown += bytes[copied..<name.endIndex + (isField ? 2 : 1)] + TextRedaction.mark
        copied = content.upperBound
    }

    // MARK: Values

    /// Hides the value after a secret name, if there is one; whether it did.
    private mutating func takeValue(of name: String, at start: Int) -> Bool {
        let behindName = place
        skipBlanks()
        // `x["password"] = ...`
        let isBracketed =
            place < bytes.count && bytes[place] == UInt8(ascii: "]") && !TextRedaction.isNamed(bytes[start])
        if isBracketed {
            place += 1
            skipBlanks()
        }
        let separator = place
        if place < bytes.count, bytes[place] == UInt8(ascii: "?") { place += 1 }
        while place < bytes.count, bytes[place] == UInt8(ascii: ":") || bytes[place] == UInt8(ascii: "=") { place += 1 }
        guard place > separator, bytes[place - 1] != UInt8(ascii: "?"), isSecret(name, at: start) else {
            place = behindName
            return false
        }
        let isMapping = bytes[place - 1] == UInt8(ascii: ":")
        if place < bytes.count, bytes[place] == UInt8(ascii: ">"), !isMapping { place += 1 }
        let behindSeparator = place
        skipBlanks()
        let first = place < bytes.count ? bytes[place] : UInt8(ascii: "\n")
        let isQuoted = first == UInt8(ascii: "\"") || first == UInt8(ascii: "'") || first == UInt8(ascii: "`")
        let isWholeLine = isFirst && depth == 0
        guard isWholeLine || isQuoted || depth > 0 else {
            place = behindSeparator
            return false
        }
        if isBracketed { depth = max(0, depth - 1) }
        let value = place
        if isWholeLine {
            skipLine()
            if isMapping { skipContinuation(of: start) }
        } else {
            skipExpression()
        }
        return hide(from: value)
    }

    /// Hides the value on the line after a name of YAML that was introduced by a question mark.
    private mutating func takeExplicitValue(of name: String, at start: Int) -> Bool {
        let behindName = place
        var before = start - 1
        while before >= lineStart, bytes[before] == 0x20 || bytes[before] == 0x09 { before -= 1 }
        guard isFirst, before >= lineStart, before < start - 1, bytes[before] == UInt8(ascii: "?") else { return false }
        skipBlanks()
        let nameEnd = place
        while place < bytes.count, bytes[place] <= 0x20 {
            if bytes[place] == UInt8(ascii: "\n") { lineStart = place + 1 }
            place += 1
        }
        guard lineStart > nameEnd, place < bytes.count, bytes[place] == UInt8(ascii: ":"), Redaction.isSecret(name)
        else {
            // The line's end was passed over.
            isFirst = isFirst && lineStart > nameEnd
            if lineStart <= nameEnd { place = behindName }
            return lineStart > nameEnd
        }
        let colon = place
        place += 1
        skipBlanks()
        let value = place
        skipLine()
        skipContinuation(of: colon)
        return hide(from: value)
    }

    /// Whether a name before a separator indicates a secret, or a sibling did; notes what it tells about its own.
    private mutating func isSecret(_ name: String, at start: Int) -> Bool {
        guard isFirst || depth > 0 else { return Redaction.isSecret(name) }
        let column = depth > 0 ? 0 : start - lineStart
        if Redaction.isNamedBySibling(name), let pair, pair == (depth, column) { return true }
        if Redaction.namesSibling(name) {
            let blanks = bytes[place...].prefix { $0 == 0x20 || $0 == 0x09 }
            let value = bytes[blanks.endIndex...].prefix(64).prefix {
                $0 != UInt8(ascii: ",") && $0 != UInt8(ascii: "{") && $0 >= 0x20
            }
            pair = Redaction.isSecret(String(decoding: value, as: UTF8.self)) ? (depth, column) : nil
        }
        return Redaction.isSecret(name)
    }

    /// Hides what is between a value's beginning and the place.
    private mutating func hide(from value: Int) -> Bool {
        let first = value < bytes.count ? bytes[value] : UInt8(ascii: "\n")
        let isQuoted = first == UInt8(ascii: "\"") || first == UInt8(ascii: "'") || first == UInt8(ascii: "`")
        guard bytes[min(value, bytes.count)..<min(place, bytes.count)].contains(where: { $0 > 0x20 }) else {
            return true
        }
        let mark = isQuoted ? [first] + TextRedaction.mark + [first] : TextRedaction.mark
        shown += bytes[copied..<value] + mark
        copied = place
        return true
    }

    private mutating func skipBlanks() {
        while place < bytes.count, bytes[place] == 0x20 || bytes[place] == 0x09 { place += 1 }
    }

    /// Moves to the end of the line, or to the line of the end of a bracket or quote that begins in it.
    private mutating func skipLine() {
        var open = 0
        while place < bytes.count {
            switch bytes[place] {
            case UInt8(ascii: "\n") where open == 0: return
            case UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "("): open += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"), UInt8(ascii: ")"): open = max(0, open - 1)
            case UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "`"):
                skipString()
                continue
            default: break
            }
            place += 1
        }
    }

    /// Moves past the lines that are indented more than that of a name, and a list's that are indented as much.
    private mutating func skipContinuation(of start: Int) {
        let own = start - lineStart
        while place < bytes.count {
            var next = place + 1
            let line = next
            while next < bytes.count, bytes[next] == 0x20 || bytes[next] == 0x09 || bytes[next] == 0x0D { next += 1 }
            let isBlank = next < bytes.count && bytes[next] == UInt8(ascii: "\n")
            let isElement = next < bytes.count && bytes[next] == UInt8(ascii: "-")
            guard next < bytes.count, isBlank || next - line > own || isElement && next - line == own else { return }
            place = next
            while place < bytes.count, bytes[place] != UInt8(ascii: "\n") { place += 1 }
        }
    }

    /// Moves past a value within brackets or a sentence, with what is added to it.
    private mutating func skipExpression() {
        var open = 0
        var isEnded = false
        // Blanks after it aren't part of it.
        var end = place
        defer { place = end }
        while place < bytes.count {
            switch bytes[place] {
            case UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "`"):
                if isEnded { return }
                skipString()
                isEnded = open == 0
                end = place
                continue
            case UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "("): open += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"), UInt8(ascii: ")"):
                if open == 0 { return }
                open -= 1
            case UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "\n"):
                if open == 0 { return }
            case UInt8(ascii: "+"): isEnded = false
            case 0x20, 0x09, 0x0D:
                place += 1
                continue
            default: if isEnded { return }
            }
            place += 1
            end = place
        }
    }

    /// Moves past a text in quotes, also one of three; an unterminated one extends to the end.
    private mutating func skipString() {
        let quote = bytes[place]
        let isTriple = bytes[place...].prefix(3).elementsEqual([quote, quote, quote])
        place += isTriple ? 3 : 1
        while place < bytes.count {
            if bytes[place] == UInt8(ascii: "\\") {
                place += 2
            } else if bytes[place] != quote {
                place += 1
            } else if !isTriple || bytes[place...].prefix(3).elementsEqual([quote, quote, quote]) {
                place += isTriple ? 3 : 1
                return
            } else {
                place += 1
            }
        }
        place = bytes.count
    }

    private static func isNamed(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "$"), UInt8(ascii: "."), 0x80...:
            true
        default: false
        }
    }
}

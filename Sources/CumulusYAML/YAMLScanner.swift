// SPDX-License-Identifier: Apache-2.0

/// A position in the bytes of a YAML text, with its line.
struct YAMLScanner {
    /// A position to which the scanner can return.
    struct Mark {
        let position: Int
        let line: Int
        let lineStart: Int

        var column: Int { position - lineStart }
    }

    let bytes: [UInt8]
    var position = 0
    /// The line's number, from 1.
    private(set) var line = 1
    private var lineStart = 0

    /// Begins after the byte order mark, if there is one.
    init(_ text: String) {
        bytes = Array(text.utf8)
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
        lineStart = position
    }

    /// The number of bytes before the position in its line; indentation is in spaces, so it is exact where it matters.
    var column: Int { position - lineStart }
    var isAtEnd: Bool { position >= bytes.count }
    var mark: Mark { Mark(position: position, line: line, lineStart: lineStart) }

    /// The byte at the position or after it; 0, which is in no YAML text, at the end.
    func byte(_ offset: Int = 0) -> UInt8 {
        let index = position + offset
        return index < bytes.count ? bytes[index] : 0
    }

    /// Whether a one-byte indicator is here that means something only before a blank or the line's end.
    func isAt(indicator: UInt8) -> Bool { byte() == indicator && YAMLScanner.endsWord(byte(1)) }

    /// Whether `---` or `...` begins the line.
    var isAtDocumentMarker: Bool {
        guard column == 0, byte() == UInt8(ascii: "-") || byte() == UInt8(ascii: ".") else { return false }
        return byte(1) == byte() && byte(2) == byte() && YAMLScanner.endsWord(byte(3))
    }

    /// Whether a tab is among the bytes between an earlier position and this one.
    func hasTab(since start: Int) -> Bool { bytes[start..<position].contains(UInt8(ascii: "\t")) }

    /// Whether a tab is before the position in its line.
    var hasTabBefore: Bool { hasTab(since: lineStart) }

    /// Whether at most 1,024 characters are between an earlier position and this one.
    func fitsKey(since start: Int) -> Bool {
        let limit = 1_024
        guard position - start > limit else { return true }
        return position - start <= 4 * limit && bytes[start..<position].count { $0 & 0xC0 != 0x80 } <= limit
    }

    func problem(_ reason: String, line: Int? = nil) -> YAMLProblem {
        YAMLProblem("line \(line ?? self.line): invalid YAML: \(reason)")
    }

    mutating func returnTo(_ mark: Mark) {
        position = mark.position
        line = mark.line
        lineStart = mark.lineStart
    }

    /// Skips a line feed, a carriage return, or both.
    mutating func skipBreak() {
        position += byte() == UInt8(ascii: "\r") && byte(1) == UInt8(ascii: "\n") ? 2 : 1
        line += 1
        lineStart = position
    }

    mutating func skipBlanks() {
        while YAMLScanner.isBlank(byte()) { position += 1 }
    }

    /// Skips everything before the line's end.
    mutating func skipText() {
        while position < bytes.count, !YAMLScanner.isBreak(bytes[position]) { position += 1 }
    }

    /// Skips blanks and a comment.
    mutating func skipBlanksAndComment() throws(YAMLProblem) {
        skipBlanks()
        guard byte() == UInt8(ascii: "#") else { return }
        guard position == lineStart || YAMLScanner.isBlank(bytes[position - 1]) else {
            throw problem("a comment must have a space before the #")
        }
        skipText()
    }

    /// Skips blanks, comments and line ends.
    mutating func skipToToken() throws(YAMLProblem) {
        try skipBlanksAndComment()
        while YAMLScanner.isBreak(byte()) {
            skipBreak()
            try skipBlanksAndComment()
        }
    }

    /// Skips blanks and a comment, after which the line must end.
    mutating func endLine(after name: String) throws(YAMLProblem) {
        try skipBlanksAndComment()
        guard isAtEnd || YAMLScanner.isBreak(byte()) else { throw problem("unexpected text after \(name)") }
    }

    /// Throws if the text contains a character that YAML forbids outside escapes (YAML 1.2.2 section 5.1).
    func checkCharacters() throws(YAMLProblem) {
        var index = position
        while index < bytes.count {
            let byte = bytes[index]
            // Most bytes are letters, and need one comparison or two.
            if byte < 0x20 || byte >= 0x7F, !isAllowed(byte, at: index) {
                var before = self
                while before.position < index {
                    if YAMLScanner.isBreak(before.byte()) { before.skipBreak() } else { before.position += 1 }
                }
                throw before.problem("control characters are not allowed")
            }
            index += 1
        }
    }

    /// Whether a byte belongs to no forbidden character, or isn't the first one of it.
    private func isAllowed(_ byte: UInt8, at index: Int) -> Bool {
        if byte < 0x80 { return YAMLScanner.isBreak(byte) || byte == UInt8(ascii: "\t") }
        let second = index + 1 < bytes.count ? bytes[index + 1] : 0
        // Of U+0080 to U+009F, only U+0085 is printable.
        if byte == 0xC2 { return second == 0x85 || second >= 0xA0 }
        guard byte == 0xEF, index + 2 < bytes.count else { return true }
        let isMark = second == 0xBB && bytes[index + 2] == 0xBF
        let isNoCharacter = second == 0xBF && bytes[index + 2] >= 0xBE
        return !isMark && !isNoCharacter
    }

    static func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }

    static func isBreak(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") }

    /// Whether a byte is a blank, a line end, or the text's end.
    static func endsWord(_ byte: UInt8) -> Bool { isBlank(byte) || isBreak(byte) || byte == 0 }

    /// Whether a byte begins, separates or ends entries in brackets and braces.
    static func isFlowIndicator(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: ","), UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: "{"), UInt8(ascii: "}"): true
        default: false
        }
    }
}

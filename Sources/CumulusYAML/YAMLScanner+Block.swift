// SPDX-License-Identifier: Apache-2.0

/// Literal and folded scalars (YAML 1.2.2 section 8.1).
extension YAMLScanner {
    /// The line ends after the text that belong to it.
    private enum Chomping {
        case strip
        case clip
        case keep
    }

    /// Reads a literal or folded scalar from its `|` or `>` to the line after it.
    mutating func blockScalar(parent: Int) throws(YAMLProblem) -> String {
        let isFolded = byte() == UInt8(ascii: ">")
        let (chomping, digit) = try blockHeader()
        var indent = digit.map { max(parent, 0) + $0 }
        var text: [UInt8] = []
        var hasText = false
        var wasSpaced = false
        /// The line ends since the last line with text.
        var breaks = try skipEmptyLines(indent: &indent, parent: parent)
        while let indent, let content = textLine(indent: indent) {
            let isSpaced = content.first.map(YAMLScanner.isBlank) ?? false
            if hasText, isFolded, !isSpaced, !wasSpaced {
                // One line end is a space, and of several one counts for nothing.
                if breaks == 1 { text.append(UInt8(ascii: " ")) }
                breaks -= 1
            }
            text.append(contentsOf: repeatElement(UInt8(ascii: "\n"), count: breaks))
            text += content
            hasText = true
            wasSpaced = isSpaced
            breaks = 0
            if YAMLScanner.isBreak(byte()) {
                skipBreak()
                breaks = 1 + skipEmptyLines(indent: indent)
            }
        }
        let last = chomping == .keep ? breaks : chomping == .clip && hasText ? min(breaks, 1) : 0
        text.append(contentsOf: repeatElement(UInt8(ascii: "\n"), count: last))
        return String(decoding: text, as: UTF8.self)
    }

    /// Reads the first line: the indicators for line ends and for indentation, in any order, and a comment.
    private mutating func blockHeader() throws(YAMLProblem) -> (Chomping, digit: Int?) {
        var chomping: Chomping?
        var digit: Int?
        position += 1
        while true {
            switch byte() {
            case UInt8(ascii: "-") where chomping == nil: chomping = .strip
            case UInt8(ascii: "+") where chomping == nil: chomping = .keep
            case UInt8(ascii: "1")...UInt8(ascii: "9") where digit == nil: digit = Int(byte() - UInt8(ascii: "0"))
            default:
                try endLine(after: "| or >; it can have + or -, and an indentation of 1 to 9")
                if !isAtEnd { skipBreak() }
                return (chomping ?? .clip, digit)
            }
            position += 1
        }
    }

    /// Skips the empty lines before the text; the first line with text sets the indentation if it is unknown.
    private mutating func skipEmptyLines(indent: inout Int?, parent: Int) throws(YAMLProblem) -> Int {
        if let indent { return skipEmptyLines(indent: indent) }
        var breaks = 0
        var longest = 0
        while true {
            let start = mark
            while byte() == UInt8(ascii: " ") { position += 1 }
            let spaces = column
            if YAMLScanner.isBreak(byte()) {
                longest = max(longest, spaces)
                skipBreak()
                breaks += 1
                continue
            }
            let hasText = !isAtEnd && spaces > parent && !isAtDocumentMarker
            if hasText, longest > spaces {
                throw problem(
                    "an empty line has more spaces than the text after it; write the indentation after | or >"
                )
            }
            returnTo(start)
            indent = hasText ? spaces : nil
            return breaks
        }
    }

    /// Skips lines that have at most the text's indentation and nothing else; returns their number.
    private mutating func skipEmptyLines(indent: Int) -> Int {
        var breaks = 0
        while true {
            let start = mark
            while column < indent, byte() == UInt8(ascii: " ") { position += 1 }
            guard YAMLScanner.isBreak(byte()) else {
                returnTo(start)
                return breaks
            }
            skipBreak()
            breaks += 1
        }
    }

    /// Reads a line without its indentation; `nil` if it has less, or if the document ends.
    private mutating func textLine(indent: Int) -> ArraySlice<UInt8>? {
        let start = mark
        while column < indent, byte() == UInt8(ascii: " ") { position += 1 }
        if isAtEnd || column < indent || isAtDocumentMarker {
            returnTo(start)
            return nil
        }
        let content = position
        skipText()
        return bytes[content..<position]
    }
}

// SPDX-License-Identifier: Apache-2.0

/// Scalars in quotes (YAML 1.2.2 sections 7.3.1 and 7.3.2).
extension YAMLScanner {
    /// Reads a scalar in the quotes that are here.
    mutating func quotedScalar() throws(YAMLProblem) -> String {
        let quote = byte()
        let firstLine = line
        let hasEscapes = quote == UInt8(ascii: "\"")
        var text = ArraySlice<UInt8>()
        position += 1
        while true {
            let start = position
            while !YAMLScanner.endsWord(byte()), byte() != quote, byte() != UInt8(ascii: "\\") || !hasEscapes {
                position += 1
            }
            text += bytes[start..<position]
            if isAtEnd { throw problem("the string that begins here has no closing quote", line: firstLine) }
            if YAMLScanner.endsWord(byte()) {
                try foldBlanks(into: &text)
            } else if byte() != quote {
                try readEscape(into: &text)
            } else if !hasEscapes, byte(1) == quote {
                text.append(quote)
                position += 2
            } else {
                position += 1
                return String(decoding: text, as: UTF8.self)
            }
        }
    }

    /// Reads blanks, which count only within a line, and line ends.
    private mutating func foldBlanks(into text: inout ArraySlice<UInt8>) throws(YAMLProblem) {
        let start = position
        skipBlanks()
        let breaks = try skipBreaks()
        if breaks > 0 { return YAMLScanner.fold(breaks, into: &text) }
        text += bytes[start..<position]
    }

    /// Skips line ends, and the blanks of the lines that follow; returns the number of line ends.
    private mutating func skipBreaks() throws(YAMLProblem) -> Int {
        var breaks = 0
        while YAMLScanner.isBreak(byte()) {
            skipBreak()
            breaks += 1
            if isAtDocumentMarker { throw problem("a quoted string contains a line that separates documents") }
            skipBlanks()
        }
        return breaks
    }

    private mutating func readEscape(into text: inout ArraySlice<UInt8>) throws(YAMLProblem) {
        let name = byte(1)
        position += 1
        if YAMLScanner.isBreak(name) {
            // The escaped line end counts for nothing, and each one after it is itself.
            let breaks = try skipBreaks()
            text.append(contentsOf: repeatElement(UInt8(ascii: "\n"), count: breaks - 1))
            return
        }
        position += 1
        switch name {
        case UInt8(ascii: "x"): try readCode(digits: 2, into: &text)
        case UInt8(ascii: "u"): try readCode(digits: 4, into: &text)
        case UInt8(ascii: "U"): try readCode(digits: 8, into: &text)
        default:
            guard let code = YAMLScanner.code(ofEscape: name) else {
                throw problem("a backslash precedes a character that YAML does not escape; write \\\\ for a backslash")
            }
            text.append(contentsOf: UTF8.encode(code) ?? UTF8.encodedReplacementCharacter)
        }
    }

    /// Reads a character's hexadecimal number.
    private mutating func readCode(digits: Int, into text: inout ArraySlice<UInt8>) throws(YAMLProblem) {
        var number: UInt32 = 0
        for _ in 0..<digits {
            guard let digit = Character(Unicode.Scalar(byte())).hexDigitValue else {
                throw problem("an escape must have \(digits) hexadecimal digits")
            }
            number = number << 4 | UInt32(digit)
            position += 1
        }
        guard let scalar = Unicode.Scalar(number) else {
            throw problem("an escape contains a number that is not a Unicode character")
        }
        text.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
    }

    /// The character that a letter after a backslash stands for (YAML 1.2.2 section 5.7).
    private static func code(ofEscape name: UInt8) -> Unicode.Scalar? {
        switch name {
        case UInt8(ascii: "0"): "\u{0}"
        case UInt8(ascii: "a"): "\u{7}"
        case UInt8(ascii: "b"): "\u{8}"
        case UInt8(ascii: "t"), UInt8(ascii: "\t"): "\t"
        case UInt8(ascii: "n"): "\n"
        case UInt8(ascii: "v"): "\u{B}"
        case UInt8(ascii: "f"): "\u{C}"
        case UInt8(ascii: "r"): "\r"
        case UInt8(ascii: "e"): "\u{1B}"
        case UInt8(ascii: " "), UInt8(ascii: "\""), UInt8(ascii: "/"), UInt8(ascii: "\\"): Unicode.Scalar(name)
        case UInt8(ascii: "N"): "\u{85}"
        case UInt8(ascii: "_"): "\u{A0}"
        case UInt8(ascii: "L"): "\u{2028}"
        case UInt8(ascii: "P"): "\u{2029}"
        default: nil
        }
    }
}

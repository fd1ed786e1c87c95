// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives

/// A parser that splits a copied command line into words, with the quotes of POSIX shells and of bash.
struct ShellLine {
    private var scalars: ArraySlice<Unicode.Scalar>
    private var words: [String] = []
    /// Not a string, which is copied for each character that is appended.
    private var word: [Unicode.Scalar]?

    private init(_ text: String) { scalars = Array(text.unicodeScalars)[...] }

    /// The words of a line; nothing in it is run or expanded.
    ///
    /// - Throws: ``UsageMistake`` for syntax that only a shell could run, such as an expansion.
    static func words(of text: String) throws(UsageMistake) -> [String] {
        var line = ShellLine(text)
        while let scalar = line.scalars.popFirst() { try line.take(scalar) }
        line.end()
        return line.words
    }

    private mutating func take(_ scalar: Unicode.Scalar) throws(UsageMistake) {
        switch scalar {
        case " ", "\t", "\n", "\r": end()
        case "'": add(try quoted(until: "'"))
        case "\"": add(try doubleQuoted())
        case "\\":
            if !skipLineEnd(), let next = scalars.popFirst() { add([next]) }
        case "$" where scalars.first == "'":
            scalars = scalars.dropFirst()
            add(try escaped())
        case "$", "`": throw ShellLine.mistake("a shell expansion (\(scalar))")
        case "^" where scalars.first.map(ShellLine.isAfterCaret) == true:
            throw ShellLine.mistake("a caret (^) from the Windows command line")
        case ";", "|", "&", "<", ">", "(", ")": throw ShellLine.mistake("a shell operator (\(scalar))")
        default: add([scalar])
        }
    }

    private mutating func add(_ scalars: some Sequence<Unicode.Scalar>) {
        if word == nil { word = [] }
        word?.append(contentsOf: scalars)
    }

    /// Skips the end of a line after a backslash, and returns whether it was there.
    ///
    /// The command continues on the next line. Some clipboards end lines with CR LF.
    private mutating func skipLineEnd() -> Bool {
        let count = scalars.starts(with: ["\r", "\n"]) ? 2 : scalars.first == "\n" ? 1 : 0
        scalars = scalars.dropFirst(count)
        return count > 0
    }

    private mutating func end() {
        if let word { words.append(String(String.UnicodeScalarView(word))) }
        word = nil
    }

    private mutating func quoted(until mark: Unicode.Scalar) throws(UsageMistake) -> [Unicode.Scalar] {
        guard let end = scalars.firstIndex(of: mark) else { throw ShellLine.mistake("an unclosed quote (\(mark))") }
        defer { scalars = scalars[(end + 1)...] }
        return Array(scalars[..<end])
    }

    private mutating func doubleQuoted() throws(UsageMistake) -> [Unicode.Scalar] {
        var text: [Unicode.Scalar] = []
        while let scalar = scalars.popFirst() {
            switch scalar {
            case "\"": return text
            case "$", "`": throw ShellLine.mistake("a shell expansion (\(scalar))")
            case "\\":
                if skipLineEnd() { continue }
                guard let next = scalars.popFirst() else { break }
                if !["\"", "\\", "$", "`"].contains(next) { text.append(scalar) }
                text.append(next)
            default: text.append(scalar)
            }
        }
        throw ShellLine.mistake("an unclosed quote (\")")
    }

    /// The text of `$'...'`, which has the escapes of C; those with `\x` are bytes.
    private mutating func escaped() throws(UsageMistake) -> String.UnicodeScalarView {
        var bytes: [UInt8] = []
        while let scalar = scalars.popFirst() {
            if scalar == "'" { return try ShellLine.text(of: bytes) }
            guard scalar == "\\", let next = scalars.popFirst() else {
                bytes += String(scalar).utf8
                continue
            }
            switch next {
            case "n": bytes.append(UInt8(ascii: "\n"))
            case "r": bytes.append(UInt8(ascii: "\r"))
            case "t": bytes.append(UInt8(ascii: "\t"))
            case "x": bytes.append(UInt8(truncatingIfNeeded: try value(digits: 2)))
            case "u": bytes += try String(character()).utf8
            case "U": bytes += try String(number(digits: 8)).utf8
            case "'", "\"", "\\", "!", "?": bytes += String(next).utf8
            default: throw ShellLine.mistake("the escape \\\(next)")
            }
        }
        throw ShellLine.mistake("an unclosed quote ($')")
    }

    /// A character of four hexadecimal digits, or of a surrogate pair, as browsers write those beyond U+FFFF.
    private mutating func character() throws(UsageMistake) -> Unicode.Scalar {
        let high = try value(digits: 4)
        guard 0xD800..<0xDC00 ~= high else { return try ShellLine.scalar(high) }
        guard scalars.starts(with: ["\\", "u"]) else { throw ShellLine.mistake("an incomplete surrogate pair") }
        scalars = scalars.dropFirst(2)
        let low = try value(digits: 4)
        guard 0xDC00..<0xE000 ~= low else { throw ShellLine.mistake("an incomplete surrogate pair") }
        return try ShellLine.scalar(0x10000 + (high - 0xD800) << 10 + low - 0xDC00)
    }

    private mutating func number(digits count: Int) throws(UsageMistake) -> Unicode.Scalar {
        try ShellLine.scalar(try value(digits: count))
    }

    private mutating func value(digits count: Int) throws(UsageMistake) -> UInt32 {
        let digits = scalars.prefix(count).prefix { $0.properties.isASCIIHexDigit }
        scalars = scalars[digits.endIndex...]
        guard let value = UInt32(String(String.UnicodeScalarView(digits)), radix: 16) else {
            throw ShellLine.mistake("an escape without digits")
        }
        return value
    }

    /// Whether a caret before this character is the escape of Windows rather than text.
    private static func isAfterCaret(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "\"" || scalar == "\n" || scalar == "\r" || scalar == "^"
    }

    private static func text(of bytes: [UInt8]) throws(UsageMistake) -> String.UnicodeScalarView {
        let text = String(decoding: bytes, as: UTF8.self)
        guard text.utf8.elementsEqual(bytes) else { throw mistake("bytes that are not UTF-8") }
        return text.unicodeScalars
    }

    private static func scalar(_ value: UInt32) throws(UsageMistake) -> Unicode.Scalar {
        guard let scalar = Unicode.Scalar(value) else { throw mistake("a number that is not a Unicode character") }
        return scalar
    }

    private static func mistake(_ found: String) -> UsageMistake {
        UsageMistake(
            "the copied command contains \(PeerText.printable(found)), which is not supported",
            hint: "in the browser, choose Copy as cURL (bash), then quote the whole command"
        )
    }
}

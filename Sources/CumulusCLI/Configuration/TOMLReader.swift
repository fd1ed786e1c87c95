// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives

/// Parses TOML (toml.io, version 1.0) and records the line of each value for errors.
///
/// It is our own and not TOMLKit: every value keeps its line, also for `cumulus config show --origin` and `cumulus
/// trust`, and no error quotes a value, which may be a secret.
struct TOMLReader {
    /// The maximum nesting of lists and tables, whether in brackets or by dots.
    private static let depth = 64

    var scalars: ArraySlice<Unicode.Scalar>
    private(set) var line = 1

    private init(_ text: String) { scalars = Array(text.unicodeScalars)[...] }

    /// The document as a table.
    ///
    /// - Throws: ``TOMLProblem`` for the first mistake.
    static func table(_ bytes: [UInt8]) throws(TOMLProblem) -> TOMLValue {
        var bytes = bytes[...]
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes = bytes.dropFirst(3) }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            let good = bytes.split(separator: 0x0A, omittingEmptySubsequences: false).firstIndex { line in
                String(validating: line, as: UTF8.self) == nil
            }
            throw TOMLProblem(line: (good ?? 0) + 1, reason: "the text is not valid UTF-8")
        }
        var reader = TOMLReader(text)
        let root = TOMLTables(.header, line: 1)
        var (table, depth) = (root, 0)
        while true {
            try reader.skipBlankLines()
            guard let first = reader.scalars.first else { return root.value }
            if first == "[" {
                (table, depth) = try reader.header(in: root)
            } else {
                let line = reader.line
                let path = try reader.path(depth: depth)
                try reader.expect("=", after: "a key")
                let value = try reader.value(depth: depth + path.count - 1)
                try table.set(path[...], to: value, line: line)
            }
            try reader.endLine()
        }
    }

    func problem(_ reason: String) -> TOMLProblem { TOMLProblem(line: line, reason: reason) }

    /// Takes the next scalar, and counts lines.
    mutating func next() -> Unicode.Scalar? {
        let scalar = scalars.popFirst()
        if scalar == "\n" { line += 1 }
        return scalar
    }

    /// Takes a text if it comes next; returns whether it did.
    mutating func take(_ text: String) -> Bool {
        let wanted = Array(text.unicodeScalars)
        guard scalars.starts(with: wanted) else { return false }
        for _ in wanted { _ = next() }
        return true
    }

    private mutating func header(in root: TOMLTables) throws(TOMLProblem) -> (table: TOMLTables, depth: Int) {
        let start = line
        let isList = take("[[")
        if !isList { _ = take("[") }
        let path = try path(depth: 0)
        guard take(isList ? "]]" : "]") else { throw problem("the table's name has no closing bracket") }
        return (try root.table(at: path[...], isList: isList, line: start), path.count)
    }

    /// A key, with dots between its parts, in a table of this depth.
    private mutating func path(depth: Int) throws(TOMLProblem) -> [String] {
        var path: [String] = []
        repeat {
            guard depth + path.count < TOMLReader.depth else { throw problem("the key is nested too deeply") }
            skipBlanks()
            path.append(try key())
            skipBlanks()
        } while take(".")
        return path
    }

    private mutating func key() throws(TOMLProblem) -> String {
        if scalars.first == "\"" || scalars.first == "'" { return try string(keyOnly: true) }
        let name = scalars.prefix { scalar in
            switch scalar {
            case "a"..."z", "A"..."Z", "0"..."9", "-", "_": true
            default: false
            }
        }
        guard !name.isEmpty else { throw problem("a key is missing") }
        scalars = scalars[name.endIndex...]
        return String(String.UnicodeScalarView(name))
    }

    private mutating func expect(_ mark: String, after what: String) throws(TOMLProblem) {
        guard take(mark) else { throw problem("\(what) must be followed by \(mark)") }
        skipBlanks()
    }

    /// A value, after the white space before it.
    private mutating func value(depth: Int) throws(TOMLProblem) -> TOMLValue {
        guard depth < TOMLReader.depth else { throw problem("the value is nested too deeply") }
        let start = line
        let content: TOMLValue.Content
        switch scalars.first {
        case "\"", "'": content = .string(try string())
        case "[": content = .array(try array(depth: depth))
        case "{": content = try inlineTable(depth: depth)
        default:
            let word = scalars.prefix { ![",", "]", "}", "#", "\n", "\r", "\t", " "].contains($0) }
            scalars = scalars[word.endIndex...]
            content = try scalar(String(String.UnicodeScalarView(word)))
        }
        return TOMLValue(content: content, line: start)
    }

    private mutating func array(depth: Int) throws(TOMLProblem) -> [TOMLValue] {
        let start = line
        _ = take("[")
        var elements: [TOMLValue] = []
        while true {
            try skipBlankLines()
            if take("]") { return elements }
            if scalars.isEmpty { break }
            elements.append(try value(depth: depth + 1))
            try skipBlankLines()
            if take(",") { continue }
            if take("]") { return elements }
            if scalars.isEmpty { break }
            throw problem("the list needs a comma or a closing bracket here")
        }
        throw TOMLProblem(line: start, reason: "the list has no closing bracket")
    }

    private mutating func inlineTable(depth: Int) throws(TOMLProblem) -> TOMLValue.Content {
        _ = take("{")
        let table = TOMLTables(.header, line: line)
        skipBlanks()
        if take("}") { return table.value.content }
        while true {
            let (start, path) = (line, try path(depth: depth))
            try expect("=", after: "a key")
            try table.set(path[...], to: try value(depth: depth + path.count), line: start)
            skipBlanks()
            if take("}") { return table.value.content }
            guard take(",") else { throw problem("the table needs a comma or a closing brace here, on the same line") }
            skipBlanks()
            if scalars.first == "}" { throw problem("a comma can't come before the closing brace") }
        }
    }

    /// A word that is not a string, list or table.
    private mutating func scalar(_ word: String) throws(TOMLProblem) -> TOMLValue.Content {
        if word == "true" || word == "false" { return .boolean(word == "true") }
        if word.isEmpty { throw problem("a value is missing") }
        if TOMLNumber.isDate(word) {
            // There may be a space between date and time.
            let rest = scalars.dropFirst()
            let time = String(
                String.UnicodeScalarView(rest.prefix { "0"..."9" ~= $0 || ":.+-Zz".unicodeScalars.contains($0) })
            )
            guard scalars.first == " ", TOMLNumber.isDate(time), time.has(anyOf: ":") else { return .date(word) }
            scalars = rest.dropFirst(time.unicodeScalars.count)
            return .date("\(word) \(time)")
        }
        if let integer = TOMLNumber.integer(word) { return .integer(integer) }
        if let float = TOMLNumber.float(word) { return .float(float) }
        if TOMLNumber.isInteger(word) { throw problem("the integer has more than 64 bits") }
        // Not quoted: it may be a password.
        throw problem("the value is not valid; put quotes around strings")
    }

    private mutating func skipBlanks() {
        scalars = scalars.drop { $0 == " " || $0 == "\t" }
    }

    /// Skips blanks, line ends and comments.
    private mutating func skipBlankLines() throws(TOMLProblem) {
        while true {
            skipBlanks()
            try skipComment()
            guard take("\n") || take("\r\n") else { return }
        }
    }

    private mutating func skipComment() throws(TOMLProblem) {
        guard scalars.first == "#" else { return }
        let comment = scalars.prefix { $0 != "\n" }
        let endsLine = comment.endIndex < scalars.endIndex
        let text = endsLine && comment.last?.value == 0x0D ? comment.dropLast() : comment
        guard text.allSatisfy({ $0.value == 0x09 || $0.value >= 0x20 && $0.value != 0x7F }) else {
            throw problem("a comment contains a control character")
        }
        scalars = scalars[comment.endIndex...]
    }

    private mutating func endLine() throws(TOMLProblem) {
        skipBlanks()
        try skipComment()
        guard scalars.isEmpty || take("\n") || take("\r\n") else {
            throw problem("unexpected text after the value: each key needs its own line")
        }
    }
}

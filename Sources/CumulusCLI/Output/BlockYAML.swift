// SPDX-License-Identifier: Apache-2.0

import CumulusCore

/// JSON as YAML 1.2 in block style; an ambiguous text is in JSON's quotes, which are also YAML's.
struct BlockYAML {
    /// Deeper values are written on one line, as JSON.
    private static let depth = 64

    private var lines = ""

    static func text(of value: JSON) -> String {
        var writer = BlockYAML()
        writer.write(value, at: 0, isInline: false)
        return writer.lines
    }

    /// Writes a value; `isInline` if it follows a name or a dash.
    private mutating func write(_ value: JSON, at depth: Int, isInline: Bool) {
        switch value {
        case .array(let elements) where !elements.isEmpty && depth < BlockYAML.depth:
            if isInline { lines += "\n" }
            for element in elements {
                lines += "\(BlockYAML.blanks(depth))-"
                writeItem(element, at: depth + 1)
            }
        case .object(let object) where !object.isEmpty && depth < BlockYAML.depth:
            if isInline { lines += "\n" }
            for (name, member) in object { write(name, member, at: depth, indents: true) }
        default:
            lines += "\(isInline ? " " : BlockYAML.blanks(depth))\(BlockYAML.scalar(value))\n"
        }
    }

    /// Writes the item after a dash: an object's first member is on the same line.
    private mutating func writeItem(_ value: JSON, at depth: Int) {
        guard case .object(let object) = value, !object.isEmpty, depth < BlockYAML.depth else {
            return write(value, at: depth, isInline: true)
        }
        lines += " "
        for (index, member) in object.enumerated() { write(member.key, member.value, at: depth, indents: index > 0) }
    }

    private mutating func write(_ name: String, _ value: JSON, at depth: Int, indents: Bool) {
        lines += "\(indents ? BlockYAML.blanks(depth) : "")\(BlockYAML.scalar(.string(name))):"
        write(value, at: depth + 1, isInline: true)
    }

    private static func blanks(_ depth: Int) -> String { String(repeating: "  ", count: depth) }

    private static func scalar(_ value: JSON) -> String {
        if let text = value.string, isPlain(text) { return text }
        return String(decoding: value.encoded(), as: UTF8.self)
    }

    /// Whether a text can be written without quotes: letters, digits and a few marks, not a number, date, boolean or
    /// null.
    private static func isPlain(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        guard let first = bytes.first, let last = bytes.last, isLetter(first), last != 0x20 else { return false }
        guard bytes.allSatisfy({ isLetter($0) || 0x30...0x39 ~= $0 || " _-./".utf8.contains($0) }) else { return false }
        return !reserved.contains(text.lowercased())
    }

    private static func isLetter(_ byte: UInt8) -> Bool { 0x41...0x5A ~= byte || 0x61...0x7A ~= byte }

    /// Words that some version of YAML reads as something else.
    private static let reserved: Set<String> = [
        "true", "false", "null", "yes", "no", "on", "off", "y", "n", "nan", "inf",
    ]
}

// SPDX-License-Identifier: Apache-2.0

import CumulusCore

/// JSON as YAML 1.2 in block style, which YAML 1.1 reads as the same values.
struct BlockYAML {
    /// Deeper values are written on one line, as in JSON.
    private static let depth = 64
    /// A longer key needs a question mark before it: other keys may have 1,024 characters (YAML 1.2.2 section 7.4.2).
    private static let longestKey = 1_000

    private let write: (String) throws -> Void

    /// Writes a value line by line.
    ///
    /// - Throws: ``FormProblem`` if its indentation would make it too large, `CancellationError` between two values.
    static func write(_ value: JSON, _ write: (String) throws -> Void) throws {
        let content = value.encoded().count
        var count = 0
        try withoutActuallyEscaping(write) { write in
            let judge = BlockYAML { text in
                count += text.utf8.count
                guard LayoutLimits().allow(count, for: content) else {
                    throw FormProblem(form: .yaml, reason: "the indentation would make the output many times longer")
                }
            }
            try judge.put(value, at: 0, isInline: false)
            try BlockYAML(write: write).put(value, at: 0, isInline: false)
        }
    }

    /// Writes a value; `isInline` if it follows a name or a dash.
    private func put(_ value: JSON, at depth: Int, isInline: Bool) throws {
        try Task.checkCancellation()
        switch value {
        case .array(let elements) where !elements.isEmpty && depth < BlockYAML.depth:
            if isInline { try write("\n") }
            for element in elements {
                try write("\(BlockYAML.blanks(depth))-")
                try putItem(element, at: depth + 1)
            }
        case .object(let object) where !object.isEmpty && depth < BlockYAML.depth:
            if isInline { try write("\n") }
            for (name, member) in object { try put(name, member, at: depth, indents: true) }
        default:
            try write(isInline ? " " : BlockYAML.blanks(depth))
            try putFlow(value)
            try write("\n")
        }
    }

    /// Writes the item after a dash: an object's first member is on the same line.
    private func putItem(_ value: JSON, at depth: Int) throws {
        guard case .object(let object) = value, !object.isEmpty, depth < BlockYAML.depth else {
            return try put(value, at: depth, isInline: true)
        }
        try write(" ")
        for (index, member) in object.enumerated() { try put(member.key, member.value, at: depth, indents: index > 0) }
    }

    private func put(_ name: String, _ value: JSON, at depth: Int, indents: Bool) throws {
        let key = YAMLScalar.text(of: name)
        if indents { try write(BlockYAML.blanks(depth)) }
        let isLong = key.utf8.count > BlockYAML.longestKey
        try write(isLong ? "? \(key)\n\(BlockYAML.blanks(depth)):" : "\(key):")
        try put(value, at: depth + 1, isInline: true)
    }

    /// Writes a value on the current line.
    private func putFlow(_ value: JSON) throws {
        switch value {
        case .string(let text): try write(YAMLScalar.text(of: text))
        case .number(let number): try write(YAMLScalar.number(number.text))
        case .null, .bool: try write(value.description)
        case .array(let elements):
            try write("[")
            for (index, element) in elements.enumerated() {
                if index > 0 { try write(", ") }
                try putFlow(element)
            }
            try write("]")
        case .object(let object):
            try write("{")
            for (index, member) in object.enumerated() {
                let key = YAMLScalar.text(of: member.key)
                try write((index > 0 ? ", " : "") + (key.utf8.count > BlockYAML.longestKey ? "? " : ""))
                try write("\(key): ")
                try putFlow(member.value)
            }
            try write("}")
        }
    }

    private static func blanks(_ depth: Int) -> String { String(repeating: "  ", count: depth) }
}

// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives

// Writing XML.

extension XML {
    /// Options for writing XML.
    public struct WritingOptions: OptionSet, Sendable, Hashable {
        /// The bits of the set.
        public let rawValue: Int

        /// Creates a set from its bits.
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// An option that writes one element per line, indented by two spaces; elements with text among their children
        /// stay unchanged.
        public static let prettyPrinted = WritingOptions(rawValue: 1)

        /// An option that omits `<?xml version="1.0" encoding="UTF-8"?>`.
        public static let withoutDeclaration = WritingOptions(rawValue: 2)
    }

    /// Writes the document as UTF-8.
    ///
    /// - Throws: `CodingProblem` for a name or character that XML doesn't allow, for two attributes with the same name,
    ///   and for elements nested deeper than ``defaultMaximumDepth``.
    public func encoded(_ options: WritingOptions = []) throws -> [UInt8] {
        var writer = XMLWriter(isPretty: options.contains(.prettyPrinted))
        if !options.contains(.withoutDeclaration) {
            writer.append(#"<?xml version="1.0" encoding="UTF-8"?>"#)
            if options.contains(.prettyPrinted) { writer.append("\n") }
        }
        try writer.write(self, depth: 0)
        if options.contains(.prettyPrinted) { writer.append("\n") }
        return writer.bytes
    }
}

extension XML: CustomStringConvertible {
    /// The element as compact text; empty if it can't be written.
    public var description: String {
        (try? encoded(.withoutDeclaration)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }
}

/// Writes elements as bytes.
struct XMLWriter {
    private let isPretty: Bool
    private(set) var bytes: [UInt8] = []

    init(isPretty: Bool) { self.isPretty = isPretty }

    mutating func append(_ text: String) { bytes.append(contentsOf: text.utf8) }

    mutating func write(_ element: XML, depth: Int) throws {
        guard depth < XML.defaultMaximumDepth else { throw CodingProblem("elements are nested too deeply") }
        append("<\(try checked(element.name))")
        var names: Set<ExactName> = []
        for attribute in element.attributes {
            guard names.insert(ExactName(attribute.name)).inserted else {
                throw CodingProblem(
                    "\(PeerText.quoted(element.name)) has two attributes named \(PeerText.quoted(attribute.name))"
                )
            }
            append(" \(try checked(attribute.name))=\"")
            try escape(attribute.value, inAttribute: true)
            append("\"")
        }
        guard !element.children.isEmpty else {
            append("/>")
            return
        }
        append(">")
        let breaksLines = isPretty && element.isLaidOut
        for child in element.children {
            switch child {
            case .element(let inner):
                if breaksLines { append("\n" + String(repeating: "  ", count: depth + 1)) }
                try write(inner, depth: depth + 1)
            case .text(let text):
                if !breaksLines { try escape(text, inAttribute: false) }
            }
        }
        if breaksLines { append("\n" + String(repeating: "  ", count: depth)) }
        append("</\(element.name)>")
    }

    private func checked(_ name: String) throws -> String {
        guard XMLName.isName(name) else { throw CodingProblem("\(PeerText.quoted(name)) is not a valid XML name") }
        return name
    }

    private mutating func escape(_ text: String, inAttribute: Bool) throws {
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": append("&amp;")
            case "<": append("&lt;")
            // Required in `]]>`, and allowed elsewhere.
            case ">": append("&gt;")
            case "\"" where inAttribute: append("&quot;")
            case "\t" where inAttribute, "\n" where inAttribute, "\r": append("&#\(scalar.value);")
            default:
                guard XMLName.isCharacter(scalar.value) else {
                    throw CodingProblem("XML can't contain U+\(String(scalar.value, radix: 16, uppercase: true))")
                }
                bytes.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
            }
        }
    }
}

extension XML {
    /// Whether the element's children are elements and no text other than white space.
    fileprivate var isLaidOut: Bool {
        var hasElement = false
        for child in children {
            switch child {
            case .element: hasElement = true
            case .text(let text): guard text.utf8.allSatisfy({ XMLParser.isSpace($0) }) else { return false }
            }
        }
        return hasElement
    }
}

// SPDX-License-Identifier: Apache-2.0

import CumulusCore

/// XML that is well formed, laid out and coloured; comments, document type and the rest stay as they were written.
struct XMLText {
    /// What a piece of the text is.
    enum Kind {
        case start, empty, end, text, other
    }

    typealias Token = (kind: Kind, text: Substring)

    private let tokens: [Token]

    /// Takes the text apart, once it is fit to be shown; `nil` for bytes that are no well-formed XML.
    init?(_ bytes: [UInt8], charset: String?, cleaning clean: (String) -> String) {
        guard (try? XML(parsing: bytes, charset: charset)) != nil,
            let source = try? XML.source(of: bytes, charset: charset)
        else { return nil }
        tokens = XMLText.tokens(of: clean(source))
    }

    /// The text, laid out and coloured as asked.
    func written(formats: Bool, colors: Bool) -> String {
        let pieces = formats ? laidOut() : tokens
        return pieces.map { colors ? XMLColors.paint($0) : String($0.text) }.joined()
    }

    // MARK: Tokens

    private static func tokens(of source: String) -> [Token] {
        var tokens: [Token] = []
        var rest = source[...]
        while let first = rest.utf8.first {
            let end: Substring.Index
            let kind: Kind
            if first != UInt8(ascii: "<") {
                (kind, end) = (.text, rest.utf8.firstIndex(of: UInt8(ascii: "<")) ?? rest.endIndex)
            } else if rest.utf8.starts(with: "<!--".utf8) {
                (kind, end) = (.other, index(behind: "-->", in: rest))
            } else if rest.utf8.starts(with: "<![CDATA[".utf8) {
                (kind, end) = (.text, index(behind: "]]>", in: rest))
            } else if rest.utf8.starts(with: "<?".utf8) {
                (kind, end) = (.other, index(behind: "?>", in: rest))
            } else if rest.utf8.starts(with: "<!".utf8) {
                (kind, end) = (.other, indexBehindType(rest))
            } else {
                end = indexBehindTag(rest)
                kind =
                    rest.utf8.starts(with: "</".utf8)
                    ? .end : rest[..<end].utf8.suffix(2).elementsEqual("/>".utf8) ? .empty : .start
            }
            tokens.append((kind, rest[..<end]))
            rest = rest[end...]
        }
        return tokens
    }

    private static func index(behind mark: String, in text: Substring) -> Substring.Index {
        let mark = Array(mark.utf8)
        var place = text.startIndex
        while place < text.endIndex {
            if text.utf8[place...].starts(with: mark) { return text.utf8.index(place, offsetBy: mark.count) }
            place = text.utf8.index(after: place)
        }
        return text.endIndex
    }

    private static func indexBehindTag(_ text: Substring) -> Substring.Index {
        var quote: UInt8?
        for place in text.utf8.indices {
            let byte = text.utf8[place]
            if let open = quote {
                if byte == open { quote = nil }
            } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                quote = byte
            } else if byte == UInt8(ascii: ">") {
                return text.utf8.index(after: place)
            }
        }
        return text.endIndex
    }

    /// A document type ends where its brackets are closed; what was parsed has no others than those of its subset.
    private static func indexBehindType(_ text: Substring) -> Substring.Index {
        let subset = text.utf8.firstIndex(of: UInt8(ascii: "["))
        let tag = indexBehindTag(text)
        guard let subset, subset < tag else { return tag }
        return indexBehindTag(text[indexBehindSubset(text[subset...])...])
    }

    /// The place behind the bracket that closes a subset: not one in quotes, a comment or an instruction.
    private static func indexBehindSubset(_ text: Substring) -> Substring.Index {
        var rest = text
        var quote: UInt8?
        while let byte = rest.utf8.first {
            if quote == nil, rest.utf8.starts(with: "<!--".utf8) || rest.utf8.starts(with: "<?".utf8) {
                rest = rest[index(behind: rest.utf8.starts(with: "<?".utf8) ? "?>" : "-->", in: rest)...]
                continue
            }
            let next = rest.utf8.index(after: rest.startIndex)
            if let open = quote {
                if byte == open { quote = nil }
            } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                quote = byte
            } else if byte == UInt8(ascii: "]") {
                return next
            }
            rest = rest[next...]
        }
        return text.endIndex
    }

    // MARK: Layout

    /// The tokens with an indented line for each, but for elements that hold text: those stay as they are.
    private func laidOut() -> [Token] {
        let verbatim = verbatimStarts()
        var pieces: [Token] = []
        var depth = 0
        /// The depth below which nothing is touched.
        var frozen: Int?
        for (place, token) in tokens.enumerated() {
            if token.kind == .end { depth -= 1 }
            if frozen == nil {
                if token.kind == .text { continue }
                if !pieces.isEmpty { pieces.append((.text, "\n" + String(repeating: "  ", count: max(0, depth))[...])) }
                if verbatim.contains(place) { frozen = depth }
            } else if token.kind == .end, frozen == depth {
                frozen = nil
            }
            pieces.append(token)
            if token.kind == .start { depth += 1 }
        }
        return pieces
    }

    /// The places of the start tags whose elements hold text, or nothing but white space.
    private func verbatimStarts() -> Set<Int> {
        var verbatim: Set<Int> = []
        var open: [(place: Int, hasElement: Bool, hasText: Bool)] = []
        for (place, token) in tokens.enumerated() {
            switch token.kind {
            case .start:
                if !open.isEmpty { open[open.count - 1].hasElement = true }
                open.append((place, false, false))
            case .empty, .other:
                if !open.isEmpty { open[open.count - 1].hasElement = true }
            case .text:
                let isBlank = token.text.utf8.allSatisfy { $0 == 0x20 || (0x09...0x0D).contains($0) }
                if !open.isEmpty, !isBlank { open[open.count - 1].hasText = true }
            case .end:
                if let element = open.popLast(), element.hasText || !element.hasElement {
                    verbatim.insert(element.place)
                }
            }
        }
        return verbatim
    }
}

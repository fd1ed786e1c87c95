// SPDX-License-Identifier: Apache-2.0

/// The pieces of an XML document one by one: tags, text, and others, without making a tree.
struct XMLTokens {
    /// The kind of a piece.
    enum Kind {
        case start, empty, end, text, other
    }

    /// A piece and its position.
    typealias Token = (kind: Kind, place: Range<Int>)

    private let bytes: [UInt8]
    private var place = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// The next piece; `nil` at the end.
    mutating func next() -> Token? {
        guard place < bytes.count else { return nil }
        let start = place
        let kind: Kind
        if bytes[start] != UInt8(ascii: "<") {
            kind = .text
            while place < bytes.count, bytes[place] != UInt8(ascii: "<") { place += 1 }
        } else if stands("<!--") {
            kind = .other
            skip(behind: "-->")
        } else if stands("<![CDATA[") {
            kind = .text
            skip(behind: "]]>")
        } else if stands("<?") {
            kind = .other
            skip(behind: "?>")
        } else if stands("<!") {
            kind = .other
            skipTag(isType: true)
        } else {
            let isEnd = stands("</")
            skipTag()
            let isEmpty = place - start > 2 && bytes[place - 2] == UInt8(ascii: "/")
            kind = isEnd ? .end : isEmpty ? .empty : .start
        }
        return (kind, start..<place)
    }

    /// Skips to the end tag of an HTML element that contains only text; returns the text's position.
    mutating func skipText(of name: String) -> Range<Int> {
        let start = place
        let end = Array("</\(name)".utf8)
        while place < bytes.count {
            let next = bytes[place...].prefix(end.count)
            if bytes[place] == UInt8(ascii: "<"), next.map({ $0 | 0x20 }).elementsEqual(end.map { $0 | 0x20 }) { break }
            place += 1
        }
        return start..<place
    }

    private func stands(_ mark: StaticString) -> Bool {
        let count = mark.utf8CodeUnitCount
        guard bytes.count - place >= count else { return false }
        return (0..<count).allSatisfy { bytes[place + $0] == mark.utf8Start[$0] }
    }

    private mutating func skip(behind mark: StaticString) {
        while place < bytes.count {
            if stands(mark) {
                place += mark.utf8CodeUnitCount
                return
            }
            place += 1
        }
    }

    /// Skips to after the `>` that is neither in quotes nor in the brackets of a document type.
    private mutating func skipTag(isType: Bool = false) {
        var quote: UInt8?
        while place < bytes.count {
            let byte = bytes[place]
            place += 1
            if let open = quote {
                if byte == open { quote = nil }
            } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                quote = byte
            } else if byte == UInt8(ascii: ">") {
                return
            } else if isType, byte == UInt8(ascii: "[") {
                skipSubset()
            }
        }
    }

    /// Skips to after the bracket that closes a subset: not one in quotes, a comment or an instruction.
    private mutating func skipSubset() {
        var quote: UInt8?
        while place < bytes.count {
            if quote == nil, stands("<!--") || stands("<?") {
                skip(behind: stands("<?") ? "?>" : "-->")
                continue
            }
            let byte = bytes[place]
            place += 1
            if let open = quote {
                if byte == open { quote = nil }
            } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                quote = byte
            } else if byte == UInt8(ascii: "]") {
                return
            }
        }
    }
}

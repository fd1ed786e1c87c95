// SPDX-License-Identifier: Apache-2.0

/// The tokens of JSON text one by one, in the order of the grammar (RFC 8259), without making values.
///
/// Checks what formatting depends on: brackets, commas, colons and quotes. Digits and escapes are not checked.
struct JSONTokens {
    /// The kind of a token.
    enum Kind {
        case open, close, colon, comma, name, string, number, word
    }

    /// A token and its position.
    typealias Token = (kind: Kind, place: Range<Int>)

    private enum Expected {
        case value, valueOrEnd, name, nameOrEnd, colon, commaOrEnd, nothing
    }

    private let bytes: [UInt8]
    private let maximumDepth: Int
    private var place: Int
    private var expected = Expected.value
    /// For each open container, whether it is an object.
    private var open: [Bool] = []
    /// Whether the text is nested too deeply.
    private(set) var isTooDeep = false

    /// Whether the whole text was read, and was one value.
    var isWhole: Bool { place == bytes.count && expected == .nothing }
    /// How many containers are open.
    var depth: Int { open.count }

    init(_ bytes: [UInt8], maximumDepth: Int) {
        self.bytes = bytes
        self.maximumDepth = maximumDepth
        place = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    }

    /// The next token; `nil` at the end, and if the grammar allows none.
    mutating func next() -> Token? {
        while place < bytes.count, JSONTokens.isSpace(bytes[place]) { place += 1 }
        guard place < bytes.count else { return nil }
        let start = place
        guard let kind = kind(of: bytes[start]), accept(kind, closing: bytes[start]) else { return nil }
        switch kind {
        case .open, .close, .colon, .comma: place += 1
        case .name, .string:
            guard skipString() else {
                // Whatever follows, the text is not a complete value.
                expected = .value
                return nil
            }
        case .number: skip { $0 == 0x2B || $0 == 0x2D || $0 == 0x2E || $0 | 0x20 == 0x65 || 0x30...0x39 ~= $0 }
        case .word:
            skip { 0x61...0x7A ~= $0 }
            let word = bytes[start..<place]
            guard ["true", "false", "null"].contains(where: { word.elementsEqual($0.utf8) }) else {
                place = start
                return nil
            }
        }
        return (kind, start..<place)
    }

    private func kind(of byte: UInt8) -> Kind? {
        switch byte {
        case UInt8(ascii: "{"), UInt8(ascii: "["): .open
        case UInt8(ascii: "}"), UInt8(ascii: "]"): .close
        case UInt8(ascii: ":"): .colon
        case UInt8(ascii: ","): .comma
        case UInt8(ascii: "\""): expected == .name || expected == .nameOrEnd ? .name : .string
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): .number
        case UInt8(ascii: "a")...UInt8(ascii: "z"): .word
        default: nil
        }
    }

    /// Whether the grammar allows a token here; records what may follow it.
    private mutating func accept(_ kind: Kind, closing byte: UInt8) -> Bool {
        switch (kind, expected) {
        case (.open, .value), (.open, .valueOrEnd):
            guard open.count < maximumDepth else {
                isTooDeep = true
                return false
            }
            open.append(byte == UInt8(ascii: "{"))
            expected = byte == UInt8(ascii: "{") ? .nameOrEnd : .valueOrEnd
        case (.close, .valueOrEnd), (.close, .nameOrEnd), (.close, .commaOrEnd):
            guard open.popLast() == (byte == UInt8(ascii: "}")) else { return false }
            expected = open.isEmpty ? .nothing : .commaOrEnd
        case (.comma, .commaOrEnd): expected = open.last == true ? .name : .value
        case (.colon, .colon): expected = .value
        case (.name, _): expected = .colon
        case (.string, .value), (.string, .valueOrEnd), (.number, .value), (.number, .valueOrEnd), (.word, .value),
            (.word, .valueOrEnd):
            expected = open.isEmpty ? .nothing : .commaOrEnd
        default: return false
        }
        return true
    }

    private mutating func skip(while belongs: (UInt8) -> Bool) {
        while place < bytes.count, belongs(bytes[place]) { place += 1 }
    }

    /// Skips a string; control characters are not allowed in it.
    private mutating func skipString() -> Bool {
        place += 1
        while place < bytes.count {
            switch bytes[place] {
            case UInt8(ascii: "\""):
                place += 1
                return true
            case 0..<0x20: return false
            case UInt8(ascii: "\\"): place += 2
            default: place += 1
            }
        }
        place = bytes.count
        return false
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
    }
}

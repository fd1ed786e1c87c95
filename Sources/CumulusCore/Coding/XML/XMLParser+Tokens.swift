// SPDX-License-Identifier: Apache-2.0

extension XMLParser {
    // MARK: Bytes

    func byte(at index: Int) -> UInt8? { index < bytes.count ? bytes[index] : nil }

    func matches(_ text: StaticString) -> Bool {
        guard bytes.count - index >= text.utf8CodeUnitCount else { return false }
        return (0..<text.utf8CodeUnitCount).allSatisfy { bytes[index + $0] == text.utf8Start[$0] }
    }

    static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D }

    @discardableResult
    mutating func skipSpace() -> Bool {
        let start = index
        while index < bytes.count, XMLParser.isSpace(bytes[index]) { index += 1 }
        return index > start
    }

    /// Moves past the next occurrence of a text.
    mutating func skip(until text: StaticString) throws(Problem) {
        while index < bytes.count {
            if matches(text) {
                index += text.utf8CodeUnitCount
                return
            }
            index += 1
        }
        throw problem(.unexpectedEnd)
    }

    // MARK: What is left out

    /// Skips white space, comments, processing instructions, and the document type if it is allowed here.
    mutating func skipBetween(allowsType: Bool) throws(Problem) {
        var mayHaveType = allowsType
        while index < bytes.count {
            if skipSpace() { continue }
            if matches("<!--") {
                try skipComment()
            } else if matches("<?") {
                try skipInstruction()
            } else if mayHaveType, matches("<!DOCTYPE") {
                try skipType()
                mayHaveType = false
            } else {
                return
            }
        }
    }

    mutating func skipComment() throws(Problem) {
        index += 4
        try skip(until: "--")
        guard byte(at: index) == UInt8(ascii: ">") else { throw unexpected() }
        index += 1
    }

    mutating func skipInstruction() throws(Problem) {
        let start = index
        index += 2
        guard try name().lowercased() != "xml" else { throw problem(.unexpectedByte, at: start) }
        try skip(until: "?>")
    }

    /// Skips `<!DOCTYPE name SYSTEM "..." [...]>`; entity declarations are refused.
    private mutating func skipType() throws(Problem) {
        index += 9
        var depth = 0
        while let next = byte(at: index) {
            switch next {
            case UInt8(ascii: "\""), UInt8(ascii: "'"):
                index += 1
                while let inner = byte(at: index), inner != next { index += 1 }
                index += 1
            case UInt8(ascii: "["):
                depth += 1
                index += 1
            case UInt8(ascii: "]"):
                depth -= 1
                index += 1
            case UInt8(ascii: ">") where depth <= 0:
                index += 1
                return
            case UInt8(ascii: "<") where matches("<!--"): try skipComment()
            case UInt8(ascii: "<") where matches("<?"): try skipInstruction()
            case UInt8(ascii: "<") where matches("<!ENTITY"): throw problem(.entityDeclaration)
            case UInt8(ascii: "%") where depth > 0: throw problem(.entityDeclaration)
            default: index += 1
            }
        }
        throw problem(.unexpectedEnd)
    }

    // MARK: Names

    mutating func name() throws(Problem) -> String {
        let start = index
        while index < bytes.count {
            let (scalar, length) = scalar(at: index)
            guard index == start ? XMLName.canStart(scalar) : XMLName.canContinue(scalar) else { break }
            index += length
        }
        guard index > start else { throw unexpected() }
        return String(decoding: bytes[start..<index], as: UTF8.self)
    }

    /// The scalar at an index in text that was validated as UTF-8.
    private func scalar(at index: Int) -> (scalar: UInt32, length: Int) {
        let first = bytes[index]
        if first < 0x80 { return (UInt32(first), 1) }
        let length = first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
        var scalar = UInt32(first & (0x7F >> UInt8(length)))
        for next in bytes[(index + 1)...].prefix(length - 1) { scalar = scalar << 6 | UInt32(next & 0x3F) }
        return (scalar, length)
    }

    // MARK: Characters

    /// Text up to a byte, with references replaced and line ends normalized to line feeds.
    mutating func characters(
        inAttribute: Bool,
        upTo isEnd: (UInt8, Int) -> Bool
    ) throws(Problem) -> String {
        var text: [UInt8] = []
        while let next = byte(at: index), !isEnd(next, index) {
            switch next {
            case UInt8(ascii: "&"): try appendReference(to: &text)
            case UInt8(ascii: "<"): throw problem(.unexpectedByte)
            case UInt8(ascii: "]") where !inAttribute && matches("]]>"): throw problem(.unexpectedByte)
            case 0x0D:
                index += byte(at: index + 1) == 0x0A ? 2 : 1
                text.append(inAttribute ? 0x20 : 0x0A)
            case 0x09 where inAttribute, 0x0A where inAttribute:
                text.append(0x20)
                index += 1
            default:
                text.append(next)
                index += 1
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    private mutating func appendReference(to text: inout [UInt8]) throws(Problem) {
        let start = index
        let inner = bytes[(index + 1)...].prefix(16).prefix { byte in
            byte >= 0x80 || byte == UInt8(ascii: "#") || XMLName.canContinue(UInt32(byte))
        }
        guard byte(at: inner.endIndex) == UInt8(ascii: ";") else {
            throw problem(inner.endIndex == bytes.count ? .unexpectedEnd : .unknownEntity, at: start)
        }
        let name = String(decoding: inner, as: UTF8.self)
        index = inner.endIndex + 1
        let isNumber = inner.first == UInt8(ascii: "#")
        switch name {
        case "amp": text.append(UInt8(ascii: "&"))
        case "lt": text.append(UInt8(ascii: "<"))
        case "gt": text.append(UInt8(ascii: ">"))
        case "quot": text.append(UInt8(ascii: "\""))
        case "apos": text.append(UInt8(ascii: "'"))
        case _ where isNumber:
            let isHex = inner.dropFirst().first == UInt8(ascii: "x")
            let digits = inner.dropFirst(isHex ? 2 : 1)
            // `UInt32` would accept a sign.
            guard digits.allSatisfy({ $0 != UInt8(ascii: "+") && $0 != UInt8(ascii: "-") }),
                let value = UInt32(String(decoding: digits, as: UTF8.self), radix: isHex ? 16 : 10),
                let scalar = Unicode.Scalar(value),
                XMLName.isCharacter(value)
            else { throw problem(.invalidCharacterReference, at: start) }
            text.append(contentsOf: Array(String(Character(scalar)).utf8))
        default: throw problem(.unknownEntity, at: start)
        }
    }

    /// Character data with line ends normalized to line feeds.
    static func lines(_ bytes: Slice<UnsafeRawBufferPointer>) -> String {
        guard bytes.contains(0x0D) else { return String(decoding: bytes, as: UTF8.self) }
        var text: [UInt8] = []
        var isAfterReturn = false
        for byte in bytes {
            if byte == 0x0D { text.append(0x0A) } else if byte != 0x0A || !isAfterReturn { text.append(byte) }
            isAfterReturn = byte == 0x0D
        }
        return String(decoding: text, as: UTF8.self)
    }

    // MARK: UTF-8

    /// Refuses invalid UTF-8, and characters that XML doesn't allow.
    func checkCharacters() throws(Problem) {
        var place = 0
        while place < bytes.count {
            let first = bytes[place]
            if first < 0x80 {
                guard first >= 0x20 || XMLParser.isSpace(first) else { throw problem(.invalidCharacter, at: place) }
                place += 1
                continue
            }
            let length = first < 0xC2 ? 0 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : first < 0xF5 ? 4 : 0
            guard length > 0, place + length <= bytes.count,
                bytes[(place + 1)..<(place + length)].allSatisfy({ $0 & 0xC0 == 0x80 })
            else { throw problem(.invalidUTF8, at: place) }
            let scalar = scalar(at: place).scalar
            let isShortest = length == 2 || length == 3 && scalar >= 0x800 || length == 4 && scalar >= 0x10000
            guard isShortest, scalar <= 0x10FFFF, !(0xD800...0xDFFF).contains(scalar) else {
                throw problem(.invalidUTF8, at: place)
            }
            guard XMLName.isCharacter(scalar) else { throw problem(.invalidCharacter, at: place) }
            place += length
        }
    }
}

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
        guard matches("?>") || skipSpace() else { throw unexpected() }
        try skip(until: "?>")
    }

    // MARK: Names

    /// A name, or a token, which may begin with any of a name's characters.
    mutating func name(isToken: Bool = false) throws(Problem) -> String {
        let start = index
        while index < bytes.count {
            let (scalar, length) = scalar(at: index)
            guard index == start && !isToken ? XMLName.canStart(scalar) : XMLName.canContinue(scalar) else { break }
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
        if byte(at: index + 1) == UInt8(ascii: "#") { return try appendCharacter(to: &text) }
        let inner = bytes[(index + 1)...].prefix(16).prefix { $0 >= 0x80 || XMLName.canContinue(UInt32($0)) }
        guard byte(at: inner.endIndex) == UInt8(ascii: ";") else {
            throw problem(inner.endIndex == bytes.count ? .unexpectedEnd : .unknownEntity, at: start)
        }
        index = inner.endIndex + 1
        switch String(decoding: inner, as: UTF8.self) {
        case "amp": text.append(UInt8(ascii: "&"))
        case "lt": text.append(UInt8(ascii: "<"))
        case "gt": text.append(UInt8(ascii: ">"))
        case "quot": text.append(UInt8(ascii: "\""))
        case "apos": text.append(UInt8(ascii: "'"))
        default: throw problem(.unknownEntity, at: start)
        }
    }

    /// Reads `&#65;` or `&#x41;`, with any number of leading zeros.
    private mutating func appendCharacter(to text: inout [UInt8]) throws(Problem) {
        let start = index
        index += 2
        let isHex = byte(at: index) == UInt8(ascii: "x")
        if isHex { index += 1 }
        let first = index
        var value: UInt32 = 0
        while let next = byte(at: index), let digit = XMLParser.digit(next), isHex || digit < 10 {
            // Beyond Unicode it stays there.
            value = min(value * (isHex ? 16 : 10) + UInt32(digit), 0x110000)
            index += 1
        }
        guard index < bytes.count else { throw problem(.unexpectedEnd, at: start) }
        let end = bytes[index]
        guard end == UInt8(ascii: ";") || XMLName.canContinue(UInt32(end)) else {
            throw problem(.unknownEntity, at: start)
        }
        guard end == UInt8(ascii: ";"), index > first, XMLName.isCharacter(value),
            let scalar = Unicode.Scalar(value)
        else { throw problem(.invalidCharacterReference, at: start) }
        index += 1
        text.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
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

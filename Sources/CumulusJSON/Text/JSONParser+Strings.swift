// SPDX-License-Identifier: Apache-2.0

// Strings: runs of plain bytes are found eight at a time and turned into a string in one piece.

extension JSONParser {
    /// Reads a string from its opening quote, already consumed, through its closing quote.
    @inline(__always)
    mutating func string() throws(JSON.ParsingError) -> String {
        let first = cursor
        let isASCII = skipPlainBytes()
        guard cursor < end, cursor.pointee == UInt8(ascii: "\"") else { return try stringWithEscapes(from: first) }
        let plain = UnsafeBufferPointer(start: first, count: cursor - first)
        cursor += 1
        if isASCII { return String(decoding: plain, as: UTF8.self) }
        guard let string = Self.validString(plain) else { throw invalidUTF8(from: first) }
        return string
    }

    /// The bytes as a string, or `nil` if they are not UTF-8.
    @inline(never)
    private static func validString(_ bytes: UnsafeBufferPointer<UInt8>) -> String? {
        // `String(validating:as:)` isn't specialized and takes twice the time. Repairing changes invalid UTF-8.
        let string = String(decoding: bytes, as: UTF8.self)
        return string.hasBytes(UnsafeRawBufferPointer(bytes)) ? string : nil
    }

    /// Moves to the next quote, backslash or control character, or to the end; returns whether everything was surely
    /// ASCII.
    @inline(__always)
    @discardableResult
    private mutating func skipPlainBytes() -> Bool {
        var seen: UInt64 = 0
        let ones: UInt64 = 0x0101_0101_0101_0101
        let tops: UInt64 = 0x8080_8080_8080_8080
        while end - cursor >= 8 {
            let word = UInt64(littleEndian: UnsafeRawPointer(cursor).loadUnaligned(as: UInt64.self))
            let quotes = word ^ (ones &* 0x22)
            let backslashes = word ^ (ones &* 0x5C)
            // A byte's top bit is set if the subtraction borrows: the byte was 0, or below 0x20. Bytes above a hit may
            // be wrong, the lowest one never is.
            let hits =
                ((quotes &- ones) & ~quotes | (backslashes &- ones) & ~backslashes | (word &- ones &* 0x20) & ~word)
                & tops
            if hits != 0 {
                cursor += hits.trailingZeroBitCount >> 3
                // Only the part of this word before the hit.
                return (seen | word & ((hits & (0 &- hits)) &- 1)) & tops == 0
            }
            seen |= word
            cursor += 8
        }
        while cursor < end, cursor.pointee >= 0x20, cursor.pointee != UInt8(ascii: "\""),
            cursor.pointee != UInt8(ascii: "\\")
        {
            seen |= UInt64(cursor.pointee)
            cursor += 1
        }
        return seen & tops == 0
    }

    @inline(never)
    private mutating func stringWithEscapes(from first: UnsafePointer<UInt8>) throws(JSON.ParsingError) -> String {
        scratch.removeAll()
        var run = first
        while true {
            guard cursor < end else { throw error(.unexpectedEnd) }
            scratch.append(UnsafeBufferPointer(start: run, count: cursor - run))
            switch cursor.pointee {
            case UInt8(ascii: "\""):
                cursor += 1
                let text = UnsafeBufferPointer(start: scratch.base, count: scratch.count)
                guard let string = Self.validString(text) else { throw invalidUTF8(from: first) }
                return string
            case UInt8(ascii: "\\"):
                try escape()
            default:
                throw error(.controlCharacter)
            }
            run = cursor
            skipPlainBytes()
        }
    }

    /// Reads one escape sequence, or a pair of them for a surrogate pair, into `scratch`.
    private mutating func escape() throws(JSON.ParsingError) {
        let first = cursor
        guard end - cursor >= 2 else { throw error(.unexpectedEnd, at: end) }
        let kind = cursor[1]
        cursor += 2
        switch kind {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): scratch.append(kind)
        case UInt8(ascii: "b"): scratch.append(0x08)
        case UInt8(ascii: "f"): scratch.append(0x0C)
        case UInt8(ascii: "n"): scratch.append(0x0A)
        case UInt8(ascii: "r"): scratch.append(0x0D)
        case UInt8(ascii: "t"): scratch.append(0x09)
        case UInt8(ascii: "u"):
            var value = try fourHexDigits(of: first)
            if value & 0xFC00 == 0xD800 {
                guard end - cursor >= 2, cursor[0] == UInt8(ascii: "\\"), cursor[1] == UInt8(ascii: "u") else {
                    throw error(.loneSurrogate, at: first)
                }
                cursor += 2
                let low = try fourHexDigits(of: cursor - 2)
                guard low & 0xFC00 == 0xDC00 else { throw error(.loneSurrogate, at: first) }
                value = 0x10000 + (value & 0x3FF) << 10 + (low & 0x3FF)
            }
            guard let scalar = Unicode.Scalar(value) else { throw error(.loneSurrogate, at: first) }
            for byte in UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter { scratch.append(byte) }
        default:
            throw error(.invalidEscape, at: first)
        }
    }

    private mutating func fourHexDigits(of escape: UnsafePointer<UInt8>) throws(JSON.ParsingError) -> UInt32 {
        guard end - cursor >= 4 else { throw error(.unexpectedEnd, at: end) }
        var value: UInt32 = 0
        for _ in 0..<4 {
            let digit: UInt8
            switch cursor.pointee {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = cursor.pointee - UInt8(ascii: "0")
            case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = cursor.pointee - UInt8(ascii: "a") + 10
            case UInt8(ascii: "A")...UInt8(ascii: "F"): digit = cursor.pointee - UInt8(ascii: "A") + 10
            default: throw error(.invalidEscape, at: escape)
            }
            value = value << 4 | UInt32(digit)
            cursor += 1
        }
        return value
    }

    /// The error for a string whose bytes are not UTF-8, at the first of them.
    @inline(never)
    private func invalidUTF8(from first: UnsafePointer<UInt8>) -> JSON.ParsingError {
        var decoder = Unicode.UTF8.ForwardParser()
        var rest = UnsafeBufferPointer(start: first, count: cursor - first).makeIterator()
        var place = first
        while case .valid(let scalar) = decoder.parseScalar(from: &rest) { place += scalar.count }
        return error(.invalidUTF8, at: place)
    }
}

// SPDX-License-Identifier: Apache-2.0

// Strings in quotes. Only the characters that RFC 8259, section 7 requires are escaped.

extension JSONStack<UInt8> {
    /// Appends a string in quotes.
    @inline(__always)
    mutating func append(quoting string: String) {
        let isAppended: Void? = string.utf8.withContiguousStorageIfAvailable { append(quoting: $0) }
        if isAppended == nil { Array(string.utf8).withUnsafeBufferPointer { append(quoting: $0) } }
    }

    /// Copies bytes, eight at a time, with an escape for each that needs one.
    @inline(never)
    private mutating func append(quoting bytes: UnsafeBufferPointer<UInt8>) {
        let source = UnsafeRawBufferPointer(bytes)
        let end = bytes.count
        var place = 0
        append(UInt8(ascii: "\""))
        while true {
            // The last word may be longer than the bytes.
            reserve(end - place + 9)
            var target = UnsafeMutableRawPointer(base + count)
            var escapes: UInt64 = 0
            while place &+ 8 <= end {
                let word = UInt64(littleEndian: source.loadUnaligned(fromByteOffset: place, as: UInt64.self))
                target.storeBytes(of: word.littleEndian, as: UInt64.self)
                escapes = Self.escapes(in: word)
                if escapes != 0 { break }
                place &+= 8
                target += 8
            }
            if escapes == 0 {
                // The zeros after the last bytes count as such that must be escaped.
                let word = Self.lastWord(of: source, from: place, to: end)
                target.storeBytes(of: word.littleEndian, as: UInt64.self)
                escapes = Self.escapes(in: word)
            }
            let plain = escapes.trailingZeroBitCount / 8
            place &+= plain
            target += plain
            advance(to: target)
            guard place < end else { break }
            appendEscape(of: bytes[place])
            place &+= 1
        }
        append(UInt8(ascii: "\""))
    }

    /// The last bytes, fewer than eight, followed by zeros.
    @inline(__always)
    private static func lastWord(of bytes: UnsafeRawBufferPointer, from place: Int, to end: Int) -> UInt64 {
        if place == end { return 0 }
        if end >= 8 {
            let stored = bytes.loadUnaligned(fromByteOffset: end &- 8, as: UInt64.self)
            return UInt64(littleEndian: stored) &>> UInt64(truncatingIfNeeded: 8 &* (8 &- (end &- place)))
        }
        var word: UInt64 = 0
        for offset in (place..<end).reversed() { word = word << 8 | UInt64(bytes[offset]) }
        return word
    }

    /// The highest bit of each byte that must be escaped; only the lowest of these bits is certain.
    @inline(__always)
    private static func escapes(in word: UInt64) -> UInt64 {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let quotes = (word ^ (ones &* 0x22)) &- ones
        let backslashes = (word ^ (ones &* 0x5C)) &- ones
        let controls = word &- (ones &* 0x20)
        // As in the parser: a borrow reaches only the bytes above.
        return (quotes | backslashes | controls) & ~word & (ones &* 0x80)
    }

    @inline(never)
    private mutating func appendEscape(of byte: UInt8) {
        append(UInt8(ascii: "\\"))
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): append(byte)
        case 0x08: append(UInt8(ascii: "b"))
        case 0x09: append(UInt8(ascii: "t"))
        case 0x0A: append(UInt8(ascii: "n"))
        case 0x0C: append(UInt8(ascii: "f"))
        case 0x0D: append(UInt8(ascii: "r"))
        default:
            append(UInt8(ascii: "u"))
            append(UInt8(ascii: "0"))
            append(UInt8(ascii: "0"))
            append(byte < 0x10 ? UInt8(ascii: "0") : UInt8(ascii: "1"))
            let digit = byte & 0x0F
            append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
        }
    }
}

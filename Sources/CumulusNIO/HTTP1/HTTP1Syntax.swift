// SPDX-License-Identifier: Apache-2.0

/// The byte classes of RFC 9110 section 5.6 that the codec uses, and case-insensitive comparisons.
enum HTTP1Syntax {
    static let carriageReturn = UInt8(ascii: "\r")
    static let lineFeed = UInt8(ascii: "\n")
    static let space = UInt8(ascii: " ")
    static let tab = UInt8(ascii: "\t")
    static let colon = UInt8(ascii: ":")

    /// Whether the byte is allowed in a token: a method or a field name.
    @inline(__always)
    static func isToken(_ byte: UInt8) -> Bool {
        // One bit for each ASCII character.
        let low: UInt64 = 0x03ff_6cfa_0000_0000
        let high: UInt64 = 0x57ff_ffff_c7ff_fffe
        if byte < 64 { return low >> UInt64(byte) & 1 == 1 }
        return byte < 128 && high >> UInt64(byte - 64) & 1 == 1
    }

    /// Whether the byte is allowed inside a field value or a reason phrase.
    @inline(__always)
    static func isFieldText(_ byte: UInt8) -> Bool {
        (byte >= space && byte != 0x7f) || byte == tab
    }

    /// The position of the first byte that is not allowed in a field value; `nil` if there is none.
    static func firstNoFieldText(in bytes: UnsafeRawBufferPointer) -> Int? {
        firstNoFieldText(in: bytes, from: 0, to: bytes.count)
    }

    /// The same for a part of the bytes.
    ///
    /// Eight bytes at a time, since each head's fields are checked here; the last eight may overlap.
    static func firstNoFieldText(in bytes: UnsafeRawBufferPointer, from start: Int, to end: Int) -> Int? {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let tops: UInt64 = 0x8080_8080_8080_8080
        var index = start
        while index + 8 <= end {
            let word = bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)
            let deleted = word ^ (ones &* 0x7f)
            // Bytes below a space, and bytes that became zero. A borrow can mark the byte above a match.
            let isBelow = (word &- ones &* 0x20) & ~word & tops
            let isZero = (deleted &- ones) & ~deleted & tops
            let isSuspect = isBelow | isZero != 0
            if isSuspect, let found = firstNoFieldTextByte(in: bytes, from: index, to: index + 8) { return found }
            if index + 8 == end { return nil }
            index = min(index + 8, end - 8)
        }
        return firstNoFieldTextByte(in: bytes, from: index, to: end)
    }

    private static func firstNoFieldTextByte(in bytes: UnsafeRawBufferPointer, from start: Int, to end: Int) -> Int? {
        var index = start
        while index < end, isFieldText(bytes[index]) { index += 1 }
        return index < end ? index : nil
    }

    /// The end of the token that begins at a position.
    ///
    /// Eight bytes at a time as long as they are letters and hyphens, as almost all field names are.
    @inline(__always)
    static func endOfToken(in bytes: UnsafeRawBufferPointer, from start: Int, to end: Int) -> Int {
        var index = start
        while index + 8 <= end {
            // The first byte in the lowest bits.
            let word = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self))
            let others = ~(letters(in: word) | marks(in: word, 0x2d...0x2d)) & topBits
            if others != 0 {
                index += others.trailingZeroBitCount / 8
                break
            }
            index += 8
        }
        while index < end, isToken(bytes[index]) { index += 1 }
        return index
    }

    /// Whether the bytes are a token, which has at least one byte.
    @inline(__always)
    static func isToken(_ bytes: UnsafeRawBufferPointer) -> Bool {
        !bytes.isEmpty && endOfToken(in: bytes, from: 0, to: bytes.count) == bytes.count
    }

    private static let topBits: UInt64 = 0x8080_8080_8080_8080

    /// The top bit of each of eight bytes that is in a range of ASCII characters, none of which is zero.
    @inline(__always)
    static func marks(in word: UInt64, _ range: ClosedRange<UInt8>) -> UInt64 {
        let ones: UInt64 = 0x0101_0101_0101_0101
        // Only bytes below 128 are meant, so that nothing is carried.
        let ascii = word & ~topBits
        let isHighEnough = ascii &+ ones &* UInt64(0x80 &- range.lowerBound)
        let isTooHigh = ascii &+ ones &* UInt64(0x7f &- range.upperBound)
        return isHighEnough & ~isTooHigh & ~word & topBits
    }

    /// The top bit of each of eight bytes that is a letter.
    @inline(__always)
    static func letters(in word: UInt64) -> UInt64 { marks(in: word | 0x2020_2020_2020_2020, 0x61...0x7a) }

    /// Whether all bytes of a text are allowed.
    ///
    /// They are checked eight at a time: `marked` returns the top bit of each byte that is certainly allowed. Where that
    /// isn't enough, `isAllowed` decides about each byte.
    @inline(__always)
    static func areAllowed(
        _ bytes: UnsafeRawBufferPointer,
        marked: (UInt64) -> UInt64,
        _ isAllowed: (UInt8) -> Bool
    ) -> Bool {
        var index = 0
        while index + 8 <= bytes.count {
            let word = bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)
            if marked(word) != topBits { break }
            if index + 8 == bytes.count { return true }
            // The last eight may overlap.
            index = min(index + 8, bytes.count - 8)
        }
        while index < bytes.count {
            if !isAllowed(bytes[index]) { return false }
            index += 1
        }
        return true
    }

    /// Whether the byte is optional white space.
    @inline(__always)
    static func isBlank(_ byte: UInt8) -> Bool {
        byte == space || byte == tab
    }

    /// The value of an ASCII digit; `nil` for other bytes.
    @inline(__always)
    static func digit(_ byte: UInt8) -> Int? {
        byte &- 0x30 < 10 ? Int(byte &- 0x30) : nil
    }

    /// The value of a hexadecimal digit in either case; `nil` for other bytes.
    @inline(__always)
    static func hexDigit(_ byte: UInt8) -> Int? {
        if byte &- 0x30 < 10 { return Int(byte &- 0x30) }
        let lowered = byte | 0x20
        return lowered &- 0x61 < 6 ? Int(lowered &- 0x61 + 10) : nil
    }

    /// Whether the bytes are a lower-case ASCII word, ignoring case.
    @inline(__always)
    static func matches(_ bytes: Slice<UnsafeRawBufferPointer>, _ word: StaticString) -> Bool {
        let (base, start, count) = (bytes.base, bytes.startIndex, word.utf8CodeUnitCount)
        guard bytes.count == count else { return false }
        let expected = UnsafeRawBufferPointer(start: word.utf8Start, count: count)
        var index = 0
        // Eight bytes at a time; the last eight may overlap.
        while index + 8 <= count {
            let own = base.loadUnaligned(fromByteOffset: start + index, as: UInt64.self)
            if lowered(own) != expected.loadUnaligned(fromByteOffset: index, as: UInt64.self) { return false }
            index = index + 8 == count ? count : min(index + 8, count - 8)
        }
        while index < count {
            let byte = base[start + index]
            if (byte &- 0x41 < 26 ? byte | 0x20 : byte) != expected[index] { return false }
            index += 1
        }
        return true
    }

    /// Eight bytes with their ASCII capitals in lower case.
    @inline(__always)
    private static func lowered(_ word: UInt64) -> UInt64 {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let tops: UInt64 = 0x8080_8080_8080_8080
        // The top bit of each byte: whether it is at least `A`, or more than `Z`.
        let low = word & ~tops
        let isCapital = ((low &+ ones &* 0x3f) ^ (low &+ ones &* 0x25)) & ~word & tops
        return word | isCapital >> 2
    }

    /// Removes optional white space from both ends.
    @inline(__always)
    static func trimmed(_ bytes: Slice<UnsafeRawBufferPointer>) -> Slice<UnsafeRawBufferPointer> {
        let base = bytes.base
        var low = bytes.startIndex
        var high = bytes.endIndex
        while low < high, isBlank(base[low]) { low += 1 }
        while high > low, isBlank(base[high - 1]) { high -= 1 }
        return base[low..<high]
    }

    /// Calls `body` with each element of a comma-separated list, trimmed, without empty ones.
    @inline(__always)
    static func forEachElement<Failure: Error>(
        of list: Slice<UnsafeRawBufferPointer>,
        _ body: (Slice<UnsafeRawBufferPointer>) throws(Failure) -> Void
    ) throws(Failure) {
        let (base, last) = (list.base, list.endIndex)
        var start = list.startIndex
        var index = start
        while true {
            if index == last || base[index] == UInt8(ascii: ",") {
                let element = trimmed(base[start..<index])
                if !element.isEmpty { try body(element) }
                if index == last { return }
                start = index + 1
            }
            index += 1
        }
    }

    /// Calls `body` with each token in a text, regardless of the separators.
    @inline(__always)
    static func forEachWord(
        of text: Slice<UnsafeRawBufferPointer>,
        _ body: (Slice<UnsafeRawBufferPointer>) -> Void
    ) {
        let (base, last) = (text.base, text.endIndex)
        var start = text.startIndex
        while start < last {
            var end = start
            while end < last, isToken(base[end]) { end += 1 }
            if end > start { body(base[start..<end]) }
            start = end + 1
        }
    }
}

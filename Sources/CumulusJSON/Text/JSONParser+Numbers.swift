// SPDX-License-Identifier: Apache-2.0

// Numbers: integers are computed in place, all others are checked and kept as text.

extension JSONParser {
    /// Reads a number at the cursor.
    @inline(__always)
    mutating func number() throws(JSON.ParsingError) -> JSON.Number {
        let first = cursor
        let isNegative = cursor.pointee == UInt8(ascii: "-")
        if isNegative { cursor += 1 }
        let digits = cursor
        var magnitude: UInt64 = 0
        while cursor < end, cursor.pointee &- UInt8(ascii: "0") < 10 {
            magnitude = magnitude &* 10 &+ UInt64(cursor.pointee &- UInt8(ascii: "0"))
            cursor += 1
        }
        let count = cursor - digits
        // 18 digits can't overflow. "-0" stays text, for its sign.
        guard count > 0, count <= 18, count == 1 || digits.pointee != UInt8(ascii: "0"), !isNegative || magnitude != 0,
            cursor == end || !Self.continuesNumber(cursor.pointee)
        else { return try otherNumber(from: first, digits: digits) }
        let signed = Int64(truncatingIfNeeded: magnitude)
        return JSON.Number(storage: .signed(isNegative ? 0 &- signed : signed))
    }

    /// Reads a number that makes up the whole text.
    mutating func loneNumber() throws(JSON.ParsingError) -> JSON.Number {
        guard cursor < end else { throw error(.unexpectedEnd) }
        let number = try number()
        guard cursor == end else { throw error(.trailingBytes) }
        return number
    }

    private static func continuesNumber(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: ".") || byte | 0x20 == UInt8(ascii: "e")
    }

    /// Checks the remaining characters of a number whose integer digits end at the cursor.
    @inline(never)
    private mutating func otherNumber(
        from first: UnsafePointer<UInt8>,
        digits: UnsafePointer<UInt8>
    ) throws(JSON.ParsingError) -> JSON.Number {
        guard cursor > digits else { throw cursor < end ? error(.invalidNumber) : error(.unexpectedEnd) }
        guard cursor - digits == 1 || digits.pointee != UInt8(ascii: "0") else {
            throw error(.invalidNumber, at: digits)
        }
        var isInteger = first == digits || digits.pointee != UInt8(ascii: "0")
        if cursor < end, cursor.pointee == UInt8(ascii: ".") {
            isInteger = false
            cursor += 1
            try someDigits()
        }
        if cursor < end, cursor.pointee | 0x20 == UInt8(ascii: "e") {
            isInteger = false
            cursor += 1
            if cursor < end, cursor.pointee == UInt8(ascii: "+") || cursor.pointee == UInt8(ascii: "-") { cursor += 1 }
            try someDigits()
        }
        let text = String(decoding: UnsafeBufferPointer(start: first, count: cursor - first), as: UTF8.self)
        if isInteger {
            if let signed = Int64(text) { return JSON.Number(storage: .signed(signed)) }
            if let unsigned = UInt64(text) { return JSON.Number(storage: .unsigned(unsigned)) }
        }
        return JSON.Number(storage: .text(text))
    }

    private mutating func someDigits() throws(JSON.ParsingError) {
        let first = cursor
        while cursor < end, cursor.pointee &- UInt8(ascii: "0") < 10 { cursor += 1 }
        guard cursor > first else { throw cursor < end ? error(.invalidNumber) : error(.unexpectedEnd) }
    }
}

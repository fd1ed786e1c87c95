// SPDX-License-Identifier: Apache-2.0

/// Writes a `JSON` as UTF-8 into one growing buffer.
struct JSONWriter: ~Copyable {
    private var output = JSONStack<UInt8>(capacity: 1024)
    private let isPretty: Bool
    private let sortsKeys: Bool
    private var depth = 0

    init(_ options: JSON.WritingOptions) {
        isPretty = options.contains(.prettyPrinted)
        sortsKeys = options.contains(.sortedKeys)
    }

    /// Returns everything written so far; the writer is then empty.
    mutating func take() -> [UInt8] { output.take() }

    mutating func write(_ value: JSON) {
        switch value {
        case .null: write(literal: "null")
        case .bool(let bool): write(literal: bool ? "true" : "false")
        case .number(let number): write(number)
        case .string(let string): write(string)
        case .array(let array): write(array)
        case .object(let object): write(object)
        }
    }

    private mutating func write(_ array: [JSON]) {
        output.append(UInt8(ascii: "["))
        depth += 1
        var isFirst = true
        for value in array {
            separate(&isFirst)
            write(value)
        }
        depth -= 1
        if !isFirst { breakLine() }
        output.append(UInt8(ascii: "]"))
    }

    private mutating func write(_ object: JSON.Object) {
        output.append(UInt8(ascii: "{"))
        depth += 1
        var isFirst = true
        let keys = object.shape.keys
        if sortsKeys {
            for position in keys.indices.sorted(by: { keys[$0].utf8.lexicographicallyPrecedes(keys[$1].utf8) }) {
                write(keys[position], object.storedValues[position], &isFirst)
            }
        } else {
            for position in keys.indices { write(keys[position], object.storedValues[position], &isFirst) }
        }
        depth -= 1
        if !isFirst { breakLine() }
        output.append(UInt8(ascii: "}"))
    }

    @inline(__always)
    private mutating func write(_ key: String, _ value: JSON, _ isFirst: inout Bool) {
        separate(&isFirst)
        write(key)
        output.append(UInt8(ascii: ":"))
        if isPretty { output.append(UInt8(ascii: " ")) }
        write(value)
    }

    private mutating func write(_ number: JSON.Number) {
        switch number.storage {
        case .signed(let integer):
            if integer < 0 { output.append(UInt8(ascii: "-")) }
            write(integer.magnitude)
        case .unsigned(let integer):
            write(integer)
        case .double, .text:
            var text = number.text
            text.withUTF8 { output.append($0) }
        }
    }

    private mutating func write(_ integer: UInt64) {
        var count = 1
        var rest = integer
        while rest >= 10 {
            rest /= 10
            count += 1
        }
        // No integer of 64 bits has more than 20 digits.
        output.append(upTo: 20) { target in
            var rest = integer
            for place in (0..<count).reversed() {
                target[place] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
                rest /= 10
            }
            return count
        }
    }

    private mutating func write(literal: StaticString) {
        output.append(UnsafeBufferPointer(start: literal.utf8Start, count: literal.utf8CodeUnitCount))
    }

    @inline(__always)
    private mutating func separate(_ isFirst: inout Bool) {
        if !isFirst { output.append(UInt8(ascii: ",")) }
        isFirst = false
        breakLine()
    }

    @inline(__always)
    private mutating func breakLine() {
        guard isPretty else { return }
        output.append(UInt8(ascii: "\n"))
        for _ in 0..<depth {
            output.append(UInt8(ascii: " "))
            output.append(UInt8(ascii: " "))
        }
    }
}

extension JSONWriter {
    @inline(__always)
    private mutating func write(_ string: String) {
        output.append(UInt8(ascii: "\""))
        let isWritten: Void? = string.utf8.withContiguousStorageIfAvailable { write(escaping: $0) }
        if isWritten == nil { Array(string.utf8).withUnsafeBufferPointer { write(escaping: $0) } }
        output.append(UInt8(ascii: "\""))
    }

    /// Copies bytes, with an escape for each that needs one.
    @inline(__always)
    private mutating func write(escaping bytes: UnsafeBufferPointer<UInt8>) {
        var place = copyPlain(bytes, from: 0)
        while place < bytes.count {
            writeEscape(bytes[place])
            place = copyPlain(bytes, from: place + 1)
        }
    }

    /// Copies bytes up to the first that must be escaped, eight at a time; returns its position or the end.
    @inline(__always)
    private mutating func copyPlain(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let raw = UnsafeRawBufferPointer(bytes)
        var offset = start
        output.append(upTo: raw.count - start) { target in
            let target = UnsafeMutableRawPointer(target)
            while offset + 8 <= raw.count {
                let stored = raw.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
                let word = UInt64(littleEndian: stored)
                let quotes = word ^ (ones &* 0x22)
                let backslashes = word ^ (ones &* 0x5C)
                // As in the parser; no byte is treated as plain by mistake.
                let hits =
                    ((quotes &- ones) & ~quotes | (backslashes &- ones) & ~backslashes | (word &- ones &* 0x20) & ~word)
                    & (ones &* 0x80)
                if hits != 0 { break }
                target.storeBytes(of: stored, toByteOffset: offset - start, as: UInt64.self)
                offset += 8
            }
            while offset < raw.count, Self.isPlain(raw[offset]) {
                target.storeBytes(of: raw[offset], toByteOffset: offset - start, as: UInt8.self)
                offset += 1
            }
            return offset - start
        }
        return offset
    }

    @inline(__always)
    private static func isPlain(_ byte: UInt8) -> Bool {
        byte >= 0x20 && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
    }

    @inline(never)
    private mutating func writeEscape(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "\""): write(literal: "\\\"")
        case UInt8(ascii: "\\"): write(literal: "\\\\")
        case 0x08: write(literal: "\\b")
        case 0x09: write(literal: "\\t")
        case 0x0A: write(literal: "\\n")
        case 0x0C: write(literal: "\\f")
        case 0x0D: write(literal: "\\r")
        default:
            write(literal: "\\u00")
            output.append(byte < 0x10 ? UInt8(ascii: "0") : UInt8(ascii: "1"))
            let digit = byte & 0x0F
            output.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
        }
    }
}

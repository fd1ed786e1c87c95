// SPDX-License-Identifier: Apache-2.0

/// Writes a `JSON` as UTF-8 into one growing buffer.
struct JSONWriter: ~Copyable {
    private var output = JSONStack<UInt8>(capacity: 1024)
    private let isPretty: Bool
    private let sortsKeys: Bool
    private var depth = 0
    private var shapeTexts = JSONShapeTexts()

    init(_ options: JSON.WritingOptions) {
        isPretty = options.contains(.prettyPrinted)
        sortsKeys = options.contains(.sortedKeys)
    }

    /// Returns everything written so far; the writer is then empty.
    mutating func take() -> [UInt8] { output.take() }

    @inline(__always)
    mutating func append(_ byte: UInt8) { output.append(byte) }

    /// Appends bytes that need no escapes.
    @inline(__always)
    mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) { output.append(bytes) }

    mutating func write(_ value: JSON) {
        switch value {
        case .null: writeNull()
        case .bool(let bool): write(bool)
        case .number(let number): write(number)
        case .string(let string): write(string)
        case .array(let array): write(array)
        case .object(let object): write(object)
        }
    }

    private mutating func write(_ array: [JSON]) {
        append(UInt8(ascii: "["))
        depth += 1
        var isFirst = true
        for element in array {
            separate(&isFirst)
            write(element)
        }
        depth -= 1
        if !isFirst { breakLine() }
        append(UInt8(ascii: "]"))
    }

    /// Writes an array of plain values, compactly.
    @inline(__always)
    mutating func write<Element>(_ array: [Element], _ writeElement: (inout JSONWriter, Element) -> Void) {
        append(UInt8(ascii: "["))
        var isFirst = true
        for element in array {
            if !isFirst { append(UInt8(ascii: ",")) }
            isFirst = false
            writeElement(&self, element)
        }
        append(UInt8(ascii: "]"))
    }

    private mutating func write(_ object: JSON.Object) {
        append(UInt8(ascii: "{"))
        depth += 1
        if isPretty || sortsKeys { writeMembers(object) } else { writeCompactMembers(object) }
        depth -= 1
        if !object.isEmpty { breakLine() }
        append(UInt8(ascii: "}"))
    }

    private mutating func writeMembers(_ object: JSON.Object) {
        var isFirst = true
        let keys = object.shape.keys
        var positions = Array(keys.indices)
        if sortsKeys { positions.sort { keys[$0].utf8.lexicographicallyPrecedes(keys[$1].utf8) } }
        for position in positions {
            separate(&isFirst)
            write(keys[position])
            append(UInt8(ascii: ":"))
            if isPretty { append(UInt8(ascii: " ")) }
            write(object.storedValues[position])
        }
    }

    private mutating func writeCompactMembers(_ object: JSON.Object) {
        let first = shapeTexts.first(of: object.shape)
        for position in object.storedValues.indices {
            if let first {
                append(shapeTexts.text(first &+ position, isFirst: position == 0))
            } else {
                if position > 0 { append(UInt8(ascii: ",")) }
                write(object.shape.keys[position])
                append(UInt8(ascii: ":"))
            }
            write(object.storedValues[position])
        }
    }

    mutating func write(_ string: String) { output.append(quoting: string) }

    mutating func write(_ number: JSON.Number) {
        switch number.storage {
        case .signed(let integer): write(integer)
        case .unsigned(let integer): write(integer)
        case .double, .text:
            var text = number.text
            text.withUTF8 { append($0) }
        }
    }

    mutating func write(_ integer: Int64) {
        if integer < 0 { append(UInt8(ascii: "-")) }
        write(integer.magnitude)
    }

    mutating func write(_ integer: UInt64) {
        // No integer of 64 bits has more than 20 digits: they are written backwards, in pairs, and then moved.
        output.append(upTo: 40) { target in
            let end = UnsafeMutableRawPointer(target + 40)
            var offset = 0
            var rest = integer
            while rest >= 10 {
                let pair = UInt16(truncatingIfNeeded: rest % 100)
                rest /= 100
                offset -= 2
                let digits = 0x3030 | (pair / 10) | ((pair % 10) << 8)
                (end + offset).storeBytes(of: digits.littleEndian, as: UInt16.self)
            }
            if rest > 0 || offset == 0 {
                offset -= 1
                (end + offset).storeBytes(of: UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest), as: UInt8.self)
            }
            UnsafeMutableRawPointer(target).copyMemory(from: end + offset, byteCount: -offset)
            return -offset
        }
    }

    @inline(__always)
    mutating func writeNull() { output.append(0x6C6C_756E, count: 4) }

    @inline(__always)
    mutating func write(_ bool: Bool) {
        output.append(bool ? 0x6575_7274 : 0x65_736C_6166, count: bool ? 4 : 5)
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

// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Writes a binary property list of values that were read from one: bounded in depth, numbers of 64 bits.
struct BinaryPropertyListWriter {
    private var bytes = Array("bplist00".utf8)
    private var offsets: [Int] = []
    private let referenceSize: Int
    /// The keys that were written, by their number: most dictionaries of a list have the same.
    private var keys: [String: Int] = [:]

    private init(referenceSize: Int) { self.referenceSize = referenceSize }

    static func bytes(of list: PropertyList) -> [UInt8] {
        var writer = BinaryPropertyListWriter(referenceSize: size(of: UInt64(count(list))))
        let root = writer.write(list)
        return writer.finish(root: root)
    }

    private static func count(_ list: PropertyList) -> Int {
        switch list {
        case .array(let values): values.reduce(1) { $0 + count($1) }
        case .dictionary(let members): members.values.reduce(1 + members.count) { $0 + count($1) }
        default: 1
        }
    }

    /// How many bytes a number needs.
    private static func size(of number: UInt64) -> Int { max(1, (71 - number.leadingZeroBitCount) / 8) }

    private mutating func finish(root: Int) -> [UInt8] {
        let table = bytes.count
        let offsetSize = BinaryPropertyListWriter.size(of: UInt64(table))
        for offset in offsets { append(UInt64(offset), offsetSize) }
        bytes += [0, 0, 0, 0, 0, 0, UInt8(offsetSize), UInt8(referenceSize)]
        for number in [offsets.count, root, table] { append(UInt64(number), 8) }
        return bytes
    }

    /// Writes a value and all that is in it, and gives its number.
    private mutating func write(_ list: PropertyList) -> Int {
        switch list {
        case .array(let values): return write(values.map { write($0) }, kind: 0xA, count: values.count)
        case .dictionary(let members):
            // One order for both.
            let pairs = Array(members)
            let references = pairs.map { write(key: $0.key) } + pairs.map { write($0.value) }
            return write(references, kind: 0xD, count: pairs.count)
        default:
            offsets.append(bytes.count)
            writeScalar(list)
            return offsets.count - 1
        }
    }

    private mutating func write(key: String) -> Int {
        if let known = keys[key] { return known }
        let number = write(.string(key))
        keys[key] = number
        return number
    }

    private mutating func write(_ references: [Int], kind: UInt8, count: Int) -> Int {
        offsets.append(bytes.count)
        mark(kind, count)
        for reference in references { append(UInt64(reference), referenceSize) }
        return offsets.count - 1
    }

    private mutating func writeScalar(_ value: PropertyList) {
        switch value {
        case .bool(let value): bytes.append(value ? 0x09 : 0x08)
        case .real(let value):
            bytes.append(0x23)
            append(value.bitPattern, 8)
        case .date(let value):
            bytes.append(0x33)
            append(value.timeIntervalSinceReferenceDate.bitPattern, 8)
        case .integer(let value): writeInteger(value)
        case .data(let data):
            mark(0x4, data.count)
            bytes += data
        case .string(let text):
            if text.utf8.allSatisfy({ $0 < 0x80 }) {
                mark(0x5, text.utf8.count)
                bytes += text.utf8
            } else {
                mark(0x6, text.utf16.count)
                for unit in text.utf16 { append(UInt64(unit), 2) }
            }
        case .array, .dictionary: break
        }
    }

    private mutating func writeInteger(_ value: Int128) {
        let low = UInt64(truncatingIfNeeded: value)
        if value < 0 || value > 0xFFFF_FFFF && value <= Int128(Int64.max) {
            bytes.append(0x13)
            append(low, 8)
        } else if value > Int128(Int64.max) {
            bytes.append(0x14)
            append(0, 8)
            append(low, 8)
        } else {
            let power: UInt8 = value <= 0xFF ? 0 : value <= 0xFFFF ? 1 : 2
            bytes.append(0x10 | power)
            append(low, 1 << Int(power))
        }
    }

    /// The byte that tells an object's kind and how many units it has.
    private mutating func mark(_ kind: UInt8, _ count: Int) {
        if count < 0xF {
            bytes.append(kind << 4 | UInt8(count))
        } else {
            bytes.append(kind << 4 | 0xF)
            bytes.append(0x13)
            append(UInt64(count), 8)
        }
    }

    /// A number, big-endian.
    private mutating func append(_ number: UInt64, _ size: Int) {
        for shift in stride(from: (size - 1) * 8, through: 0, by: -8) {
            bytes.append(UInt8(truncatingIfNeeded: number >> UInt64(shift)))
        }
    }
}

// SPDX-License-Identifier: Apache-2.0

import CumulusCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Reads a binary property list (`bplist00`): a table of objects that refer to each other by number.
///
/// Objects may refer to themselves, or many to the same one: depth and the size of the result are limited.
struct BinaryPropertyList {
    private let bytes: UnsafeRawBufferPointer
    private let offsetSize: Int
    private let referenceSize: Int
    private let objectCount: Int
    private let root: Int
    private let table: Int
    /// The scalars read so far, by their number: one that is referenced often is stored once.
    private var known: [Int: PropertyList] = [:]
    /// How many bytes of values the result may still get.
    private var budget: Int

    init(_ bytes: UnsafeRawBufferPointer) throws {
        guard bytes.count >= 40, bytes.starts(with: Array("bplist0".utf8)) else { throw BinaryPropertyList.problem }
        let trailer = bytes.count - 32
        self.bytes = bytes
        offsetSize = Int(bytes[trailer + 6])
        referenceSize = Int(bytes[trailer + 7])
        let count = BinaryPropertyList.number(bytes, trailer + 8, 8)
        let top = BinaryPropertyList.number(bytes, trailer + 16, 8)
        let start = BinaryPropertyList.number(bytes, trailer + 24, 8)
        guard (1...8).contains(offsetSize), (1...8).contains(referenceSize), count > 0, top < count,
            count <= UInt64(bytes.count), start >= 8, start <= UInt64(trailer),
            count * UInt64(offsetSize) <= UInt64(trailer) - start
        else { throw BinaryPropertyList.problem }
        (objectCount, root, table) = (Int(count), Int(top), Int(start))
        budget = max(4 << 20, bytes.count.multipliedReportingOverflow(by: 16).partialValue)
    }

    private static let problem = CodingProblem("the binary property list is damaged")

    /// The root's value.
    func value() throws -> PropertyList {
        var reader = self
        return try reader.object(root, depth: 0)
    }

    /// Refuses dates that are no instant.
    func checkDates() throws {
        for number in 0..<objectCount {
            let place = Int(try offset(of: number))
            guard bytes[place] == 0x33, place + 9 <= table else { continue }
            let seconds = Double(bitPattern: BinaryPropertyList.number(bytes, place + 1, 8))
            guard seconds.isFinite else { throw PropertyListCoder.unreadableDate }
        }
    }

    private func offset(of number: Int) throws -> UInt64 {
        let offset = BinaryPropertyList.number(bytes, table + number * offsetSize, offsetSize)
        guard offset >= 8, offset < UInt64(table) else { throw BinaryPropertyList.problem }
        return offset
    }

    private mutating func object(_ number: Int, depth: Int) throws -> PropertyList {
        guard depth < PropertyList.maximumDepth else { throw CodingProblem("the property list is nested too deeply") }
        try spend(16)
        if let value = known[number] {
            try spend(BinaryPropertyList.size(value))
            return value
        }
        var place = Int(try offset(of: number))
        let marker = bytes[place]
        place += 1
        let kind = marker >> 4
        if kind == 0xA || kind == 0xD { return try container(marker, at: place, depth: depth) }
        let value = try scalar(marker, at: place)
        try spend(BinaryPropertyList.size(value))
        known[number] = value
        return value
    }

    private func scalar(_ marker: UInt8, at start: Int) throws -> PropertyList {
        var place = start
        switch marker >> 4 {
        case 0x0 where marker == 0x08: return .bool(false)
        case 0x0 where marker == 0x09: return .bool(true)
        case 0x1:
            let size = 1 << Int(marker & 0xF)
            guard size <= 16, place + size <= table else { throw BinaryPropertyList.problem }
            // One, two and four bytes are unsigned, eight signed; sixteen are for larger numbers.
            let low = BinaryPropertyList.number(bytes, place + max(0, size - 8), min(size, 8))
            guard size < 16 || BinaryPropertyList.number(bytes, place, 8) == 0 else { throw BinaryPropertyList.problem }
            return .integer(size == 8 ? Int128(Int64(bitPattern: low)) : Int128(low))
        case 0x2 where marker == 0x22 && place + 4 <= table:
            return .real(Double(Float(bitPattern: UInt32(BinaryPropertyList.number(bytes, place, 4)))))
        case 0x2 where marker == 0x23 && place + 8 <= table:
            return .real(Double(bitPattern: BinaryPropertyList.number(bytes, place, 8)))
        case 0x3 where marker == 0x33 && place + 8 <= table:
            let seconds = Double(bitPattern: BinaryPropertyList.number(bytes, place, 8))
            // Foundation traps even when it prints a date that is NaN.
            guard seconds.isFinite else { throw BinaryPropertyList.problem }
            return .date(Date(timeIntervalSinceReferenceDate: seconds))
        case 0x4:
            let range = try run(marker, &place, unit: 1)
            return .data(Data(bytes[range]))
        case 0x5, 0x7:
            let range = try run(marker, &place, unit: 1)
            guard let text = String(validating: bytes[range], as: UTF8.self) else { throw BinaryPropertyList.problem }
            return .string(text)
        case 0x6:
            let range = try run(marker, &place, unit: 2)
            // As a text coder would read them, but a byte order mark is a character here.
            let units = stride(from: range.lowerBound, to: range.upperBound, by: 2).map {
                UInt16(BinaryPropertyList.number(bytes, $0, 2))
            }
            guard let text = String(validating: units, as: UTF16.self) else { throw BinaryPropertyList.problem }
            return .string(text)
        default: throw BinaryPropertyList.problem
        }
    }

    private mutating func container(_ marker: UInt8, at start: Int, depth: Int) throws -> PropertyList {
        var place = start
        let isDictionary = marker >> 4 == 0xD
        let range = try run(marker, &place, unit: referenceSize * (isDictionary ? 2 : 1))
        let count = range.count / referenceSize / (isDictionary ? 2 : 1)
        guard isDictionary else {
            return .array(try (0..<count).map { try object(reference($0, from: range), depth: depth + 1) })
        }
        var members: [String: PropertyList] = [:]
        for index in 0..<count {
            guard case .string(let key) = try object(reference(index, from: range), depth: depth + 1) else {
                throw BinaryPropertyList.problem
            }
            members[key] = try object(reference(count + index, from: range), depth: depth + 1)
        }
        return .dictionary(members)
    }

    private func reference(_ index: Int, from range: Range<Int>) throws -> Int {
        let number = BinaryPropertyList.number(bytes, range.lowerBound + index * referenceSize, referenceSize)
        guard number < UInt64(objectCount) else { throw BinaryPropertyList.problem }
        return Int(number)
    }

    /// The bytes of an object whose marker has the number of units, or says that it follows.
    private func run(_ marker: UInt8, _ place: inout Int, unit: Int) throws -> Range<Int> {
        var count = UInt64(marker & 0xF)
        if count == 0xF {
            guard place < table, bytes[place] >> 4 == 0x1, bytes[place] & 0xF <= 3 else {
                throw BinaryPropertyList.problem
            }
            let size = 1 << Int(bytes[place] & 0xF)
            guard place + 1 + size <= table else { throw BinaryPropertyList.problem }
            count = BinaryPropertyList.number(bytes, place + 1, size)
            place += 1 + size
        }
        guard place <= table, count <= UInt64(table - place) / UInt64(unit) else { throw BinaryPropertyList.problem }
        return place..<place + Int(count) * unit
    }

    private mutating func spend(_ size: Int) throws {
        budget -= size
        guard budget >= 0 else { throw CodingProblem("the property list becomes too large when expanded") }
    }

    private static func size(_ value: PropertyList) -> Int {
        switch value {
        case .string(let text): text.utf8.count
        case .data(let data): data.count
        default: 0
        }
    }

    /// A big-endian number of up to eight bytes; the caller has checked the bounds.
    private static func number(_ bytes: UnsafeRawBufferPointer, _ place: Int, _ size: Int) -> UInt64 {
        bytes[place..<place + size].reduce(0) { $0 << 8 | UInt64($1) }
    }
}

// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusFormats
import Foundation
import Testing

/// Types are decoded as Foundation decodes them, from what the parser let through.
@Suite struct PropertyListDecodingTests {
    private struct Everything: Codable, Equatable {
        var small: Int8 = -128
        var unsigned: UInt16 = 65_535
        var large: UInt64 = .max
        var negative: Int64 = .min
        var whole: Double = 3
        var half: Float = 0.5
        var isOn = true
        var when = Date(timeIntervalSinceReferenceDate: 86_400)
        var bytes = Data([0, 255])
        var site = URL(string: "http://a.example/?a&b")
        var price = Decimal(string: "1.25")
        var missing: Int?
        var pairs: [[String: [Int?]]] = [["a": [1, nil, 3]], [:]]
        var nested: [String: [String: Date]] = ["x": ["y": Date(timeIntervalSinceReferenceDate: 0)]]
        var choice = Choice.second(2)
        var names: Set<String> = ["a", "b"]
        var numbers: [Int: String] = [1: "one"]

        enum Choice: Codable, Equatable {
            case first
            case second(Int)
        }
    }

    private class Animal: Codable {
        var name = "Ada"
    }

    private final class Dog: Animal {
        var age = 3

        enum CodingKeys: CodingKey { case age }

        override init() { super.init() }

        required init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            age = try container.decode(Int.self, forKey: .age)
            try super.init(from: container.superDecoder())
        }

        override func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(age, forKey: .age)
            try super.encode(to: container.superEncoder())
        }
    }

    private func bytes(
        _ value: some Encodable,
        _ format: PropertyListSerialization.PropertyListFormat = .binary
    ) throws -> ByteChunk {
        let encoder = PropertyListEncoder()
        encoder.outputFormat = format
        return ByteChunk(try encoder.encode(value))
    }

    @Test(arguments: [PropertyListSerialization.PropertyListFormat.xml, .binary])
    func aTypeOfAllKindsComesBack(format: PropertyListSerialization.PropertyListFormat) throws {
        let value = Everything()
        let read = try PropertyListCoder().decode(Everything.self, from: bytes(value, format), of: nil)
        #expect(read == value)
        let dog = try PropertyListCoder().decode(Dog.self, from: bytes(Dog(), format), of: nil)
        #expect(dog.age == 3 && dog.name == "Ada")
    }

    @Test func aFloatThatNoDoubleEqualsComesBackFromText() throws {
        let values: [Float] = [0.1, -1.5e-30, .greatestFiniteMagnitude, .infinity]
        #expect(try PropertyListCoder().decode([Float].self, from: bytes(values, .xml), of: nil) == values)
        #expect(throws: DecodingError.self) {
            try PropertyListCoder().decode([Float].self, from: bytes([1e300]), of: nil)
        }
    }

    /// The result: a value, or the kind of error.
    private func outcome<Value>(_ read: () throws -> Value) -> String {
        do {
            return "\(try read())"
        } catch DecodingError.typeMismatch {
            return "type mismatch"
        } catch DecodingError.valueNotFound {
            return "value not found"
        } catch DecodingError.keyNotFound(let key, _) {
            return "key not found: \(key.stringValue)"
        } catch DecodingError.dataCorrupted {
            return "data corrupted"
        } catch {
            return "\(error)"
        }
    }

    @Test(
        "each kind of value is decoded into each type, or refused, as by Foundation",
        arguments: [
            "text", "$null", "", 0, 1, -1, 255, 256, -129, 1.5, 2.0, 1e19, -1e19, true, false, [], [1], ["a": 1], [:],
            .integer(Int128(UInt64.max)), .integer(Int128(Int64.min)), .real(.nan), .real(.infinity),
            .date(Date(timeIntervalSinceReferenceDate: 5)), .data(Data([1])),
        ] as [PropertyList]
    )
    func theSameAsFoundation(value: PropertyList) throws {
        let data = try bytes(["value": value])
        func compare<Value: Decodable>(_ type: Value.Type) {
            let ours = outcome { try PropertyListCoder().decode([String: Value].self, from: data, of: nil) }
            let theirs = outcome { try PropertyListDecoder().decode([String: Value].self, from: Data(data.bytes)) }
            #expect(ours == theirs, "\(value) as \(type)")
        }
        compare(Bool.self)
        compare(String.self)
        compare(Int.self)
        compare(Int8.self)
        compare(Int64.self)
        compare(UInt.self)
        compare(UInt8.self)
        compare(UInt64.self)
        compare(Double.self)
        compare(Float.self)
        compare(Date.self)
        compare(Data.self)
        compare([Int].self)
        compare([String: Int].self)
        compare(Int?.self)
        compare(String?.self)
        compare(Date?.self)
        compare(Everything.Choice.self)
        compare(JSON.self)
    }

    @Test func errorsNameThePlace() throws {
        struct Row: Decodable { var count: Int }
        let data = try bytes(["rows": [["count": "x"]]])
        let error = #expect(throws: DecodingError.self) {
            try PropertyListCoder().decode([String: [Row]].self, from: data, of: nil)
        }
        guard case .typeMismatch(_, let context)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(context.codingPath.map { $0.intValue.map(String.init) ?? $0.stringValue } == ["rows", "0", "count"])
    }

    @Test(arguments: [PropertyListSerialization.PropertyListFormat.xml, .binary])
    func eachKindStaysItselfInValuesByName(format: PropertyListSerialization.PropertyListFormat) throws {
        let value: [String: PropertyList] = [
            "at": .date(Date(timeIntervalSince1970: 1)), "data": .data(Data([7])), "real": .real(2), "integer": 2,
            "null": "$null", "$nullable": "$nulls", "uid": ["CF$UID": 1],
            "list": [1, .real(1), ["bytes": .data(Data())]],
        ]
        #expect(
            try PropertyListCoder().decode([String: PropertyList].self, from: bytes(value, format), of: nil) == value
        )
        struct Row: Codable, Equatable { var of: [[String: PropertyList]] }
        let row = Row(of: [["0": 1], value])
        #expect(try PropertyListCoder().decode(Row.self, from: bytes(row, format), of: nil) == row)
        #expect(try PropertyListCoder().decode(PropertyList?.self, from: bytes(["a": 1], format), of: nil) == ["a": 1])
    }

    @Test func aSingleValueIsReadAsAValueAndAsAType() throws {
        let bytes = ByteChunk("<plist><real>2</real></plist>")
        #expect(try PropertyListCoder().decode(PropertyList.self, from: bytes, of: nil) == .real(2))
        #expect(try PropertyListCoder().decode(Double.self, from: bytes, of: nil) == 2)
        #expect(throws: DecodingError.self) { try PropertyListCoder().decode([Int].self, from: bytes, of: nil) }
    }
}

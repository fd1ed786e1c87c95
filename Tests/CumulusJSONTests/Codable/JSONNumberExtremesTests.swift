// SPDX-License-Identifier: Apache-2.0

import CumulusJSON
import Foundation
import TestSupport
import Testing

/// Whatever number a text has, every access to it yields a value or an error.
@Suite struct JSONNumberExtremesTests {
    private struct Everything: Decodable {
        var int: Int?
        var int8: Int8?
        var uint64: UInt64?
        var int128: Int128?
        var double: Double?
        var float: Float?
        var decimal: Decimal?
        var date: Date?
        var string: String?
        var json: JSON?
        var list: [Double]?
    }

    private static let extremes = [
        "1e-9223372036854775808", "1e9223372036854775807", "1e9223372036854775808", "-1e-9223372036854775808",
        "0e-9223372036854775808", "0.0e9223372036854775808", "1e99999999999999999999999999999999",
        "-0e-99999999999999999999999999999999", "1e281474976710656", "1e-281474976710656", "1e281474976710655",
        "10e281474976710655", "0.1e-281474976710655", "-9223372036854775808", "-9223372036854775809",
        "18446744073709551615", "18446744073709551616", "1e39", "1e38", "170141183460469231731687303715884105728",
        "1e308", "1e309", "-1e309", "5e-324", "1e-400", "1e127", "1e128", "1e-128", "1.7976931348623157e308", "-0",
        "-0.0", "0.000000000000000000000000000000000000000000000000001e51", "1e2147483648", "1e-2147483649",
    ]

    /// Reads a value as everything that it could be; nothing here may stop the process.
    private func useUp(_ json: JSON) throws {
        let numbers = Self.numbers(in: json)
        for number in numbers {
            _ = (number.int, number.double, number.text, number.description, number == 1, number == numbers[0])
            #expect(number == number)
            #expect(Set([number, number]).count == 1)
            for other in numbers.prefix(8) where number == other { #expect(number.hashValue == other.hashValue) }
            try decode(.number(number))
        }
        _ = (json.int, json.double, json.string, json.bool, json == json, json.hashValue)
        let bytes = json.encoded()
        #expect(try JSON(parsing: bytes) == json)
        try decode(json)
    }

    private func decode(_ json: JSON) throws {
        for strategy in [
            JSON.DecodingStrategies.Dates.deferredToDate, .secondsSince1970, .millisecondsSince1970, .iso8601,
        ] {
            var strategies = JSON.DecodingStrategies()
            strategies.dates = strategy
            strategies.nonConformingFloats = .convertFromString(
                positiveInfinity: "inf",
                negativeInfinity: "-inf",
                nan: "nan"
            )
            if let date = try? json.decode(as: Date.self, strategies: strategies) {
                #expect(date.timeIntervalSinceReferenceDate.isFinite)
                _ = (date.description, "\(date)", date.hashValue, date < Date())
            }
            for member in ["int", "int8", "uint64", "int128", "double", "float", "decimal", "date", "string", "json"] {
                let object = JSON.object([member: json])
                guard let value = try? object.decode(as: Everything.self, strategies: strategies) else { continue }
                _ = (value.date?.description, value.decimal?.description, value.json == json)
            }
        }
        _ = try? json.decode(as: Int.self)
        _ = try? json.decode(as: UInt8.self)
        _ = try? json.decode(as: Int128.self)
        _ = try? json.decode(as: Double.self)
        _ = try? json.decode(as: Float.self)
        _ = try? json.decode(as: Decimal.self).description
        _ = try? json.decode(as: String.self)
        _ = try? json.decode(as: [Double].self)
        _ = try? json.decode(as: [String: Int].self)
    }

    private static func numbers(in json: JSON) -> [JSON.Number] {
        switch json {
        case .number(let number): [number]
        case .array(let elements): elements.flatMap(numbers)
        case .object(let members): members.flatMap { numbers(in: $0.value) }
        default: []
        }
    }

    @Test("a number of any size is a value or an error, however it is read", arguments: extremes)
    func extremesAreHarmless(text: String) throws {
        try useUp(try JSON(parsing: text))
        try useUp(try JSON(parsing: "{\"id\":\(text),\"status\":[\(text),1]}"))
        #expect(JSON.Number(text: text) != nil)
    }

    @Test("zero is zero, whatever its exponent, and no exponent makes two numbers equal")
    func valuesAreCompared() throws {
        for zero in ["0e-9223372036854775808", "0.000e99999999999999999999", "-0e5"] {
            #expect(try JSON(parsing: zero) == 0)
            #expect(try JSON(parsing: zero).int == 0)
        }
        #expect(try JSON(parsing: "1e-9223372036854775808") != 0)
        #expect(try JSON(parsing: "1e-9223372036854775808").int == nil)
        #expect(try JSON(parsing: "1e9223372036854775807") != JSON(parsing: "1e9223372036854775806"))
        #expect(try JSON(parsing: "100e-2") == 1)
    }

    @Test("a NaN date is refused, since printing it would stop the process")
    func datesAreFinite() {
        var decoding = JSON.DecodingStrategies()
        decoding.nonConformingFloats = .convertFromString(positiveInfinity: "i", negativeInfinity: "-i", nan: "n")
        for dates in [JSON.DecodingStrategies.Dates.deferredToDate, .secondsSince1970, .millisecondsSince1970] {
            decoding.dates = dates
            for text in ["[\"n\"]", "[\"i\"]", "[\"-i\"]"] {
                #expect(throws: DecodingError.self) {
                    try JSON(parsing: text).decode(as: [Date].self, strategies: decoding)
                }
            }
            #expect(throws: Never.self) { try JSON([0, 1e3]).decode(as: [Date].self, strategies: decoding) }
        }
    }

    @Test("mutated JSON in members of every numeric type never stops the process", arguments: 0..<16)
    func mutationsAreHarmless(seed: Int) throws {
        var numbers = SeededNumbers(UInt64(seed))
        let corpus =
            Self.extremes.map { "{\"int\":\($0),\"date\":\($0),\"list\":[\($0),\($0)]}" } + [
                "{\"type\":\"a\",\"status\":404,\"detail\":\"x\",\"instance\":1e5}",
                "{\"version\":1,\"place\":\"a\",\"remote\":{\"length\":10},\"checksums\":[],\"done\":[{\"start\":0,\"end\":5}]}",
                "[1,-1.5,1e10,\"2026-01-01T00:00:00Z\",true,null,{\"double\":0.1e-3,\"decimal\":12345678901234567890}]",
            ]
        let pieces = [
            "e", "E", "-", "+", ".", "0", "9", "e-", "9223372036854775808", "0000", "\"", "[", "]", ",", "1e-9",
        ]
        for _ in 0..<SlowTests.rounds(40, of: 400) {
            var text = Array(corpus[Int.random(in: corpus.indices, using: &numbers)].utf8)
            for _ in 0..<Int.random(in: 1...6, using: &numbers) {
                let place = Int.random(in: 0..<max(1, text.count), using: &numbers)
                switch Int.random(in: 0..<4, using: &numbers) {
                case 0 where !text.isEmpty: text.remove(at: place)
                case 1 where !text.isEmpty: text[place] = UInt8.random(in: 0x20..<0x7F, using: &numbers)
                default:
                    text.insert(contentsOf: pieces[Int.random(in: pieces.indices, using: &numbers)].utf8, at: place)
                }
            }
            guard let json = try? JSON(parsing: text) else { continue }
            try useUp(json)
        }
    }
}

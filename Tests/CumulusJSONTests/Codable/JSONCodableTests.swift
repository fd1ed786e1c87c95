// SPDX-License-Identifier: Apache-2.0

import CumulusJSON
import Foundation
import Testing

/// One value and the strategies to code it with, for Foundation's coders and for ours.
struct JSONCodingCase: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let check: @Sendable () throws -> Void

    init<Value: Codable & Hashable & SendableMetatype>(
        _ name: String,
        _ value: @escaping @autoclosure @Sendable () -> Value,
        configure: @escaping @Sendable (JSONEncoder, JSONDecoder) -> Void = { _, _ in },
        encoding: JSON.EncodingStrategies = .init(),
        decoding: JSON.DecodingStrategies = .init()
    ) {
        testDescription = name
        check = {
            let (encoder, decoder) = (JSONEncoder(), JSONDecoder())
            configure(encoder, decoder)
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            let value = value()
            let theirs = try encoder.encode(value)
            let ours = try JSON(encoding: value, strategies: encoding)
            #expect(try JSON.encodedText(of: value, strategies: encoding) == ours.encoded())
            #expect(
                String(decoding: ours.encoded(.sortedKeys), as: UTF8.self) == String(decoding: theirs, as: UTF8.self)
            )
            let parsed = try JSON(parsing: theirs)
            #expect(parsed == ours)
            let decoded = try parsed.decode(as: Value.self, strategies: decoding)
            #expect(try decoded == decoder.decode(Value.self, from: theirs))
            #expect(try ours.decode(as: Value.self, strategies: decoding) == decoded)
        }
    }
}

@Suite(.serialized) struct JSONCodableTests {
    static let cases: [JSONCodingCase] = [
        .init("nested", JSONSamples.nested),
        .init("array of objects", [JSONSamples.nested, JSONSamples.nested]),
        .init("integers", JSONSamples.Integers()),
        .init("floats", JSONSamples.Floats()),
        .init("enums with payloads", JSONSamples.payloads),
        .init("dates, data, URLs", JSONSamples.Foundational()),
        .init("dictionaries", JSONSamples.Dictionaries()),
        .init("class hierarchy", JSONSamples.Dog()),
        .init("containers by hand", JSONSamples.Manual()),
        .init("empty", JSONSamples.Empty()),
        .init("empty array", [Int]()),
        .init("fragments", "text"),
        .init("optional elements", [1, nil, 3] as [Int?]),
        .init("top-level null", nil as Int?),
        .init("wrapped optionals", JSONSamples.Wrapped<[String: Int?]>(value: ["a": 1, "b": nil])),
        .init("wide integers", [Int128.max, Int128.min, 0]),
        .init("many keys", Dictionary(uniqueKeysWithValues: (0..<200).map { ("key \($0)", $0) })),
        .init("objects with keys of their own", (0..<40).map { ["first \($0)": $0, "last": -$0] }),
        .init("arrays of plain values", JSONSamples.PlainArrays()),
        .init("a key encoded twice", JSONSamples.Repeated()),
        .init("dates in a tree", ["a": [Date(timeIntervalSinceReferenceDate: 0.5)]]),
    ]

    static let strategyCases: [JSONCodingCase] = [
        .init(
            "ISO 8601",
            JSONSamples.Foundational(),
            configure: {
                $0.dateEncodingStrategy = .iso8601
                $1.dateDecodingStrategy = .iso8601
            },
            encoding: .with { $0.dates = .iso8601 },
            decoding: .with { $0.dates = .iso8601 }
        ),
        .init(
            "seconds",
            JSONSamples.Foundational(),
            configure: {
                $0.dateEncodingStrategy = .secondsSince1970
                $1.dateDecodingStrategy = .secondsSince1970
            },
            encoding: .with { $0.dates = .secondsSince1970 },
            decoding: .with { $0.dates = .secondsSince1970 }
        ),
        .init(
            "milliseconds",
            [Date(timeIntervalSince1970: 1.25)],
            configure: {
                $0.dateEncodingStrategy = .millisecondsSince1970
                $1.dateDecodingStrategy = .millisecondsSince1970
            },
            encoding: .with { $0.dates = .millisecondsSince1970 },
            decoding: .with { $0.dates = .millisecondsSince1970 }
        ),
        .init(
            "data as bytes",
            [Data([1, 2, 255])],
            configure: {
                $0.dataEncodingStrategy = .deferredToData
                $1.dataDecodingStrategy = .deferredToData
            },
            encoding: .with { $0.data = .deferredToData },
            decoding: .with { $0.data = .deferredToData }
        ),
        .init(
            "snake case",
            JSONSamples.snakeCased,
            configure: {
                $0.keyEncodingStrategy = .convertToSnakeCase
                $1.keyDecodingStrategy = .convertFromSnakeCase
            },
            encoding: .with { $0.keys = .convertToSnakeCase },
            decoding: .with { $0.keys = .convertFromSnakeCase }
        ),
        .init(
            "dictionaries in snake case",
            JSONSamples.Dictionaries(),
            configure: {
                $0.keyEncodingStrategy = .convertToSnakeCase
                $1.keyDecodingStrategy = .convertFromSnakeCase
            },
            encoding: .with { $0.keys = .convertToSnakeCase },
            decoding: .with { $0.keys = .convertFromSnakeCase }
        ),
        .init(
            "keys by a closure",
            JSONSamples.nested,
            configure: {
                $0.keyEncodingStrategy = .custom(JSONSamples.reversedKey)
                $1.keyDecodingStrategy = .custom(JSONSamples.reversedKey)
            },
            encoding: .with { $0.keys = .custom(JSONSamples.reversedKey) },
            decoding: .with { $0.keys = .custom(JSONSamples.reversedKey) }
        ),
        .init(
            "dictionaries and keys by a closure",
            JSONSamples.Dictionaries(),
            configure: {
                $0.keyEncodingStrategy = .custom(JSONSamples.reversedKey)
                $1.keyDecodingStrategy = .custom(JSONSamples.reversedKey)
            },
            encoding: .with { $0.keys = .custom(JSONSamples.reversedKey) },
            decoding: .with { $0.keys = .custom(JSONSamples.reversedKey) }
        ),
        .init(
            "data by a closure",
            ["a": [Data([1, 2, 255])]],
            configure: {
                $0.dataEncodingStrategy = .custom(JSONSamples.encodeCount)
                $1.dataDecodingStrategy = .custom(JSONSamples.decodeCount)
            },
            encoding: .with { $0.data = .custom(JSONSamples.encodeCount) },
            decoding: .with { $0.data = .custom(JSONSamples.decodeCount) }
        ),
        .init(
            "infinities",
            [Double.infinity, -.infinity, 1],
            configure: {
                $0.nonConformingFloatEncodingStrategy = .convertToString(
                    positiveInfinity: "+∞",
                    negativeInfinity: "-∞",
                    nan: "nan"
                )
                $1.nonConformingFloatDecodingStrategy = .convertFromString(
                    positiveInfinity: "+∞",
                    negativeInfinity: "-∞",
                    nan: "nan"
                )
            },
            encoding: .with {
                $0.nonConformingFloats = .convertToString(positiveInfinity: "+∞", negativeInfinity: "-∞", nan: "nan")
            },
            decoding: .with {
                $0.nonConformingFloats = .convertFromString(positiveInfinity: "+∞", negativeInfinity: "-∞", nan: "nan")
            }
        ),
    ]

    @Test(arguments: cases + strategyCases)
    func codesAsFoundationDoes(coding: JSONCodingCase) throws { try coding.check() }

    @Test func membersAreInTheOrderEncoded() throws {
        struct Ordered: Encodable {
            var zebra = 1
            var apple = 2
            var mango = [3]
        }
        #expect(try JSON(encoding: Ordered()).description == #"{"zebra":1,"apple":2,"mango":[3]}"#)
        #expect(try JSON(encoding: [Ordered(), Ordered()])[1].description == #"{"zebra":1,"apple":2,"mango":[3]}"#)
    }

    @Test func objectsWithOptionalMembersDontMix() throws {
        struct Sparse: Codable, Hashable {
            var a: Int?
            var b: Int?
            var c: Int?
        }
        let values = (0..<32).map {
            Sparse(a: $0 & 1 == 0 ? nil : 1, b: $0 & 2 == 0 ? nil : 2, c: $0 & 4 == 0 ? nil : 3)
        }
        let json = try JSON(encoding: values)
        #expect(try json == JSON(parsing: JSONEncoder().encode(values)))
        #expect(try json.decode(as: [Sparse].self) == values)
    }

    @Test func customStrategiesGetTheCoder() throws {
        let date = Date(timeIntervalSince1970: 60)
        let json = try JSON(
            encoding: ["at": date],
            strategies: .with {
                $0.dates = .custom { date, encoder in
                    #expect(encoder.codingPath.map(\.stringValue) == ["at"])
                    var container = encoder.singleValueContainer()
                    try container.encode("minute \(Int(date.timeIntervalSince1970) / 60)")
                }
            }
        )
        #expect(json == ["at": "minute 1"])
        let decoded = try json.decode(
            as: [String: Date].self,
            strategies: .with {
                $0.dates = .custom { decoder in
                    let text = try decoder.singleValueContainer().decode(String.self)
                    #expect(text == "minute 1")
                    return Date(timeIntervalSince1970: 60)
                }
            }
        )
        #expect(decoded == ["at": date])
    }

    @Test func userInfoReachesTheTypes() throws {
        struct Asking: Codable {
            let answer: String
            init() { answer = "" }
            init(from decoder: any Decoder) throws { answer = try Self.answer(decoder.userInfo) }
            func encode(to encoder: any Encoder) throws {
                var container = encoder.singleValueContainer()
                try container.encode(Self.answer(encoder.userInfo))
            }
            static func answer(_ userInfo: [CodingUserInfoKey: Any]) throws -> String {
                let key = try #require(CodingUserInfoKey(rawValue: "who"))
                return try #require(userInfo[key] as? String)
            }
        }
        let key = try #require(CodingUserInfoKey(rawValue: "who"))
        #expect(try JSON(encoding: Asking(), strategies: .with { $0.userInfo = [key: "me"] }) == "me")
        #expect(try JSON.null.decode(as: Asking.self, strategies: .with { $0.userInfo = [key: "me"] }).answer == "me")
    }

    static let document: JSON = [
        "a": [1, -2.5, nil, "text"], "big": 18_446_744_073_709, "flag": true, "o": ["x": [:]],
    ]

    @Test func isItselfCodableByAnyCoder() throws {
        struct Holder: Codable, Hashable { var json: JSON }
        let holder = Holder(json: Self.document)
        let data = try JSONEncoder().encode(holder)
        #expect(try JSON(parsing: data) == ["json": Self.document])
        #expect(try JSONDecoder().decode(Holder.self, from: data) == holder)
        #expect(try JSON(encoding: holder)["json"].description == Self.document.description)
        #expect(try JSON(encoding: holder).decode(as: Holder.self) == holder)
        let exact = try JSON(parsing: #"{"json":[1.000,12345678901234567890123.000100]}"#)
        #expect(try JSON(encoding: exact.decode(as: Holder.self)).description == exact.description)
    }

    @Test func refusesToEncodeWhatJSONHasNoFormFor() throws {
        for value in [Double.nan, .infinity, -.infinity] {
            let error = #expect(throws: EncodingError.self) { try JSON(encoding: ["a": [1, value]]) }
            guard case .invalidValue(_, let context) = error else { continue }
            #expect(context.codingPath.map(\.stringValue) == ["a", "Index 1"])
        }
        struct Nothing: Encodable { func encode(to encoder: any Encoder) {} }
        #expect(throws: EncodingError.self) { try JSON(encoding: Nothing()) }
        #expect(try JSON(encoding: [Nothing()]) == [[:]])
    }
}

extension JSON.EncodingStrategies {
    static func with(_ change: (inout Self) -> Void) -> Self {
        var strategies = Self()
        change(&strategies)
        return strategies
    }
}

extension JSON.DecodingStrategies {
    static func with(_ change: (inout Self) -> Void) -> Self {
        var strategies = Self()
        change(&strategies)
        return strategies
    }
}

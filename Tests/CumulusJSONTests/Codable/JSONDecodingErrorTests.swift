// SPDX-License-Identifier: Apache-2.0

import CumulusJSON
import Foundation
import Testing

/// A text and a type that it doesn't fit, for Foundation's decoder and for ours.
struct JSONMisfit: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let theirs: @Sendable () -> String
    let ours: @Sendable () throws -> String

    init<Value: Decodable & SendableMetatype>(
        _ text: String,
        _ type: Value.Type,
        configure: @escaping @Sendable (JSONDecoder) -> Void = { _ in },
        strategies: JSON.DecodingStrategies = .init()
    ) {
        testDescription = "\(type) of \(text)"
        theirs = {
            let decoder = JSONDecoder()
            configure(decoder)
            return Self.outcome { try decoder.decode(Value.self, from: Data(text.utf8)) }
        }
        ours = {
            let json = try JSON(parsing: text)
            return Self.outcome { try json.decode(as: Value.self, strategies: strategies) }
        }
    }

    /// The result: the kind of error and its coding path, or the value.
    private static func outcome(_ decode: () throws -> some Any) -> String {
        func path(_ context: DecodingError.Context) -> String {
            context.codingPath.map { "\($0.stringValue)=\($0.intValue ?? -1)" }.joined(separator: ".")
        }
        do {
            return "\(try decode())"
        } catch DecodingError.typeMismatch(let type, let context) {
            return "mismatch \(type) at \(path(context))"
        } catch DecodingError.valueNotFound(let type, let context) {
            return "no value for \(type) at \(path(context))"
        } catch DecodingError.keyNotFound(let key, let context) {
            return "no key \(key.stringValue) at \(path(context))"
        } catch DecodingError.dataCorrupted(let context) {
            return "corrupted at \(path(context))"
        } catch {
            return "another error"
        }
    }
}

@Suite(.serialized) struct JSONDecodingErrorTests {
    struct Post: Decodable {
        struct Author: Decodable {
            var name: String
            var age: UInt8?
        }
        var title: String
        var authors: [Author]
    }

    static let misfits: [JSONMisfit] = [
        .init(#"{"title":1,"authors":[]}"#, Post.self),
        .init(#"{"authors":[]}"#, Post.self),
        .init(#"{"title":null,"authors":[]}"#, Post.self),
        .init(#"{"title":"t","authors":[{"name":"n"},{"nam":"n"}]}"#, Post.self),
        .init(#"{"title":"t","authors":[{"name":"n"},{"name":"n","age":"1"}]}"#, Post.self),
        .init(#"{"title":"t","authors":[{"name":"n"},null]}"#, Post.self),
        .init(#"{"title":"t","authors":{}}"#, Post.self),
        .init(#"{"title":"t","authors":null}"#, Post.self),
        .init("[]", Post.self),
        .init("null", Post.self),
        .init("300", UInt8.self),
        .init("-1", UInt.self),
        .init("9223372036854775808", Int.self),
        .init("18446744073709551616", UInt64.self),
        .init("1.5", Int.self),
        .init("1.0", Int.self),
        .init("1e2", Int.self),
        .init("-0", Int.self),
        .init("-0", Double.self),
        .init("9007199254740993.0", Int.self),
        .init("1e400", Double.self),
        .init("-1e400", Double.self),
        .init("1e39", Float.self),
        .init("1e-400", Double.self),
        .init("0.1", Float.self),
        .init("16777217", Float.self),
        .init("9223372036854775807", Double.self),
        .init("true", Int.self),
        .init("1", Bool.self),
        .init("1", String.self),
        .init("\"1\"", Double.self),
        .init("\"NaN\"", Double.self),
        .init("[1,\"2\"]", [Int].self),
        .init("[1,null]", [Int].self),
        .init("[9223372036854775807,1.0,1e2]", [Int].self),
        .init("{\"a\":[\"x\",1]}", [String: [String]].self),
        .init("{\"a\":[\"x\",null]}", [String: [String]].self),
        .init("[1,\"x\"]", [Double].self),
        .init("[1,0.1,1e2,-0]", [Double].self),
        .init("{\"a\":{}}", [String: [String]].self),
        .init("[[1],[\"x\"]]", [[Int]].self),
        .init("[1,null]", [Int?].self),
        .init("{\"1\":\"a\",\"x\":\"b\"}", [Int: String].self),
        .init("{\"1\":\"a\"}", [Int: String].self),
        .init("{\"a\":1}", [String: String].self),
        .init("[\"!!\"]", [Data].self),
        .init("\"\"", URL.self),
        .init("\"http://[\"", URL.self),
        .init("7", URL.self),
        .init(
            "\"2020\"",
            Date.self,
            configure: { $0.dateDecodingStrategy = .iso8601 },
            strategies: .with { $0.dates = .iso8601 }
        ),
        .init(
            "\"2020-01-02T03:04:05+01:00\"",
            Date.self,
            configure: { $0.dateDecodingStrategy = .iso8601 },
            strategies: .with { $0.dates = .iso8601 }
        ),
        .init(
            "[\"x\"]",
            [Date].self,
            configure: { $0.dateDecodingStrategy = .secondsSince1970 },
            strategies: .with { $0.dates = .secondsSince1970 }
        ),
        .init(
            "\"x\"",
            Double.self,
            configure: {
                $0.nonConformingFloatDecodingStrategy = .convertFromString(
                    positiveInfinity: "i",
                    negativeInfinity: "-i",
                    nan: "n"
                )
            },
            strategies: .with {
                $0.nonConformingFloats = .convertFromString(positiveInfinity: "i", negativeInfinity: "-i", nan: "n")
            }
        ),
        .init(
            "[\"n\",\"-i\"]",
            [Float].self,
            configure: {
                $0.nonConformingFloatDecodingStrategy = .convertFromString(
                    positiveInfinity: "i",
                    negativeInfinity: "-i",
                    nan: "n"
                )
            },
            strategies: .with {
                $0.nonConformingFloats = .convertFromString(positiveInfinity: "i", negativeInfinity: "-i", nan: "n")
            }
        ),
        .init("123456789012345678901234567890.12", Decimal.self),
        .init("\"1\"", Decimal.self),
        .init("\"other\"", JSONSamples.Level.self),
        .init("{\"plain\":{},\"deep\":{}}", JSONSamples.Payload.self),
        .init("{\"labeled\":{\"name\":1}}", JSONSamples.Payload.self),
        .init("{\"value\":{\"value\":\"x\"}}", JSONSamples.Wrapped<JSONSamples.Wrapped<Int>>.self),
        .init("{\"tricks\":[]}", JSONSamples.Dog.self),
        .init("{\"tricks\":[],\"super\":{\"name\":1}}", JSONSamples.Dog.self),
    ]

    @Test(arguments: misfits)
    func failsAsFoundationDoes(misfit: JSONMisfit) throws {
        let (ours, theirs) = (try misfit.ours(), misfit.theirs())
        #expect(ours == theirs)
    }

    /// Foundation reports no path here.
    @Test func aNumberThatDoesntFitIsToldWithItsPath() throws {
        let json: JSON = ["title": "t", "authors": [["name": "n"], ["name": "n", "age": 256]]]
        let error = #expect(throws: DecodingError.self) { try json.decode(as: Post.self) }
        guard case .dataCorrupted(let context) = error else {
            Issue.record("expected dataCorrupted")
            return
        }
        #expect(context.codingPath.map(\.stringValue) == ["authors", "Index 1", "age"])
        #expect(context.debugDescription.contains("256"))
    }

    /// Foundation reports no path here either.
    @Test func anElementThatDoesntFitIsToldWithItsPlace() throws {
        func place(_ type: (some Decodable).Type, _ text: String) throws -> [String] {
            let json = try JSON(parsing: text)
            let error = #expect(throws: DecodingError.self) { _ = try json.decode(as: type) }
            guard case .dataCorrupted(let context) = error else { return [] }
            return context.codingPath.map(\.stringValue)
        }
        #expect(try place([Int].self, "[1,1.5]") == ["Index 1"])
        #expect(try place([Double].self, "[1,1e400]") == ["Index 1"])
        #expect(try place([[UInt8]].self, "[[1],[2,256]]") == ["Index 1", "Index 1"])
    }

    /// Found by fuzzing: Foundation reads the first as 18446744070974401 and the second as 0.
    @Test(arguments: ["18446744070974401.5", "1e-4073709551615", "0.9"])
    func aFractionIsNeverDropped(text: String) throws {
        let json = try JSON(parsing: text)
        #expect(throws: DecodingError.self) { try json.decode(as: Int64.self) }
        #expect(json.description == text)
    }

    struct Keyed: Decodable {
        struct Key: CodingKey {
            var stringValue: String
            var intValue: Int? { nil }
            init(stringValue: String) { self.stringValue = stringValue }
            init?(intValue: Int) { nil }
        }
        var keys: Set<String>
        init(from decoder: any Decoder) throws {
            keys = Set(try decoder.container(keyedBy: Key.self).allKeys.map(\.stringValue))
        }
    }

    @Test(arguments: [
        "one_two", "_one_two", "__one_two__", "oneTwo", "one_Two", "ONE_TWO", "one__two", "_", "__", "", "a", "_a",
        "a_",
        "one_", "ONE", "_ONE", "one_2", "é_ü", "1_2_3",
    ])
    func snakeCaseIsReadAsFoundationDoes(key: String) throws {
        let text = "{\"\(key)\":1}"
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        let theirs = try decoder.decode(Keyed.self, from: Data(text.utf8)).keys
        let ours = try JSON(parsing: text).decode(as: Keyed.self, strategies: .with { $0.keys = .convertFromSnakeCase })
        #expect(ours.keys == theirs)
    }

    struct Named: Encodable {
        var key: String
        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Keyed.Key.self)
            try container.encode(1, forKey: Keyed.Key(stringValue: key))
        }
    }

    @Test(arguments: [
        "oneTwo", "OneTwo", "oneTWO", "oneTWOThree", "URL", "myURL", "URLString", "aB", "AB", "A", "", "_oneTwo",
        "one_Two",
        "one2Two", "one2", "oneÉté", "x1Y", "ABCd", "aBC", "trailing_", "__oneTwo__", "isHTTPSOn",
    ])
    func snakeCaseIsWrittenAsFoundationDoes(key: String) throws {
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        let theirs = try JSON(parsing: encoder.encode(Named(key: key)))
        let ours = try JSON(encoding: Named(key: key), strategies: .with { $0.keys = .convertToSnakeCase })
        #expect(ours.description == theirs.description)
    }

    @Test func keysThatBecomeOneKeepTheSameAsFoundation() throws {
        struct Both: Decodable, Hashable { var oneTwo: Int }
        for text in [#"{"one_two":1,"oneTwo":2}"#, #"{"oneTwo":2,"one_two":1}"#] {
            let decoder = JSONDecoder()
            decoder.keyDecodingStrategy = .convertFromSnakeCase
            let ours = try JSON(parsing: text).decode(
                as: Both.self,
                strategies: .with { $0.keys = .convertFromSnakeCase }
            )
            #expect(try ours == decoder.decode(Both.self, from: Data(text.utf8)))
        }
    }
}

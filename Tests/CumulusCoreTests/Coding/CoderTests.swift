// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTesting
import HTTPTypes
import TestSupport
import Testing

/// Which coder is chosen, and that failures are reported.
@Suite struct CoderTests {
    struct Person: Codable, Sendable, Equatable {
        var name: String
        var pets: [Pet]
        struct Pet: Codable, Sendable, Equatable { var age: Int }
    }

    /// Upper-case text, with its own media type.
    struct ShoutingCoder: BodyCoder {
        var mediaType: MediaType { "text/shout" }
        func encode(_ value: any Encodable & Sendable, as mediaType: MediaType?) throws -> ByteChunk {
            ByteChunk("\(value)".uppercased())
        }
        func decode<Value: Decodable>(_ type: Value.Type, from bytes: ByteChunk, of mediaType: MediaType?) throws
            -> Value
        {
            guard let text = String(decoding: bytes.bytes, as: UTF8.self).lowercased() as? Value else {
                throw CodingProblem("only text is shouted")
            }
            return text
        }
    }

    private func site(_ body: [UInt8], type: String?) -> Resource {
        let transport = StubTransport { _ in
            .response(headers: type.map { [.contentType: $0] } ?? [:], body: body)
        }
        return Resource("http://a.example", transport: transport.watched)
    }

    private func site(_ body: String, type: String?) -> Resource { site(Array(body.utf8), type: type) }

    private func decodingError(_ body: String, type: String? = "application/json") async -> CumulusError? {
        do {
            _ = try await site(body, type: type).get(as: Person.self)
            Issue.record("it was decoded")
            return nil
        } catch {
            return error as? CumulusError
        }
    }

    @Test(arguments: ["application/json", "application/problem+json", "text/json", "magic/teapot", nil])
    func jsonIsDecodedWhateverItIsCalled(type: String?) async throws {
        let person = try await site(#"{"name":"Ada","pets":[{"age":3}]}"#, type: type).get(as: Person.self)
        #expect(person == Person(name: "Ada", pets: [.init(age: 3)]))
    }

    @Test func aMissingKeyIsNamedWithItsPath() async throws {
        let error = try #require(await decodingError(#"{"name":"Ada","pets":[{"age":1},{}]}"#))
        #expect(error.code == .decoding)
        #expect(error.message.contains("pets[1]"))
        #expect(error.message.contains("age"))
        #expect(error.response?.isSuccessful == true)
    }

    @Test func aWrongTypeIsNamedWithItsPath() async throws {
        let error = try #require(await decodingError(#"{"name":7,"pets":[]}"#))
        #expect(error.message.contains("name"))
    }

    @Test func garbageIsNamedWithItsMediaType() async throws {
        let error = try #require(await decodingError("<html>", type: "text/html"))
        #expect(error.message.contains("text/html"))
        #expect(error.message.contains("6 bytes"))
    }

    @Test func anEmptyBodyIsNoValue() async throws {
        #expect(await decodingError("")?.message.contains("empty") == true)
    }

    @Test(
        arguments: [
            ("Grüße", "utf-8", [0x47, 0x72, 0xC3, 0xBC, 0xC3, 0x9F, 0x65]),
            ("Grüße", nil, [0x47, 0x72, 0xC3, 0xBC, 0xC3, 0x9F, 0x65]),
            ("Grüße", "iso-8859-1", [0x47, 0x72, 0xFC, 0xDF, 0x65]),
            ("Grüße", nil, [0x47, 0x72, 0xFC, 0xDF, 0x65]),
            ("aé", "utf-16le", [0x61, 0, 0xE9, 0]),
            ("aé", nil, [0xFF, 0xFE, 0x61, 0, 0xE9, 0]),
            ("aé", nil, [0xFE, 0xFF, 0, 0x61, 0, 0xE9]),
            ("a", nil, [0xEF, 0xBB, 0xBF, 0x61]),
        ] as [(String, String?, [UInt8])]
    )
    func textIsReadByItsCharset(text: String, charset: String?, bytes: [UInt8]) async throws {
        let type = "text/plain" + (charset.map { "; charset=\($0)" } ?? "")
        #expect(try await site(bytes, type: type).get(as: String.self) == text)
        #expect(try await site(bytes, type: type).get().text == text)
    }

    @Test(arguments: ["utf-8", "us-ascii", "x-unknown"]) func textThatIsNoneIsRefused(charset: String) async throws {
        let site = site([0x61, 0xFF], type: "text/plain")
        site.setRules { $0.coders.registerText(TextCoder(charset: charset)) }
        await #expect(throws: CumulusError.self) { _ = try await site.get(as: String.self) }
        #expect(try await site.get().text == nil)
    }

    @Test func formsAreDecoded() async throws {
        struct Form: Decodable, Sendable {
            var a: String
            var b: String
            var c: [String]
            var d: String
        }
        let typed = try await site("a=1&b=x+y&c%5B%5D=1&c%5B%5D=2&d=%26", type: "application/x-www-form-urlencoded")
            .get(as: Form.self)
        #expect(typed.b == "x y")
        #expect(typed.c == ["1", "2"])
        #expect(typed.d == "&")
    }

    @Test func aCoderOfYourOwnServesItsMediaType() async throws {
        let site = site("LOUD", type: "text/shout")
        site.setRules { $0.coders.register(ShoutingCoder(), forMediaTypes: "text/shout") }
        struct Wish: Codable, Sendable {}
        do {
            _ = try await site.get(as: Wish.self)
            Issue.record("a Wish was made of text")
        } catch {
            #expect("\(error)".contains("only text is shouted"))
        }
        site.setRules { $0.coders.register(ShoutingCoder(), for: String.self) }
        #expect(try await site["child"].get(as: String.self) == "loud")
    }

    @Test func aMediaTypeWithoutACoderIsRefused() async {
        let site = site("x", type: nil)
        do {
            _ = try await site.post(.value(Person(name: "a", pets: []), as: "application/msgpack"))
            Issue.record("it was encoded")
        } catch {
            #expect((error as? CumulusError)?.code == .encoding)
            #expect("\(error)".contains("application/msgpack"))
        }
    }

    @Test func strategiesAreInheritedWithTheirCoder() async throws {
        struct Snake: Codable, Sendable, Equatable { var firstName: String }
        let site = site(#"{"first_name":"Ada"}"#, type: "application/json")
        var decoding = JSON.DecodingStrategies()
        decoding.keys = .convertFromSnakeCase
        site.setRules { $0.coders.registerJSON(JSONCoder(decoding: decoding)) }
        #expect(try await site["a"].get(as: Snake.self) == Snake(firstName: "Ada"))
    }

    @Test func whatWasAcceptedChoosesTheCoder() async throws {
        let site = site("a=1", type: nil)
        let accept = "application/json;q=0.1, application/x-www-form-urlencoded, */*;q=0.2"
        #expect(try await site.get(as: [String: String].self, headers: [.accept: accept]) == ["a": "1"])
    }

    @Test(arguments: ["utf-16le", "utf-16be"]) func brokenUTF16IsRefused(charset: String) async throws {
        for bytes: [UInt8] in [[0x61, 0, 0, 0xD8, 0x62, 0], [0xD8, 0, 0x61, 0x62, 0xD8, 0], [0x61]] {
            let site = site(bytes, type: "text/plain")
            site.setRules { $0.coders.registerText(TextCoder(charset: charset)) }
            if bytes.count == 1 || charset == "utf-16le" && bytes[0] == 0x61
                || charset == "utf-16be" && bytes[0] == 0xD8
            {
                await #expect(throws: CumulusError.self) { _ = try await site.get(as: String.self) }
            }
        }
    }

    @Test func aFormOfManyNamesIsReadInTime() async throws {
        let body = (0..<20_000).map { "n\($0)=1" }.joined(separator: "&")
        let form = try await site(body, type: "application/x-www-form-urlencoded").get(as: [String: String].self)
        #expect(form.count == 20_000)
    }

    @Test func aPlusIsASpaceInNamesToo() {
        #expect(Query(parsing: "first+name=Ada+L").values(of: "first name").first?.string == "Ada L")
    }
}

// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusFormats
import CumulusTesting
import CumulusXML
import Foundation
import HTTPTypes
import Testing
import XMLCoder

/// XML for `Codable` types, and documents that never reach libxml2.
@Suite struct XMLBodyCoderTests {
    struct Note: Codable, Sendable, Equatable {
        var to: String
        var count: Int
        var tag: [String]
    }

    private func site(_ body: String, type: String = "application/xml") -> Resource {
        let transport = StubTransport { _ in .response(headers: [.contentType: type], body: Array(body.utf8)) }
        let site = Resource("http://a.example", transport: transport) { $0.coders.registerXML() }
        return site
    }

    @Test(arguments: ["application/xml", "text/xml", "application/note+xml"])
    func aDocumentIsReadIntoAType(type: String) async throws {
        let body = "<?xml version=\"1.0\"?><note><to>Ada &amp; Bob</to><count>3</count><tag>a</tag><tag>b</tag></note>"
        let note = try await site(body, type: type).get(as: Note.self)
        #expect(note == Note(to: "Ada & Bob", count: 3, tag: ["a", "b"]))
    }

    @Test func aTypeIsWrittenAsADocumentAndReadBack() async throws {
        let transport = StubTransport { request in
            .response(headers: [.contentType: request.headers[.contentType] ?? ""], body: request.body)
        }
        let site = Resource("http://a.example", transport: transport) {
            $0.coders.registerXML(XMLBodyCoder(rootName: "note"))
            $0.contentType = .xml
        }
        let note = Note(to: "<Grüße>", count: -1, tag: ["x"])
        #expect(try await site.post(body: note, as: Note.self) == note)
        let sent = String(decoding: try #require(transport.lastRequest).body, as: UTF8.self)
        #expect(sent.hasPrefix("<?xml version=\"1.0\" encoding=\"UTF-8\"?>"))
        #expect(sent.contains("<note>"))
    }

    @Test func anXMLBombNeverReachesTheSecondParser() async throws {
        let bomb = """
            <?xml version="1.0"?><!DOCTYPE lolz [<!ENTITY lol "lol"><!ENTITY lol1 "&lol;&lol;&lol;&lol;&lol;&lol;">]>
            <note><to>&lol1;</to><count>1</count></note>
            """
        let error = await #expect(throws: CumulusError.self) { try await site(bomb).get(as: Note.self) }
        let problem = try #require(error?.cause as? DecodingProblem)
        #expect((problem.cause as? XML.ParsingError)?.reason == .entityDeclaration)
    }

    @Test func deepNestingIsRefusedBeforeTheSecondParser() async throws {
        let error = await #expect(throws: CumulusError.self) {
            try await site(String(repeating: "<a>", count: 10_000)).get(as: Note.self)
        }
        #expect(((error?.cause as? DecodingProblem)?.cause as? XML.ParsingError)?.reason == .tooDeep)
    }

    @Test func whatDoesNotFitIsNamedWithItsPathAndNotQuoted() async throws {
        let error = await #expect(throws: CumulusError.self) {
            try await site("<note><to>x</to><count>secret</count><tag>a</tag></note>").get(as: Note.self)
        }
        let shown = try #require(error)
        #expect(shown.code == .decoding)
        #expect("\(shown)".contains("count"))
        #expect(!"\(shown)".contains("secret"))
        #expect((shown.cause as? DecodingProblem)?.excerpt.revealed.contains("secret") == true)
    }

    @Test func theDecoderIsSetUpAsAsked() async throws {
        struct Named: Decodable, Sendable { var firstName: String }
        let site = site("<n><first_name>Ada</first_name></n>")
        site.setRules {
            $0.coders.registerXML(XMLBodyCoder(configureDecoder: { $0.keyDecodingStrategy = .convertFromSnakeCase }))
        }
        #expect(try await site.get(as: Named.self).firstName == "Ada")
    }

    // MARK: What XML can't hold

    private func written(_ value: any Encodable & Sendable, _ coder: XMLBodyCoder = XMLBodyCoder()) throws -> XML {
        let bytes = try coder.encode(value, as: nil)
        return try bytes.withUnsafeBytes { try XML(parsing: $0) }
    }

    @Test("a single value becomes a document named after its type, and is read back")
    func scalarsAreDocuments() throws {
        #expect(try written(3).description == "<Int>3</Int>")
        #expect(try written(true).description == "<Bool>true</Bool>")
        #expect(try written("a<b").description == "<String>a&lt;b</String>")
        #expect(try written(Optional(2.5)).name == "Optional")
        #expect(try written(3, XMLBodyCoder(rootName: "count")).description == "<count>3</count>")
        #expect(try written(Date(timeIntervalSinceReferenceDate: 1)).name == "Date")
        #expect(try written(Data([1, 2])).description == "<Data>AQI=</Data>")
        #expect(try written(Decimal(3)).name == "Decimal")
        let url = try #require(URL(string: "http://a.example/?a&b"))
        #expect(try written(url).text == "http://a.example/?a&b")
        #expect(try written([1, 2]).name == "Array")
        #expect(try written(["a": 1]).name == "Dictionary")
        #expect(throws: CodingProblem.self) { try written(Int?.none) }
        #expect(throws: CodingProblem.self) { try written(JSON.null) }
    }

    @Test func aTreeIsSentAndReadAsItIs() async throws {
        let tree = XML("a", attributes: ["b": "c"], text: "d")
        #expect(try written(tree) == tree)
        #expect(try await site("<a b=\"c\">d</a>").get(as: XML.self) == tree)
    }

    @Test(
        "a key that is not a valid XML name is an error, not another document",
        arguments: [
            "<", "a b", "1", "x><y></y", "a/><b", "a=\"", "a\0", "&", "-", "a\u{301}>", "x xmlns:y=\"z\" y:z", "]]>",
            "!--",
        ]
    )
    func keysAreChecked(key: String) throws {
        #expect(throws: CodingProblem.self) { try written([key: 1]) }
        #expect(throws: CodingProblem.self) { try written(["a": [[key: "b"]]]) }
        #expect(throws: CodingProblem.self) { try written(JSON.object(["a": ["b": .object([key: nil])]])) }
        #expect(throws: CodingProblem.self) { try written(["a": 1], XMLBodyCoder(rootName: key)) }
        let custom = XMLBodyCoder(configureEncoder: { $0.keyEncodingStrategy = .custom { _ in AnyKey(key) } })
        #expect(throws: CodingProblem.self) { try written(["a": 1], custom) }
    }

    @Test(
        "a character that XML doesn't allow is an error",
        arguments: ["\0", "a\u{1B}", "\u{8}", String(Unicode.Scalar(0xFFFF).map(Character.init) ?? "\u{1}")]
    )
    func charactersAreChecked(text: String) throws {
        #expect(throws: CodingProblem.self) { try written(["a": text]) }
        #expect(throws: (any Error).self) { try written(text) }
        #expect(throws: CodingProblem.self) { try written(JSON.object(["a": .string(text)])) }
    }

    @Test func aTextCannotEndItsSection() throws {
        let coder = XMLBodyCoder(configureEncoder: { $0.stringEncodingStrategy = .cdata })
        #expect(throws: CodingProblem.self) { try written(["a": "x]]><evil/>"], coder) }
        #expect(throws: CodingProblem.self) { try written(["a": ["x]]>\u{301}<evil/>"]], coder) }
        #expect(try written(["a": "x]] ><b/>"], coder).elements.first?.text == "x]] ><b/>")
        #expect(try written(["a": "x]]><evil/>"]).elements.first?.elements.isEmpty == true)
    }

    @Test("no JSON tree stops the process: it becomes a document, or an error")
    func treesOfJSONAreHarmless() throws {
        let texts = [
            "1", "true", "null", "\"a\"", "[]", "{}", "[[]]", "[[1,[2,[null]]],{}]", "{\"a\":[]}", "{\"a\":{}}",
            "{\"a\":[null,1,\"b\",{\"c\":[[1]]}]}", "[null]", "{\"a\":null}", "{\"\":1}", "{\"\":{\"\":[]}}",
            "[{\"\":[1]}]",
            "{\"id\":1e-9223372036854775808}", "[1e400]", "{\"a\":1,\"\":2}",
        ]
        for text in texts {
            let json = try JSON(parsing: text)
            if let document = try? written(json) { #expect(document.name == "JSON") }
        }
    }

    @Test func treesOfJSONAreRead() throws {
        let bytes = ByteChunk(Array("<a b=\"1\"><c>x</c><c>y</c></a>".utf8))
        #expect(try XMLBodyCoder().decode(JSON.self, from: bytes, of: nil) == ["@b": "1", "c": ["x", "y"]])
        let inner = ByteChunk(Array("<a><b>x</b></a>".utf8))
        #expect(try XMLBodyCoder().decode([String: JSON].self, from: inner, of: nil) == ["b": "x"])
    }

    @Test("no document stops the process, whatever type it is decoded into")
    func documentsAreHarmless() throws {
        let finished = DispatchSemaphore(value: 0)
        let thread = Thread {
            Self.readDocuments()
            finished.signal()
        }
        // A secondary thread on Apple's systems has 512 KiB; a sanitizer's frames are several times as large.
        let isSanitized = ProcessInfo.processInfo.environment["CUMULUS_SANITIZER"] != nil
        thread.stackSize = (512 << 10) * (isSanitized ? 8 : 1)
        thread.start()
        #expect(finished.wait(timeout: .now() + 300) == .success)
    }

    private static func readDocuments() {
        let texts = [
            "<a/>", "<a>1</a>", "<a>true</a>", "<a>nan</a>", "<a>NaN</a>", "<a>INF</a>", "<a>1e400</a>", "<a><b/></a>",
            "<a b=\"1\"/>", "<a>x<b/>y</a>", "<a><b>nan</b><b>inf</b></a>",
            "<a><to/><count>1e-99999999999</count><tag/></a>",
            "<a><![CDATA[]]></a>", "<a> </a>", "<a><b><c><d>1</d></c></b></a>",
        ]
        func read<Value: Decodable>(_ type: Value.Type, _ text: String) -> Value? {
            try? XMLBodyCoder().decode(type, from: ByteChunk(Array(text.utf8)), of: nil)
        }
        for text in texts {
            _ = (read(Int.self, text), read(Bool.self, text), read(String.self, text), read(Int?.self, text))
            _ = (read([Int].self, text), read([String: Int].self, text), read(JSON.self, text), read(XML.self, text))
            _ = (read([String: JSON].self, text), read([JSON].self, text), read([String: PropertyList].self, text))
            _ = (read(Note.self, text), read([Note].self, text), read(URL.self, text), read(Data.self, text))
            _ = (read(Decimal.self, text), read(Double.self, text), read([[Int]].self, text), read(UInt8.self, text))
            _ = (read(Date.self, text)?.description, read([Date].self, text)?.description)
            _ = read([String: Date].self, text)?.description
            for isDeferred in [true, false] {
                let coder = XMLBodyCoder(configureDecoder: {
                    $0.dateDecodingStrategy = isDeferred ? .deferredToDate : .millisecondsSince1970
                })
                let chunk = ByteChunk(Array(text.utf8))
                _ = try? coder.decode([String: [Date]].self, from: chunk, of: nil).description
                _ = try? coder.decode([Date].self, from: chunk, of: nil).description
            }
        }
    }

    @Test func fractionsOfASecondSurvive() throws {
        struct Event: Codable, Equatable, Sendable { var at: Date }
        let coder = XMLBodyCoder(
            rootName: "event",
            configureEncoder: { $0.dateEncodingStrategy = .iso8601 },
            configureDecoder: { $0.dateDecodingStrategy = .iso8601 }
        )
        let event = Event(at: Date(timeIntervalSince1970: 1_795_341_600.25))
        let bytes = try coder.encode(event, as: nil)
        #expect(
            bytes.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }.contains("<at>2026-11-22T10:00:00.250Z</at>")
        )
        #expect(try coder.decode(Event.self, from: bytes, of: nil) == event)
        let whole = ByteChunk(Array("<event><at>2026-11-22T10:00:00Z</at></event>".utf8))
        #expect(try coder.decode(Event.self, from: whole, of: nil).at == Date(timeIntervalSince1970: 1_795_341_600))
        let wrong = ByteChunk(Array("<event><at>soon</at></event>".utf8))
        #expect(throws: DecodingError.self) { try coder.decode(Event.self, from: wrong, of: nil) }
    }

    @Test(
        "white space within a text stays, also beside references",
        arguments: ["a& &b", "<p>one</p>\n<p>two</p>", "<b> <i>", "\"x\" & \"y\"", "a < b", "é & ü"]
    )
    func innerSpaces(text: String) throws {
        let note = Note(to: text, count: 1, tag: [])
        let bytes = try XMLBodyCoder(rootName: "note").encode(note, as: nil)
        #expect(try XMLBodyCoder().decode(Note.self, from: bytes, of: nil) == note)
    }

    @Test("white space around a text stays only if it is asked for") func outerSpaces() throws {
        let bytes = ByteChunk("<note>\n  <to>  Ada  </to>\n  <count>\n 3 </count>\n</note>")
        #expect(try XMLBodyCoder().decode(Note.self, from: bytes, of: nil) == Note(to: "Ada", count: 3, tag: []))
        struct Name: Codable, Sendable { var to: String }
        let exact = XMLBodyCoder(configureDecoder: { $0.trimValueWhitespaces = false })
        #expect(try exact.decode(Name.self, from: bytes, of: nil).to == "  Ada  ")
    }

    @Test("what would take XMLCoder minutes is refused, what takes it a moment is read") func longDocuments() throws {
        struct Text: Codable, Sendable { var t: String }
        let coder = XMLBodyCoder()
        func read(_ document: String) throws -> Int {
            let text = try coder.decode(Text.self, from: ByteChunk(document), of: nil)
            return text.t.utf8.count
        }
        func escaped(_ count: Int) -> String { "<n><t>\(String(repeating: "x&amp;", count: count))</t></n>" }
        func attributes(_ count: Int) -> String {
            "<n \((0..<count).map { "b\($0)=''" }.joined(separator: " "))><t>1</t></n>"
        }
        #expect(try read(escaped(10_000)) == 20_000)
        #expect(throws: CodingProblem.self) { try read(escaped(1_000_000)) }
        #expect(try read(attributes(2_000)) == 1)
        #expect(throws: CodingProblem.self) { try read(attributes(200_000)) }
    }

    private struct AnyKey: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(_ text: String) { stringValue = text }
        init?(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }
}

// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTesting
import CumulusXML
import HTTPTypes
import Testing
import XMLCoder

/// XML by `Codable`, and what never reaches libxml2.
@Suite struct XMLBodyCoderTests {
    struct Note: Codable, Sendable, Equatable {
        var to: String
        var count: Int
        var tag: [String]
    }

    private func site(_ body: String, type: String = "application/xml") -> Resource {
        let transport = StubTransport { _ in .response(headers: [.contentType: type], body: Array(body.utf8)) }
        let site = Resource("http://a.example", transport: transport)
        site.coders.registerXML()
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
        let site = Resource("http://a.example", transport: transport)
        site.coders.registerXML(XMLBodyCoder(rootName: "note"))
        site.contentType = .xml
        let note = Note(to: "<Grüße>", count: -1, tag: ["x"])
        #expect(try await site.post(note, as: Note.self) == note)
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
        site.coders.registerXML(XMLBodyCoder(configureDecoder: { $0.keyDecodingStrategy = .convertFromSnakeCase }))
        #expect(try await site.get(as: Named.self).firstName == "Ada")
    }
}

// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusFormats
import CumulusTesting
import HTTPTypes
import TestSupport
import Testing

/// The XML tree: parsing, access, writing.
@Suite struct XMLTests {
    @Test func aDocumentBecomesATree() throws {
        let text = """
            <?xml version="1.0" encoding="UTF-8"?>
            <!-- a comment -->
            <!DOCTYPE feed SYSTEM "feed.dtd" [<!ELEMENT feed ANY> <!-- <!ENTITY in a comment> -->]>
            <?style sheet?>
            <feed xmlns:a='urn:a' lang="d&#101;">
              <title>Tom &amp; &#x4A;erry <![CDATA[<3 & ]]>x<!-- no -->y</title>
              <a:link href="1"/><a:link href = '2' ></a:link >
            </feed>
            <!-- end -->

            """
        let xml = try XML(parsing: text)
        #expect(xml.name == "feed")
        #expect(xml[attribute: "lang"] == "de")
        #expect(xml.attributes.map(\.name) == ["xmlns:a", "lang"])
        #expect(xml["title"]?.children == [.text("Tom & Jerry <3 & xy")])
        #expect(xml.elements("a:link").compactMap { $0[attribute: "href"] } == ["1", "2"])
        #expect(xml.elements[1].localName == "link")
        #expect(xml["missing"] == nil)
    }

    @Test func whiteSpaceIsNormalisedAsXMLSays() throws {
        let xml = try XML(parsing: "<a b='1\t2\r\n3&#10;4'>x\r\ny\rz<![CDATA[\r\n]]></a>")
        #expect(xml[attribute: "b"] == "1 2 3\n4")
        #expect(xml.text == "x\ny\nz\n")
    }

    @Test(
        arguments: [
            ("", .unexpectedEnd, 1, 1), ("  ", .unexpectedEnd, 1, 3), ("x", .unexpectedByte, 1, 1),
            ("<a>", .unexpectedEnd, 1, 4), ("<a", .unexpectedEnd, 1, 3), ("<a/><b/>", .trailingBytes, 1, 5),
            ("<a/>x", .trailingBytes, 1, 5), ("<a>\n</b>", .wrongEndTag, 2, 1), ("</a>", .unexpectedByte, 1, 2),
            ("<a b='1' b='2'/>", .repeatedAttribute, 1, 10), ("<a b=1/>", .unexpectedByte, 1, 6),
            ("<a b/>", .unexpectedByte, 1, 5), ("<a b='<'/>", .unexpectedByte, 1, 7), ("<1/>", .unexpectedByte, 1, 2),
            ("<a>é&foo;</a>", .unknownEntity, 1, 5), ("<a>& </a>", .unknownEntity, 1, 4),
            ("<a>&#0;</a>", .invalidCharacterReference, 1, 4), ("<a>&#xD800;</a>", .invalidCharacterReference, 1, 4),
            ("<a>&#+65;</a>", .unknownEntity, 1, 4),
            ("<a>&#x110000;</a>", .invalidCharacterReference, 1, 4),
            ("<a>\u{1}</a>", .invalidCharacter, 1, 4), ("<a>\u{FFFE}</a>", .invalidCharacter, 1, 4),
            ("<a>]]></a>", .unexpectedByte, 1, 4), ("<a><!-- -- --></a>", .unexpectedByte, 1, 11),
            ("<a b='1'c='2'/>", .unexpectedByte, 1, 9), ("<a><![CDATA[x</a>", .unexpectedEnd, 1, 18),
            (" <?xml version='1.0'?><a/>", .unexpectedByte, 1, 2), ("<!DOCTYPE a [", .unexpectedEnd, 1, 14),
            ("<!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;</a>", .entityDeclaration, 1, 14),
            ("<!DOCTYPE a [<!ENTITY % b SYSTEM 'http://x'> %b;]><a/>", .entityDeclaration, 1, 14),
            ("<!DOCTYPE a [%b;]><a/>", .entityDeclaration, 1, 14), ("<a>\n  &x</a>", .unknownEntity, 2, 3),
        ] as [(String, XML.ParsingError.Reason, Int, Int)]
    )
    func whatIsNoXMLIsRefusedWithItsPlace(text: String, reason: XML.ParsingError.Reason, line: Int, column: Int) {
        let error = #expect(throws: XML.ParsingError.self) { try XML(parsing: text) }
        #expect(error?.reason == reason)
        #expect(error?.line == line)
        #expect(error?.column == column)
    }

    @Test("a character reference may have any number of leading zeros")
    func longReferences() throws {
        #expect(
            try XML(parsing: "<a b='&#x00000000000000000041;'>&#0000000000000000000000066;&#x1F600;</a>").text
                == "B\u{1F600}"
        )
        for wrong in ["&#99999999999999999999;", "&#xFFFFFFFFFFFFFFFFF;", "&#;", "&#x;", "&#x41", "&#4a;", "&#X41;"] {
            #expect(throws: XML.ParsingError.self, "\(wrong)") { try XML(parsing: "<a>\(wrong)</a>") }
        }
    }

    @Test(
        "declarations follow the grammar, although they are skipped",
        arguments: [
            "<?xml version='1.0'?>", "<?xml version=\"1.1\" ?>", "<?xml\tversion = '1.0'\nencoding = \"utf-8\" ?>",
            "<?xml version='1.0' encoding='UTF-8' standalone='yes'?>", "<?xml version='1.0' standalone=\"no\" ?>",
            "<?pi?>", "<?pi  any ? > thing ?>", "<?xml-stylesheet href='a'?>", "<!DOCTYPE a>", "<!DOCTYPE a >",
            "<!DOCTYPE a SYSTEM 'x>'>", "<!DOCTYPE a PUBLIC '-//W3C//DTD (1.0)' \"x\" []>", "<!DOCTYPE a[ ] >",
            "<!DOCTYPE a [<!ELEMENT a EMPTY><!ELEMENT b ANY >]>", "<!DOCTYPE a [<!ELEMENT a (#PCDATA)>]>",
            "<!DOCTYPE a [<!ELEMENT a ( #PCDATA )*><!ELEMENT b (#PCDATA| c |d)*>]>",
            "<!DOCTYPE a [<!ELEMENT a (b)><!ELEMENT b ((c?, d*)+ | e)?><!ELEMENT c ( ( d ) , e , f )>]>",
            "<!DOCTYPE a [<!ATTLIST a><!ATTLIST a b CDATA #IMPLIED c (d|1e) 'd' f NOTATION (g) #REQUIRED>]>",
            "<!DOCTYPE a [<!ATTLIST a b NMTOKENS #FIXED \"c &amp; &#65;\"> <!NOTATION g SYSTEM ''>]>",
            "<!DOCTYPE a [<!NOTATION g PUBLIC 'x'><!NOTATION h PUBLIC 'x' 'y' > <!-- > ] --><?p ]>?>]>",
        ]
    )
    func declarations(text: String) throws {
        #expect(try XML(parsing: "\(text)<a/>").name == "a")
    }

    @Test(
        "a document that is not well-formed before its root is refused",
        arguments: [
            "<?xml ?>", "<?xml encoding='utf-8'?>", "<?xml version='1.0'encoding='utf-8'?>", "<?xml version='2.0'?>",
            "<?xml version='1.'?>", "<?xml version=1.0?>", "<?xml version='1.0\"?>", "<?xml version='1.0' ? >",
            "<?xml version='1.0' standalone='yes' encoding='utf-8'?>", "<?xml version='1.0' encoding=''?>",
            "<?xml version='1.0' encoding='utf 8'?>", "<?xml version='1.0' standalone='YES'?>",
            "<?xml version='1.0' standalone='yes' standalone='yes'?>", "<?xml version='1.0' version='1.0'?>",
            "<?xml version='1.0' a='b'?>", "<?XML version='1.0'?>", "<? pi?>", "<?pi!?>", "<?1?>",
            "<!DOCTYPE>", "<!DOCTYPEa>", "<!doctype a>", "<!DOCTYPE 1>", "<!DOCTYPE a b>", "<!DOCTYPE a SYSTEM>",
            "<!DOCTYPE a SYSTEM x>", "<!DOCTYPE a SYSTEM'x'>", "<!DOCTYPE a PUBLIC 'x'>", "<!DOCTYPE a PUBLIC 'x''y'>",
            "<!DOCTYPE a PUBLIC '<' 'y'>", "<!DOCTYPE a PUBLIC \"\u{E9}\" 'y'>", "<!DOCTYPE a [] SYSTEM 'x'>",
            "<!DOCTYPE a [x]>", "<!DOCTYPE a [<b/>]>", "<!DOCTYPE a [<!FOO a>]>", "<!DOCTYPE a []] >",
            "<!DOCTYPE a [<![INCLUDE[]]>]>", "<!DOCTYPE a [<!-- -- -->]>", "<!DOCTYPE a [<?xml version='1.0'?>]>",
            "<!DOCTYPE a [<!ELEMENT a>]>", "<!DOCTYPE a [<!ELEMENT a empty>]>", "<!DOCTYPE a [<!ELEMENT a ()>]>",
            "<!DOCTYPE a [<!ELEMENT a (b,c|d)>]>", "<!DOCTYPE a [<!ELEMENT a (b>]>", "<!DOCTYPE a [<!ELEMENT a b>]>",
            "<!DOCTYPE a [<!ELEMENT a (b,)>]>", "<!DOCTYPE a [<!ELEMENT a (b)*+>]>",
            "<!DOCTYPE a [<!ELEMENT a (b) c>]>",
            "<!DOCTYPE a [<!ELEMENT a (#PCDATA|b)>]>", "<!DOCTYPE a [<!ELEMENT a (b|#PCDATA)*>]>",
            "<!DOCTYPE a [<!ELEMENT a (b c)>]>", "<!DOCTYPE a [<!ELEMENT (a|b) ANY>]>",
            "<!DOCTYPE a [<!ELEMENT a (b)) >]>",
            "<!DOCTYPE a [<!ATTLIST>]>", "<!DOCTYPE a [<!ATTLIST a b>]>", "<!DOCTYPE a [<!ATTLIST a b CDATA>]>",
            "<!DOCTYPE a [<!ATTLIST a b cdata #IMPLIED>]>", "<!DOCTYPE a [<!ATTLIST a b CDATA #implied>]>",
            "<!DOCTYPE a [<!ATTLIST a b (c,d) #IMPLIED>]>", "<!DOCTYPE a [<!ATTLIST a b () #IMPLIED>]>",
            "<!DOCTYPE a [<!ATTLIST a b CDATA 'x<'>]>", "<!DOCTYPE a [<!ATTLIST a b CDATA '&x;'>]>",
            "<!DOCTYPE a [<!ATTLIST a b CDATA 'x'c CDATA 'y'>]>", "<!DOCTYPE a [<!ATTLIST a b NOTATION (1) #IMPLIED>]>",
            "<!DOCTYPE a [<!ATTLIST a b CDATA #FIXED'x'>]>", "<!DOCTYPE a [<!NOTATION g>]>",
            "<!DOCTYPE a [<!NOTATION g PUBLIC 'x' y>]>", "<!DOCTYPE a><!DOCTYPE a>", "<!DOCTYPE a [",
            "<!DOCTYPE a [<!ELEMENT a \(String(repeating: "(", count: 300))b\(String(repeating: ")", count: 300))>]>",
        ]
    )
    func wrongDeclarations(text: String) {
        #expect(throws: XML.ParsingError.self) { try XML(parsing: "\(text)<a/>") }
    }

    @Test func aTruncatedDocumentIsRefusedAtEveryByte() {
        let text =
            "<?xml version='1.0'?><!DOCTYPE a PUBLIC 'p' 's' [<!ELEMENT a ((b,c)|d?)*><!ATTLIST a b (c|d) 'c'>"
            + "<!NOTATION g SYSTEM 'h'>]><a b='é&amp;'><![CDATA[x]]><c/>&#65;<!-- d --></a>"
        let bytes = Array(text.utf8)
        for length in 0..<bytes.count {
            #expect(throws: XML.ParsingError.self) { try XML(parsing: bytes[..<length]) }
        }
        #expect((try? XML(parsing: bytes)) != nil)
    }

    @Test(
        arguments: [
            [0x3C, 0x61, 0xFF], [0x3C, 0xC0, 0x80], [0x3C, 0x61, 0x3E, 0xED, 0xA0, 0x80],
            [0x3C, 0xF4, 0x90, 0x80, 0x80],
        ] as [[UInt8]]
    )
    func whatIsNoUTF8IsRefused(bytes: [UInt8]) {
        let error = #expect(throws: XML.ParsingError.self) { try XML(parsing: bytes) }
        #expect(error?.reason == .invalidUTF8)
    }

    @Test func aDocumentDamagedAnywhereNeverTraps() {
        let text =
            "<?xml version='1.0' encoding='utf-8'?><!DOCTYPE a [<!ELEMENT a ANY>]><a b='é&amp;'><![CDATA[x]]>&#65;<c/></a>"
        let whole = Array(text.utf8)
        for place in whole.indices {
            for value in "\u{0}<>&;'\"[]-!?/ #x".utf8 + [0x80, 0xC3, 0xE9, 0xFF] {
                var damaged = whole
                damaged[place] = value
                guard let xml = try? XML(parsing: damaged) else { continue }
                #expect((try? XML(parsing: xml.encoded())) == xml)
            }
        }
    }

    @Test func theCharsetIsThatOfMarkOrResponseOrDeclaration() throws {
        let latin = Array("<?xml version='1.0' encoding=\"ISO-8859-1\"?><a>".utf8) + [0xE9] + Array("</a>".utf8)
        #expect(try XML(parsing: latin).text == "é")
        #expect(throws: XML.ParsingError.self) { try XML(parsing: latin, charset: "utf-8") }
        let chinese = Array("<?xml version='1.0' encoding='gb2312'?><a>".utf8) + [0xD6, 0xD0] + Array("</a>".utf8)
        #expect(try XML(parsing: chinese).text == "中")
        var wide: [UInt8] = [0xFF, 0xFE]
        for unit in "<?xml version='1.0' encoding='utf-16'?><a>é</a>".utf16 {
            wide += [UInt8(unit & 0xFF), UInt8(unit >> 8)]
        }
        #expect(try XML(parsing: wide).text == "é")
        #expect(try XML(parsing: wide.dropFirst(2)).text == "é")
        let unknown = #expect(throws: XML.ParsingError.self) {
            try XML(parsing: Array("<?xml version='1.0' encoding='nonsense'?><a/>".utf8))
        }
        #expect(unknown?.reason == .invalidCharset)
    }

    @Test func depthAndSizeAreBounded() throws {
        let deep = #expect(throws: XML.ParsingError.self) { try XML(parsing: String(repeating: "<a>", count: 10_000)) }
        #expect(deep?.reason == .tooDeep)
        let nested = String(repeating: "<a>", count: 256) + String(repeating: "</a>", count: 256)
        #expect(try XML(parsing: nested).text == "")
        let many = Array(("<r>" + String(repeating: "<a/>", count: 1_001) + "</r>").utf8)
        let large = #expect(throws: XML.ParsingError.self) {
            try many.withUnsafeBytes { try XML(parsing: $0, maximumNodes: 1_000) }
        }
        #expect(large?.reason == .tooLarge)
    }

    @Test func aTextInManyPiecesIsReadInTime() throws {
        let xml = try XML(parsing: "<a>" + String(repeating: "x<!---->", count: 200_000) + "</a>")
        #expect(xml.children.count == 1)
        #expect(xml.text.utf8.count == 200_000)
    }

    @Test func theBillionLaughsAreRefusedBeforeAnythingIsExpanded() throws {
        var text = "<?xml version=\"1.0\"?>\n<!DOCTYPE lolz [\n <!ENTITY lol \"lol\">\n"
        for level in 1...9 {
            let reference = level == 1 ? "&lol;" : "&lol\(level - 1);"
            text += " <!ENTITY lol\(level) \"\(String(repeating: reference, count: 10))\">\n"
        }
        text += "]>\n<lolz>&lol9;</lolz>"
        let error = #expect(throws: XML.ParsingError.self) { try XML(parsing: text) }
        #expect(error?.reason == .entityDeclaration)
        #expect(error?.line == 3)
    }

    // MARK: Writing

    @Test func whatIsWrittenReadsTheSame() throws {
        var xml = XML(
            "a",
            attributes: ["x": "1 < \"2\" & 3\n\t", "ü": "é"],
            children: [
                .text("]]> \r & <"), .element(XML("b", text: "😀")), .element(XML("c")),
            ]
        )
        #expect(try XML(parsing: xml.encoded()) == xml)
        #expect(try XML(parsing: xml.encoded(.prettyPrinted)) == xml, "there is text beside the elements")
        xml[attribute: "x"] = nil
        xml[attribute: "y"] = "2"
        xml[attribute: "ü"] = "ä"
        #expect(xml.description == "<a ü=\"ä\" y=\"2\">]]&gt; &#13; &amp; &lt;<b>😀</b><c/></a>")
    }

    @Test func prettyPrintingPutsOneElementALine() throws {
        let xml = try XML(parsing: "<a><b>x</b>  <c><d/></c></a>")
        let pretty = String(decoding: try xml.encoded([.prettyPrinted, .withoutDeclaration]), as: UTF8.self)
        #expect(pretty == "<a>\n  <b>x</b>\n  <c>\n    <d/>\n  </c>\n</a>\n")
    }

    @Test func namesAndCharactersThatXMLHasNotAreNotWritten() {
        for xml in [XML("a b"), XML(""), XML("a", attributes: ["1": "x"]), XML("a", text: "\u{0}")] {
            #expect(throws: CodingProblem.self) { try xml.encoded() }
            #expect(xml.description == "")
        }
    }

    @Test func itBecomesNestedObjects() throws {
        let xml = try XML(parsing: "<a id='1'><b>x</b><b/><c k='v'>t</c> <d/></a>")
        #expect(xml.json == ["@id": "1", "b": ["x", nil], "c": ["@k": "v", "#text": "t"], "d": nil])
        #expect(try XML(parsing: "<a/>").json == .null)
    }

    @Test func itIsSentAndReceivedAsItIs() async throws {
        let transport = StubTransport { .response(headers: [.contentType: "text/xml"], body: $0.body) }
        let site = Resource("http://a.example", transport: transport.watched) { $0.coders.registerFormats() }
        let xml = XML("note", attributes: ["to": "Ada"], text: "Grüße")
        let back = try await site.post(body: xml, as: XML.self)
        #expect(back == xml)
        #expect(transport.lastRequest?.headers[.contentType] == "application/xml")
    }

    @Test("names are compared by their characters, not by how they look") func namesThatLookAlike() throws {
        #expect(throws: XML.ParsingError.self) { try XML(parsing: "<\u{e9}></e\u{301}>") }
        let xml = try XML(parsing: "<r \u{e9}='1' e\u{301}='2'/>")
        #expect(xml.attributes.map(\.value) == ["1", "2"])
        #expect(try XML(parsing: xml.encoded()) == xml)
        #expect(throws: XML.ParsingError.self) { try XML(parsing: "<r \u{e9}='1' e\u{301}='2' \u{e9}='3'/>") }
    }

    @Test("many names that look alike take no longer than others") func manyAlike() throws {
        let names = (0..<30_000).map { "\u{e9}\($0)='' e\u{301}\($0)=''" }.joined(separator: " ")
        let xml = try XML(parsing: "<r \(names)/>")
        #expect(xml.attributes.count == 60_000)
        #expect(try XML(parsing: xml.encoded()) == xml)
    }

    @Test("two attributes of one name are not written") func repeatedAttributes() {
        #expect(throws: CodingProblem.self) { try XML("a", attributes: ["x": "1", "x": "2"]).encoded() }
    }
}

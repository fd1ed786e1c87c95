// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import Testing

@testable import CumulusCLI

@Suite(.serialized) struct XMLLayoutTests {
    private func printed(
        _ bytes: [UInt8],
        type: String = "application/xml",
        terminal: Bool = false,
        formats: Bool = false,
        colors: Bool = false,
        charset: String? = nil
    ) -> String {
        var style = OutputPlan(
            parts: .responseBody,
            formats: formats,
            colors: colors,
            isTerminal: terminal
        )
        style.charset = charset
        var printer = BodyPrinter(type: MediaType(parsing: type), style: style)
        return String(decoding: printer.all(of: [bytes]), as: UTF8.self)
    }

    private func laidOut(_ text: String) -> String { printed(Array(text.utf8), formats: true) }

    @Test func elementsGetALineEachAndTextStaysAsItIs() {
        let text = "<?xml version=\"1.0\"?><a x='1 > 0'><b>t <i>u</i></b>\n\n<c/><d> </d><e></e></a>"
        #expect(
            laidOut(text) == """
                <?xml version="1.0"?>
                <a x='1 > 0'>
                  <b>t <i>u</i></b>
                  <c/>
                  <d> </d>
                  <e></e>
                </a>
                """
        )
    }

    @Test func nothingIsLost() {
        let text =
            "<!DOCTYPE a [<!ELEMENT a ANY> <!-- ] > -->]><!-- one --><a><?pi x?><!-- two --><b><![CDATA[<x>]]></b></a><!-- end -->"
        #expect(laidOut(text).split(separator: "\n").map { $0.drop { $0 == " " } }.joined() == text)
    }

    @Test(arguments: ["<a>", "<a>&b;</a>", "plain", "<!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;</a>"])
    func whatIsNoXMLIsPrintedAsItCame(text: String) { #expect(laidOut(text) == text) }

    @Test func kindsOfXMLAreLaidOutAndHTMLIsNot() {
        let bytes = Array("<a><b/></a>".utf8)
        for type in ["text/xml", "application/atom+xml", "image/svg+xml"] {
            #expect(printed(bytes, type: type, formats: true) == "<a>\n  <b/>\n</a>")
        }
        #expect(printed(bytes, type: "text/html", formats: true) == "<a><b/></a>")
    }

    @Test func xmlIsColored() {
        let text = printed(Array("<a k=\"v\">t<!--c--><b/></a>".utf8), colors: true)
        let (blue, cyan, green, faint, off) = ("\u{1B}[34m", "\u{1B}[36m", "\u{1B}[32m", "\u{1B}[90m", "\u{1B}[0m")
        #expect(
            text == "\(blue)<a\(off) \(cyan)k\(off)=\(green)\"v\"\(off)\(blue)>\(off)t\(faint)<!--c-->\(off)"
                + "\(blue)<b\(off)\(blue)/>\(off)\(blue)</a\(off)\(blue)>\(off)"
        )
    }

    @Test func `control characters of XML do nothing on a terminal`() {
        let bytes = Array("<a k=\"\u{9B}31m\">\u{9B}x\u{7F}</a>".utf8)
        let text = printed(bytes, terminal: true, formats: true, colors: true)
        #expect(!text.unicodeScalars.contains { $0.value == 0x9B || $0.value == 0x7F })
        #expect(text.contains("\\u009b"))
    }

    @Test func theDeclaredCharsetIsRead() {
        let bytes = Array("<?xml version='1.0' encoding='gb2312'?><a>".utf8) + [0xD6, 0xD0] + Array("</a>".utf8)
        #expect(printed(bytes, formats: true).contains("中"))
    }

    @Test func aCharsetThatIsAskedForIsReadWhereverItGoes() {
        #expect(printed([0xD6, 0xD0, 0xCE, 0xC4], type: "text/plain; charset=utf-8", charset: "gb2312") == "中文")
        #expect(printed([0xD6, 0xD0], type: "text/plain", terminal: true, charset: "gbk") == "中")
        #expect(printed([0x61, 0xFF, 0xFF], type: "text/plain", charset: "gb2312").hasPrefix("a"), "as it came")
    }
}

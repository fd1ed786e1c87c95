// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing

/// Text in the supported charsets, in both directions; the bytes are from Python's codecs.
@Suite struct CharsetTests {
    private static func site(_ body: [UInt8], type: String) -> Resource {
        Resource(
            "http://a.example",
            transport: StubTransport { _ in .response(headers: [.contentType: type], body: body) }.watched
        )
    }

    static let samples: [(String, String, [UInt8])] = [
        ("gb2312", "中文", [0xD6, 0xD0, 0xCE, 0xC4]),
        ("GBK", "中文€", [0xD6, 0xD0, 0xCE, 0xC4, 0x80]),
        ("gb18030", "中😀", [0xD6, 0xD0, 0x94, 0x39, 0xFC, 0x36]),
        ("big5", "中文", [0xA4, 0xA4, 0xA4, 0xE5]),
        ("shift_jis", "日本ｱ", [0x93, 0xFA, 0x96, 0x7B, 0xB1]),
        ("euc-jp", "日本", [0xC6, 0xFC, 0xCB, 0xDC]),
        ("iso-2022-jp", "日a", [0x1B, 0x24, 0x42, 0x46, 0x7C, 0x1B, 0x28, 0x42, 0x61]),
        ("euc-kr", "한글", [0xC7, 0xD1, 0xB1, 0xDB]),
        ("windows-1252", "€ß", [0x80, 0xDF]),
        ("windows-1251", "Привет", [0xCF, 0xF0, 0xE8, 0xE2, 0xE5, 0xF2]),
        ("koi8-r", "Привет", [0xF0, 0xD2, 0xC9, 0xD7, 0xC5, 0xD4]),
        ("iso-8859-15", "€", [0xA4]),
        ("iso-8859-1", "é", [0xE9]),
        ("us-ascii", "a", [0x61]),
        ("utf-16", "aé", [0xFE, 0xFF, 0, 0x61, 0, 0xE9]),
        ("utf-16le", "a😀", [0x61, 0, 0x3D, 0xD8, 0, 0xDE]),
        ("utf-32", "a", [0, 0, 0xFE, 0xFF, 0, 0, 0, 0x61]),
        ("utf-32le", "😀", [0, 0xF6, 0x01, 0]),
    ]

    @Test("Text is decoded and encoded in a charset", arguments: samples.filter { $0.0 != "GBK" })
    func bothWays(charset: String, text: String, bytes: [UInt8]) async throws {
        let type = "text/plain; charset=\(charset)"
        #expect(try await Self.site(bytes, type: type).get(as: String.self) == text)
        let transport = StubTransport { _ in .text("") }
        let site = Resource("http://a.example", transport: transport.watched)
        _ = try await site.post(.text(text, type: MediaType(parsing: type)))
        #expect(transport.lastRequest?.body == bytes)
        #expect(transport.lastRequest?.headers[.contentType] == type)
        _ = try await site.post(body: text, headers: [.contentType: type])
        #expect(transport.lastRequest?.body == bytes)
    }

    @Test("A charset is set for one response, or for a site")
    func chosen() async throws {
        let site = Self.site([0xD6, 0xD0, 0xCE, 0xC4], type: "text/plain; charset=utf-8")
        #expect(try await site.get().text(as: "gb2312") == "中文")
        #expect(try await site.get().text == "ÖÐÎÄ", "the bytes are not valid UTF-8")
        site.setRules { $0.coders.registerText(TextCoder(charset: "gb2312")) }
        #expect(try await site["a"].get().text == "中文")
        #expect(try await site["a"].get(as: String.self) == "中文")
    }

    @Test("Latin-1 is the charset of text without one, as in RFC 2616")
    func rfc2616() async throws {
        let utf8 = Array("é".utf8)
        let site = Self.site(utf8, type: "text/plain")
        #expect(try await site.get().text == "é")
        site.setRules { $0.coders.registerText(TextCoder(unnamed: .rfc2616)) }
        #expect(try await site.get().text == "Ã©")
        let other = Self.site(utf8, type: "application/x-note")
        other.setRules { $0.coders.registerText(TextCoder(unnamed: .rfc2616)) }
        #expect(try await other.get().text == "é")
    }

    @Test(
        "Text that is invalid in its charset is refused with the position",
        arguments: [
            ("gb2312", [0x61, 0xFF, 0xFF]), ("euc-jp", [0x61, 0xC6]), ("iso-2022-jp", [0x1B, 0x24, 0x42, 0x46]),
        ]
            as [(String, [UInt8])]
    )
    func refused(charset: String, bytes: [UInt8]) async throws {
        let site = Self.site(bytes, type: "text/plain")
        site.setRules { $0.coders.registerText(TextCoder(charset: charset)) }
        let error = await #expect(throws: CumulusError.self) { try await site.get(as: String.self) }
        #expect(error?.code == .decoding)
        #expect(error?.message.contains("byte") == true)
    }

    @Test(
        "A charset that a response names wrongly is passed over: the byte order mark, UTF-8 and Latin-1 follow",
        arguments: [
            ("x-unknown", Array("caf\u{E9}".utf8), "café"), ("x-unknown", [0x63, 0xE9], "cé"),
            ("x-unknown", [0xFF, 0xFE, 0x61, 0], "a"), ("utf-8", [0x63, 0xE9], "cé"), ("", [0x61], "a"),
            ("us-ascii", Array("é".utf8), "é"), ("gb2312", [0x61, 0xFF, 0xFF], "aÿÿ"),
            ("\"UTF-8\"", Array("é".utf8), "é"), ("'gb2312'", [0xD6, 0xD0], "中"), ("\"gb2312", [0xD6, 0xD0], "中"),
        ]
            as [(String, [UInt8], String)]
    )
    func passedOver(charset: String, bytes: [UInt8], text: String) async throws {
        let site = Self.site(bytes, type: "text/plain; charset=\(charset)")
        #expect(try await site.get().text == text)
        #expect(try await site.get(as: String.self) == text)
    }

    @Test(
        "JSON is read in UTF-8, UTF-16, UTF-32, and in the named charset if it is not valid UTF-8",
        arguments: [
            ("application/json", Array("{\"t\":\"é\"}".utf8)),
            ("application/json; charset=iso-8859-1", Array("{\"t\":\"é\"}".utf8)),
            ("application/json; charset=iso-8859-1", Array("{\"t\":\"".utf8) + [0xE9] + Array("\"}".utf8)),
            ("application/json; charset=x-unknown", Array("{\"t\":\"é\"}".utf8)),
            ("application/json", [0xFF, 0xFE] + utf16("{\"t\":\"é\"}")),
            ("application/json; charset=utf-16le", utf16("{\"t\":\"é\"}")),
            ("application/json", utf16("{\"t\":\"é\"}")),
        ]
            as [(String, [UInt8])]
    )
    func json(type: String, bytes: [UInt8]) async throws {
        let site = Self.site(bytes, type: type)
        #expect(try await site.get(as: [String: String].self) == ["t": "é"])
        #expect(try await site.get().json()["t"] == "é")
    }

    private static func utf16(_ text: String) -> [UInt8] {
        text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
    }

    @Test(
        "An unknown charset that you name is refused by its name",
        arguments: [
            "nonsense", "utf-7", "UTF-8//TRANSLIT", "../../x", "iso-8859-12", "windows-1300", "iso-2022-cn-ext",
        ]
    )
    func unknown(charset: String) async throws {
        let site = Self.site([0x61], type: "text/plain")
        site.setRules { $0.coders.registerText(TextCoder(charset: charset)) }
        let error = await #expect(throws: CumulusError.self) { try await site.get(as: String.self) }
        #expect(error?.message.contains("is unknown") == true)
        let sending = await #expect(throws: CumulusError.self) {
            try await site.post(
                .text("a", type: MediaType("text", "plain", parameters: [.init(name: "charset", value: charset)]))
            )
        }
        #expect(sending?.code == .encoding)
    }

    @Test("Unsupported characters are not sent", arguments: ["us-ascii", "iso-8859-1", "gb2312", "windows-1251"])
    func lacking(charset: String) async throws {
        let site = Self.site([], type: "text/plain")
        let error = await #expect(throws: CumulusError.self) {
            try await site.post(
                .text("a😀", type: MediaType("text", "plain", parameters: [.init(name: "charset", value: charset)]))
            )
        }
        #expect(error?.code == .encoding)
    }

    @Test("No bytes make a charset hang or grow", arguments: samples.map(\.0))
    func anyBytes(charset: String) async throws {
        let coder = TextCoder(charset: charset)
        for first in 0...255 {
            var bytes: [UInt8] = []
            for second in 0...255 { bytes += [UInt8(first), UInt8(second)] }
            _ = try? coder.decode(String.self, from: ByteChunk(bytes), of: nil)
            for second in stride(from: first % 16, through: 255, by: 16) {
                let text = try? coder.decode(String.self, from: ByteChunk([UInt8(first), UInt8(second)]), of: nil)
                #expect((text?.utf8.count ?? 0) <= 8)
            }
        }
    }

    @Test("A long text is converted whole")
    func long() async throws {
        let text = String(repeating: "中文a", count: 50_000)
        let bytes = Array(repeating: [0xD6, 0xD0, 0xCE, 0xC4, 0x61] as [UInt8], count: 50_000).flatMap(\.self)
        #expect(try await Self.site(bytes, type: "text/plain; charset=gbk").get(as: String.self) == text)
    }
}

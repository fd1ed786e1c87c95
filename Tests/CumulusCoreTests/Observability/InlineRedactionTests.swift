// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import CumulusCore

/// Secrets within text of any grammar, in any charset, and of names that are told by another member.
@Suite struct InlineRedactionTests {
    private static func shown(_ text: String, _ type: MediaType? = nil) -> String {
        String(decoding: SecretRedaction.body(ByteChunk(text), of: type), as: UTF8.self)
    }

    private static let charsets: [(name: String, charset: Charset)] = [
        ("utf-16", .utf16(bigEndian: nil)), ("utf-16le", .utf16(bigEndian: false)),
        ("utf-16be", .utf16(bigEndian: true)),
        ("utf-32", .utf32(bigEndian: nil)), ("utf-32le", .utf32(bigEndian: false)),
        ("utf-32be", .utf32(bigEndian: true)),
    ]

    @Test("text in UTF-16 and UTF-32 loses its secrets in its own charset, declared or not", arguments: charsets)
    func wide(name: String, charset: Charset) throws {
        let type = try #require(MediaType(parsing: "application/json; charset=\(name)"))
        for text in [
            #"{"a":1,"password":"hunter2"}"#, "<a><password>hunter2</password></a>", "user: ada\npassword: hunter2\n",
        ] {
            let expected = Self.shown(text)
            let bytes = try charset.encode(text)
            for type in [type, nil] {
                let shown = SecretRedaction.body(ByteChunk(bytes), of: type)
                let read = try shown.withUnsafeBytes { try charset.decode($0) }
                #expect(read == expected && !read.contains("hunter2"))
            }
        }
        let harmless = try charset.encode(#"{"barcode":"x","monkey":2}"#)
        let unchanged = SecretRedaction.body(ByteChunk(harmless), of: type)
        #expect(unchanged == harmless)
    }

    @Test("a declared charset that the bytes are not in hides no secret")
    func wrongCharset() throws {
        let type = try #require(MediaType(parsing: "application/json; charset=utf-16"))
        #expect(Self.shown(#"{"password":"hunter2"}"#, type) == #"{"password":"<redacted>"}"#)
        let shiftJIS = try #require(MediaType(parsing: "application/json; charset=windows-1252"))
        let wide = try Charset.utf16(bigEndian: false).encode(#"{"password":"hunter2"}"#)
        let shown = SecretRedaction.body(ByteChunk(wide), of: shiftJIS).filter { $0 != 0 }
        #expect(!String(decoding: shown, as: UTF8.self).contains("hunter2"))
    }

    @Test(
        "zeros don't end the search for secrets",
        arguments: [
            "{\"password\":\"hunter2\"}\0", "\0{\"password\":\"hunter2\"}", "password=hunter2\0\n",
            "a: \0\npassword: hunter2\n", "<a>\0<password>hunter2</password></a>", "a=\0&password=hunter2",
        ]
    )
    func zeros(text: String) { #expect(!Self.shown(text).contains("hunter2")) }

    private static let links: [(text: String, shown: String)] = [
        (#"{"url":"https://bob:hunter2@h/x"}"#, #"{"url":"https://<redacted>@h/x"}"#),
        (#"{"url":"https:\/\/h\/?a=1&access_token=hunter2"}"#, #"{"url":"https://h/?a=1&access_token=<redacted>"}"#),
        (#"{"to":"/x;jsessionid=hunter2?a=1"}"#, #"{"to":"/x;jsessionid=<redacted>?a=1"}"#),
        (#"{"headers":["Authorization: Bearer hunter2"]}"#, #"{"headers":["Authorization: <redacted>"]}"#),
        (#"{"body":"user=ada&password=hunter2"}"#, #"{"body":"user=ada&password=<redacted>"}"#),
        (#"{"scopes":["auth:read","key:write"],"b":"a@b"}"#, #"{"scopes":["auth:read","key:write"],"b":"a@b"}"#),
        ("GET /x?token=hunter2 HTTP/1.1\r\n\r\n", "GET /x?token=<redacted> HTTP/1.1\r\n\r\n"),
        ("see https://bob:hunter2@h/x, or ask", "see https://<redacted>@h/x, or ask"),
        ("ask bob@h.example about https://h/@bob", "ask bob@h.example about https://h/@bob"),
        (
            "<a href=\"https://u:hunter2@h/?token=hunter2\"/>",
            "<a href=\"https://&lt;redacted&gt;@h/?token=&lt;redacted&gt;\"/>"
        ),
        ("curl -H \"Authorization: Bearer hunter2\" http://h", "curl -H \"Authorization: <redacted>\" http://h"),
        ("x[\"password\"] = \"hunter2\"; y()", "x[\"password\"] = \"<redacted>\"; y()"),
    ]

    @Test("URLs, fields and pairs within texts lose their secrets", arguments: links)
    func hidesLinks(text: String, shown: String) { #expect(Self.shown(text) == shown) }

    @Test("a private key is hidden in text and in strings, a certificate is shown")
    func keys() {
        let begin = "-----BEGIN RSA PRIVATE KEY-----"
        let end = "-----END RSA PRIVATE KEY-----"
        #expect(Self.shown("\(begin)\nhunter2\n\(end)\nx") == "\(begin)<redacted>\(end)\nx")
        #expect(
            Self.shown("{\"pem\":\"\(begin)\\nhunter2\\n\(end)\",\"b\":1}")
                == "{\"pem\":\"\(begin)<redacted>\(end)\",\"b\":1}"
        )
        #expect(!Self.shown("\(begin)\nhunter2").contains("hunter2"))
        let open = "-----BEGIN CERTIFICATE-----\nabc\n-----END CERTIFICATE-----\n"
        #expect(Self.shown(open) == open)
    }

    private static let siblings: [(text: String, shown: String)] = [
        (#"[{"name":"password","value":"hunter2"}]"#, #"[{"name":"password","value":"<redacted>"}]"#),
        (
            #"[{"value": {"a":["hunter2"]} ,"b":1,"name":"token"},{"value":3}]"#,
            #"[{"value": "<redacted>" ,"b":1,"name":"token"},{"value":3}]"#
        ),
        (#"{"key":"DB_PASSWORD","value":"hunter2"}"#, #"{"key":"<redacted>","value":"<redacted>"}"#),
        (#"{"name":"barcode","value":"x"}"#, #"{"name":"barcode","value":"x"}"#),
        (
            #"{"name":"country_code","value":"x","b":{"name":"y"}}"#,
            #"{"name":"country_code","value":"x","b":{"name":"y"}}"#
        ),
        (#"{"name":"password","value":"hunter2"#, #"{"name":"password","value":"<redacted>""#),
        (
            "<p><Name>password</Name><Type>x</Type><Value>hunter2</Value></p>",
            "<p><Name>password</Name><Type>x</Type><Value>&lt;redacted&gt;</Value></p>"
        ),
        ("<p><Name>color</Name><Value>blue</Value></p>", "<p><Name>color</Name><Value>blue</Value></p>"),
        (
            "e:\n  - name: password\n    value: hunter2\n  - name: b\n    value: c\n",
            "e:\n  - name: password\n    value: <redacted>\n  - name: b\n    value: c\n"
        ),
        ("!!str password: hunter2\nb: 1", "!!str password: <redacted>\nb: 1"),
        ("&a password: hunter2\nb: 1", "&a password: <redacted>\nb: 1"),
    ]

    @Test("a value is hidden if a sibling or a mark says that it is secret", arguments: siblings)
    func hidesSiblings(text: String, shown: String) { #expect(Self.shown(text) == shown) }

    @Test("JSON within the text, an attribute or a comment of XML is looked into")
    func documents() {
        for text in [
            #"<a>{"password":"hunter2"}</a>"#, #"<a><![CDATA[{"password":"hunter2"}]]></a>"#,
            "<a>{&quot;password&quot;:&#34;hunter2&#x22;}</a>", "<a b='{\"password\":\"hunter2\"}'/>",
            "<a><!-- password: hunter2 --></a>",
        ] {
            #expect(!Self.shown(text).contains("hunter2"), "\(text)")
        }
        let text = "<a b='x &amp; y'>1 &lt; 2: {} = &amp;</a><!-- a: b = c -->"
        #expect(Self.shown(text) == text)
    }

    private static let forms: [(text: String, shown: String)] = [
        ("user=ada\npassword=hunter2", "user=ada\npassword=<redacted>"),
        (#"data={"password":"hunter2","b":"x&y"}&c=1"#, #"data={"password":"<redacted>","b":"x&y"}&c=1"#),
        ("data=%7B%22password%22%3A%22hunter2%22%7D&b=1", "data=<redacted>&b=1"),
        ("to=https%3A%2F%2Fh%2F%3Ftoken%3Dhunter2&b=1", "to=<redacted>&b=1"),
        ("to=https%253A%252F%252Fh%252F%253Ftoken%253Dhunter2", "to=<redacted>"),
        ("to=https%3A%2F%2Fh%2F%3Fpage%3D2&off=100%25", "to=https%3A%2F%2Fh%2F%3Fpage%3D2&off=100%25"),
    ]

    @Test("the values of a form are looked into, percent-encoded or not", arguments: forms)
    func hidesForms(text: String, shown: String) { #expect(Self.shown(text, .form) == shown) }

    @Test("hostile text of each kind is read a bounded number of times")
    func long() {
        for unit in [
            "{\"name\":", "{\"value\":", "\"name\":\"token\",\"value\":", "://a@", "?a=%25", "a%25=", "%2525", "\n--a",
            "-----BEGIN PRIVATE KEY-----", "--a\nContent-", "? token\n", "&a ", "<key>token</key>", "&#65;",
            "x[\"token\"]", "{\"a\":\"", "a\0", "\0\0\0a", ";a=", "name: token\nvalue: ",
        ] {
            let text = String(repeating: unit, count: SlowTests.rounds(1_000, of: 15_000))
            _ = Self.shown(text)
            _ = Self.shown("<a>\(text)")
            _ = Self.shown("{\"a\":\"\(text)\"}")
            _ = Self.shown("--a\r\nContent-Type: text/plain\r\n\r\n\(text)")
        }
    }
}

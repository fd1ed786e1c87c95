// SPDX-License-Identifier: Apache-2.0

import CumulusTesting
import HTTPTypes
import TestSupport
import Testing

@testable import CumulusCore

/// Bodies are judged by what they contain.
@Suite struct BodyRedactionTests {
    private static func shown(_ text: String, _ type: MediaType? = nil) -> String {
        String(decoding: SecretRedaction.body(ByteChunk(text), of: type), as: UTF8.self)
    }

    @Test(
        "JSON is recognized under any media type",
        arguments: [
            "application/x-amz-json-1.1", "application/x-ndjson", "application/json-seq", "application/csp-report",
            "application/json5", "application/vnd.kafka.json.v2+json", "application/vnd.kafka.v2",
            "application/graphql",
            "application/octet-stream", "text/html", "application/x-nobody-knows",
        ]
    )
    func jsonUnderAnyType(type: String) throws {
        let type = try #require(MediaType(parsing: type))
        let lines = #"{"a":1,"password":"hunter2"}"# + "\n" + #"{"token":"hunter3"}"#
        #expect(Self.shown(lines, type) == #"{"a":1,"password":"<redacted>"}"# + "\n" + #"{"token":"<redacted>"}"#)
        #expect(Self.shown("\u{1E}" + lines, type).contains("hunter") == false)
        #expect(Self.shown("\u{FEFF}" + lines, type).contains("hunter") == false)
    }

    private static let texts: [(text: String, shown: String)] = [
        // JSON5 and JavaScript.
        ("{user: 'ada', password: 'hunter2', n: 1}", "{user: 'ada', password: '<redacted>', n: 1}"),
        ("{// c\n  token: hunter2,\n b: 2}", "{// c\n  token: <redacted>,\n b: 2}"),
        ("{password: 'hun' + 'ter2', b: 2}", "{password: '<redacted>', b: 2}"),
        ("send({ apiKey: `hunter2`, page: 2 });", "send({ apiKey: `<redacted>`, page: 2 });"),
        ("const password = \"hunter2\";\nlet x = 1;", "const password = \"<redacted>\"\nlet x = 1;"),
        ("f(); client.secret = hunter2", "f(); client.secret = <redacted>"),
        // GraphQL.
        (
            "mutation { login(user: \"ada\", password: \"hunter2\") { id } }",
            "mutation { login(user: \"ada\", password: \"<redacted>\") { id } }"
        ),
        ("mutation { m(password: \"\"\"hun\"ter2\"\"\", a: 1) }", "mutation { m(password: \"<redacted>\", a: 1) }"),
        ("query ($token: String!) { a(n: 1) }", "query ($token: <redacted>) { a(n: 1) }"),
        // YAML and settings.
        ("user: ada\npassword: hunter2 # why\nn: 1\n", "user: ada\npassword: <redacted>\nn: 1\n"),
        ("a:\n  - token: hunter2\n    b: 1\n", "a:\n  - token: <redacted>\n    b: 1\n"),
        ("password: |\n  hunter2\n  hunter3\nb: 1", "password: <redacted>\nb: 1"),
        ("token:\n  - hunter2\n\n  - hunter3\nb: 1", "token:<redacted>\nb: 1"),
        ("token:\n- hunter2\nb: 1", "token:<redacted>\nb: 1"),
        ("password: hun\n  ter2\nb: 1", "password: <redacted>\nb: 1"),
        ("note: it's\npassword: hunter2\nother: don't", "note: it's\npassword: <redacted>\nother: don't"),
        ("size: 5\"\npassword: \"hunter2\"\n", "size: 5\"\npassword: \"<redacted>\"\n"),
        ("? password\n: x\nb: 1", "? password\n: <redacted>\nb: 1"), ("? color\n: x", "? color\n: x"),
        ("{user: ada, password: hunter2}", "{user: ada, password: <redacted>}"),
        ("export API_KEY=hunter2\nPATH=/bin\n", "export API_KEY=<redacted>\nPATH=/bin\n"),
        ("'password' => 'hunter2'", "'password' => '<redacted>'"),
        ("Authorization: Bearer hunter2\r\nAccept: */*\r\n", "Authorization: <redacted>\nAccept: */*\r\n"),
        // A form without its type, and with a line end.
        ("a=1&password=hunter2\n", "a=1&password=<redacted>"),
        // Sentences.
        ("the password=hunter2", "the password=hunter2"), ("see password: below", "see password: below"),
        ("he said password: \"hunter2\" twice", "he said password: \"<redacted>\" twice"),
        ("https://a.example/x\nkeyboard: de\nmonkey: 2", "https://a.example/x\nkeyboard: de\nmonkey: 2"),
    ]

    @Test("text of other grammars loses values with secret names", arguments: texts)
    func text(text: String, shown: String) { #expect(Self.shown(text) == shown) }

    private static let documents: [(text: String, shown: String)] = [
        ("<a><password>hunter2</password><b>1</b></a>", "<a><password>&lt;redacted&gt;</password><b>1</b></a>"),
        ("<w:Password Type='t'>hunter2</w:Password>", "<w:Password Type='t'>&lt;redacted&gt;</w:Password>"),
        ("<a token=\"hunter2\" b='1'/>", "<a token=\"&lt;redacted&gt;\" b='1'/>"),
        ("<secret><secret>hunter2</secret>hunter3</secret>", "<secret>&lt;redacted&gt;</secret>"),
        ("<token><![CDATA[</token>hunter2]]></token><b/>", "<token>&lt;redacted&gt;</token><b/>"),
        ("<!-- <token> --><b>1</b>", "<!-- <token> --><b>1</b>"), ("<token/><b>1</b>", "<token/><b>1</b>"),
        ("<token>hunter2", "<token>&lt;redacted&gt;"), ("<password></password>", "<password></password>"),
        ("<add key=\"ApiKey\" value=\"hunter2\"/>", "<add key=\"ApiKey\" value=\"&lt;redacted&gt;\"/>"),
        ("<entry key=\"color\">blue</entry>", "<entry key=\"color\">blue</entry>"),
        ("<input name=password value=hunter2><b>1</b>", "<input name=password value=&lt;redacted&gt;><b>1</b>"),
        (
            "<plist><dict><key>password</key><string>hunter2</string><key>a</key><string>b</string></dict></plist>",
            "<plist><dict><key>password</key><string>&lt;redacted&gt;</string><key>a</key><string>b</string></dict></plist>"
        ),
        (
            "<member><name>token</name><value><string>hunter2</string></value></member>",
            "<member><name>token</name><value>&lt;redacted&gt;</value></member>"
        ),
    ]

    @Test("XML, property lists and HTML lose content and attributes with secret names", arguments: documents)
    func document(text: String, shown: String) {
        #expect(Self.shown(text, .xml) == shown)
        #expect(Self.shown(text) == shown)
    }

    @Test("a document within a string of JSON is looked into, at any reasonable depth")
    func nested() {
        let query = #"{"query":"mutation { login(password: \"hunter2\") { id } }"}"#
        #expect(Self.shown(query, .json) == #"{"query":"mutation { login(password: \"<redacted>\") { id } }"}"#)
        var text = #"{"password":"hunter2"}"#
        for _ in 0..<7 {
            text = String(decoding: JSON.object(["body": .string(text)]).encoded(), as: UTF8.self)
            #expect(!Self.shown(text, .json).contains("hunter2"))
        }
    }

    @Test("a part of a form is judged like a body of its own, and a file that isn't text stays as it is")
    func parts() async throws {
        let site = Resource("http://a.example", transport: StubTransport { _ in .text("ok") }.watched)
        var form = MultipartForm()
        form.append(.bytes(Array(#"{"password":"hunter2","b":1}"#.utf8), fileName: nil, type: .json), name: "meta")
        form.append(.bytes([0, 1] + Array("token=hunter3".utf8), fileName: "x.bin", type: .bytes), name: "file")
        let text = try await site["up"].call(.post, .multipart(form)).curl()
        #expect(!text.contains("hunter2") && text.contains("hunter3"))
    }

    @Test("long text without structure is read once")
    func long() {
        for unit in ["[", "'", "\"", "\\'", "<a ", "<token>", "token:", "a='", "\n  - token:", "<!--"] {
            let text = String(repeating: unit, count: SlowTests.rounds(10_000, of: 60_000))
            _ = Self.shown(text)
            _ = Self.shown("<a>\(text)", .xml)
            _ = Self.shown("{\(text)", .json)
        }
    }
}

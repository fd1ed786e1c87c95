// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives
import CumulusTesting
import HTTPTypes
import TestSupport
import Testing

@testable import CumulusCore

/// JSON and forms are shown without their secrets; other bodies are not shown.
@Suite struct BodyRedactionTests {
    private static func shown(_ text: String, _ type: MediaType?) -> String? {
        SecretRedaction.body(ByteChunk(text), of: type).map { String(decoding: $0, as: UTF8.self) }
    }

    private static let json: [(text: String, shown: String?)] = [
        (#"{"a":1,"password":"hunter2"}"#, #"{"a":1,"password":"<redacted>"}"#),
        (#"{"a":{"b":[{"token" : {"x":"hunter2","y":["}"]}}]}}"#, #"{"a":{"b":[{"token":"<redacted>"}]}}"#),
        (#"{"pass\u0077ord":"hunter2"}"#, #"{"password":"<redacted>"}"#),
        // A field as a pair, and another list.
        (
            #"[["Authorization","Bearer hunter2"],["Accept","*/*"]]"#,
            #"[["Authorization","<redacted>"],["Accept","*/*"]]"#
        ),
        (#"["password","confirm","a"]"#, #"["password","confirm","a"]"#),
        // Values that aren't secrets under names that look secret.
        (
            #"{"max_tokens":4096,"usage":{"totalTokens":17},"code":404,"token":null,"session":true}"#,
            #"{"max_tokens":4096,"usage":{"totalTokens":17},"code":404,"token":null,"session":true}"#
        ),
        (
            #"{"code":"hunter2","pin":123,"otp_code":123,"tokens":["hunter2"]}"#,
            #"{"code":"<redacted>","pin":"<redacted>","otp_code":"<redacted>","tokens":"<redacted>"}"#
        ),
        (#"[{"name":"password","value":"hunter2"}]"#, #"[{"name":"password","value":"<redacted>"}]"#),
        (
            #"[{"value": {"a":["hunter2"]} ,"b":1,"name":"token"},{"value":3}]"#,
            #"[{"value":"<redacted>","b":1,"name":"token"},{"value":3}]"#
        ),
        (#"{"key":"DB_PASSWORD","value":"hunter2"}"#, #"{"key":"<redacted>","value":"<redacted>"}"#),
        (#"{"name":"barcode","value":"x"}"#, #"{"name":"barcode","value":"x"}"#),
        // Without a secret, as written; but a repeated member that the parser drops is not shown.
        ("{ \"user\" : \"ada\",\n \"n\" : 1.50 }\n", "{ \"user\" : \"ada\",\n \"n\" : 1.50 }\n"),
        (#"{"a":{"token":"hunter2"},"a":1}"#, #"{"a":1}"#),
        // Not JSON.
        (#"{"password":"hunter2"#, nil), (#"{"token":"a","token":hunter2}"#, nil), ("{password: 'hunter2'}", nil),
        ("{\"a\":1}\n{\"token\":\"hunter2\"}", nil), ("{\"password\":\"hunter2\"}\0", nil),
        // A name that contains a secret.
        (#"{"https://u:hunter2@h/":1}"#, nil),
    ]

    @Test("JSON loses values with secret names, and is not shown if it is invalid", arguments: json)
    func jsonBodies(text: String, shown: String?) throws {
        for type in ["application/json", "application/vnd.kafka.json.v2+json", "application/json; charset=UTF-8"] {
            #expect(Self.shown(text, MediaType(parsing: type)) == shown)
        }
    }

    private static let forms: [(text: String, shown: String?)] = [
        ("user=ada&password=hunter2", "user=ada&password=<redacted>"),
        ("user%5Bapi_key%5D=hunter2&a", "user%5Bapi_key%5D=<redacted>&a"),
        ("data=%7B%22password%22%3A%22hunter2%22%7D&b=1", "data=<redacted>&b=1"),
        ("to=https%3A%2F%2Fh%2F%3Ftoken%3Dhunter2&b=1", "to=<redacted>&b=1"),
        ("to=https%253A%252F%252Fh%252F%253Ftoken%253Dhunter2", "to=<redacted>"),
        ("to=https%3A%2F%2Fu%3Ahunter2%40h%2F", "to=<redacted>"),
        ("to=https%3A%2F%2Fh%2Fauth%3Fpage%3D2&off=100%25", "to=https%3A%2F%2Fh%2Fauth%3Fpage%3D2&off=100%25"),
        ("p%2561ssword=hunter2&a=1", "p%2561ssword=<redacted>&a=1"),
        ("to=%2F%2Fu%3Ahunter2%40h%2F&b=1", "to=<redacted>&b=1"),
        ("scope=auth%3Aread+key%3Awrite", "scope=auth%3Aread+key%3Awrite"),
        // Not encoded as a form.
        ("user=ada\npassword=hunter2", nil), (#"data={"password":"hunter2","b":"x&y"}&c=1"#, nil),
        ("password:hunter2", nil), ("a=\0&password=hunter2", nil), ("the password=hunter2", nil),
    ]

    @Test("forms lose values with secret names, and are not shown if a byte is not encoded", arguments: forms)
    func formBodies(text: String, shown: String?) { #expect(Self.shown(text, .form) == shown) }

    private static let strings: [(text: String, shown: String)] = [
        ("https://bob:hunter2@h/x", "https://<redacted>@h/x"),
        ("https://h/?a=1&access_token=hunter2", "https://h/?a=1&access_token=<redacted>"),
        ("/x;jsessionid=hunter2?a=1", "/x;jsessionid=<redacted>?a=1"),
        ("https://h/a%3Ftoken%3Dhunter2?sid=1", "<redacted>"), ("https://h/tokens/auth?page=2#keys", ""),
        ("Authorization: Bearer hunter2", "<redacted>"), ("user=ada&password=hunter2", "<redacted>"),
        (#"{"password":"hunter2"}"#, "<redacted>"), (#"{"a":1}"#, ""), ("page=2&size=3", ""),
        ("https://h/?state=token%3Dhunter2", "https://h/?state=<redacted>"),
        ("https://h/?a=token=hunter2", "https://h/?a=<redacted>"),
        ("/p?a=1,password=hunter2", "/p?a=<redacted>"), ("//u:hunter2@h/p", "<redacted>"), ("// see bob@h", ""),
        ("https://h/?a=b=c", ""), ("//h/@bob:x", ""),
        ("auth:read", ""), ("a password, and a token", ""), ("Clouds: a history", ""), ("a@b", ""),
        ("ask bob@h.example about https://h/@bob", ""), ("see https://bob:hunter2@h/x, or ask", "<redacted>"),
    ]

    @Test("a text in a string is hidden if it may contain a secret; of a URL, only its secrets", arguments: strings)
    func texts(text: String, shown: String) throws {
        let body = String(decoding: JSON.array([.string(text)]).encoded(), as: UTF8.self)
        let list = try JSON(parsing: #require(Self.shown(body, .json)))
        #expect(list[0].string == (shown.isEmpty ? text : shown))
    }

    private static let key = "-----BEGIN RSA PRIVATE KEY-----\nhunter2\n-----END RSA PRIVATE KEY-----\n"

    private static let secrets = [
        // JSON5, JavaScript and GraphQL.
        "{user: 'ada', password: 'hunter2', n: 1}", "{// c\n  token: hunter2,\n b: 2}",
        "send({ apiKey: `hunter2`, page: 2 });", "const password = \"hunter2\";\nlet x = 1;",
        "f(); client.secret = hunter2", "x[\"password\"] = \"hunter2\"; y()",
        "mutation { login(user: \"ada\", password: \"hunter2\") { id } }",
        "mutation { m(password: \"\"\"hun\"hunter2\"\"\", a: 1) }",
        // YAML, settings, heads and shells.
        "user: ada\npassword: hunter2 # why\nn: 1\n", "a:\n  - token: hunter2\n    b: 1\n", "token:\n- hunter2\nb: 1",
        "password: |\n  hunter2\n  hunter3\nb: 1", "? password\n: hunter2\nb: 1", "{user: ada, password: hunter2}",
        "export API_KEY=hunter2\nPATH=/bin\n", "'password' => 'hunter2'", "!!str password: hunter2\nb: 1",
        "e:\n  - name: password\n    value: hunter2\n", "Authorization: Bearer hunter2\r\nAccept: */*\r\n",
        "curl -H \"Authorization: Bearer hunter2\" http://h", "GET /x?token=hunter2 HTTP/1.1\r\n\r\n",
        "a=1&password=hunter2\n", "he said password: \"hunter2\" twice", key,
        // XML, property lists and HTML.
        "<a><password>hunter2</password><b>1</b></a>", "<w:Password Type='t'>hunter2</w:Password>",
        "<a token=\"hunter2\" b='1'/>", "<token><![CDATA[</token>hunter2]]></token><b/>", "<token>hunter2",
        "<add key=\"ApiKey\" value=\"hunter2\"/>", "<input name=password value=hunter2><b>1</b>",
        "<plist><dict><key>password</key><string>hunter2</string></dict></plist>",
        "<member><name>token</name><value><string>hunter2</string></value></member>",
        "<a>{&quot;p&#97;ssword&quot;:&#34;hunter2&#x22;}</a>", "<a><!-- password: hunter2 --></a>",
        "<a href=\"https://u:hunter2@h/?token=hunter2\"/>",
        // JSON, and its lines and sequences.
        #"{"password":"hunter2"}"#, #"{"pass\u0077ord":"hunter2"}"#, #"{"name":"password","value":"hunter2"#,
        "\u{FEFF}{\"password\":\"hunter2\"}", "\u{1E}{\"a\":1}\n{\"token\":\"hunter2\"}",
        "--B\r\nContent-Disposition: form-data; name=\"password\"\r\n\r\nhunter2\r\n--B--\r\n",
        "--B\r\nContent-Disposition: form-data; name*=UTF-8''p%61ssword\r\n\r\nhunter2\r\n--B--\r\n",
    ]

    @Test("a secret in another grammar is not shown: alone, in a string, and in a form", arguments: secrets)
    func otherGrammars(text: String) throws {
        let types = [
            "application/xml", "text/html", "application/graphql", "application/x-ndjson", "application/json-seq",
            "application/octet-stream", "image/png", "text/plain", "multipart/form-data; boundary=B",
        ]
        for type in types { #expect(Self.shown(text, MediaType(parsing: type)) == nil) }
        #expect(Self.shown(text, nil) == nil)
        for type in [MediaType.json, .form] { #expect(Self.shown(text, type)?.contains("hunter") != true) }
        let body = JSON.object(["note": .string(text), "a": .array([.string(text)])]).encoded()
        let string = try #require(Self.shown(String(decoding: body, as: UTF8.self), .json))
        #expect(!string.contains("hunter"), "\(string)")
        var query = Query()
        query["note"] = text
        let form = try #require(Self.shown(query.encoded() ?? "", .form))
        #expect(!form.contains("hunter"), "\(form)")
    }

    @Test("a document within strings is hidden at any depth")
    func nested() throws {
        var text = #"{"password":"hunter2"}"#
        for _ in 0..<7 {
            text = String(decoding: JSON.object(["body": .string(text)]).encoded(), as: UTF8.self)
            #expect(try !#require(Self.shown(text, .json)).contains("hunter2"))
        }
        var pair = "token=hunter2"
        for _ in 0..<7 {
            pair = "a=\(PercentEncoding.encode(pair))"
            #expect(try !#require(Self.shown(pair, .form)).contains("hunter2"))
        }
    }

    @Test("text in another charset than UTF-8 is not shown, declared or not")
    func charsets() throws {
        let text = #"{"a":1,"password":"hunter2"}"#
        for (name, charset) in [("utf-16", Charset.utf16(bigEndian: nil)), ("utf-32le", .utf32(bigEndian: false))] {
            let bytes = ByteChunk(try charset.encode(text))
            let type = try #require(MediaType(parsing: "application/json; charset=\(name)"))
            for type in [type, .json, .form] { #expect(SecretRedaction.body(bytes, of: type) == nil) }
            #expect(Self.shown(text, type) == nil)
        }
        let wide = "p\0a\0s\0s\0w\0o\0r\0d\0=\0h\0u\0n\0t\0e\0r\02\0"
        let body = JSON.array([.string(wide)]).encoded()
        #expect(Self.shown(String(decoding: body, as: UTF8.self), .json) == #"["<redacted>"]"#)
    }

    @Test("a body over the limit is not read")
    func limit() throws {
        let body = ByteChunk(JSON.array(Array(repeating: .string("a"), count: 1_000)).encoded())
        #expect(SecretRedaction.body(body, of: .json, limit: body.count) == body.bytes)
        #expect(SecretRedaction.body(body, of: .json, limit: body.count - 1) == nil)
        let long = ByteChunk([UInt8](repeating: UInt8(ascii: "["), count: 1_000_000))
        #expect(SecretRedaction.body(long, of: .json) == nil)
        #expect(SecretRedaction.body(long, of: .json, limit: .max) == nil)
    }

    @Test("hostile text of each kind is read a bounded number of times")
    func long() {
        for unit in [
            "{", "://a@", "?a=%25", "a%25=", "%2525", "--", "&#65;", "x[\"token\"]", "a\0", ";a=", "/?a=/", "a: ",
            "http://",
        ] {
            let text = String(repeating: unit, count: SlowTests.rounds(1_000, of: 15_000))
            let json = JSON.array([.string(text)]).encoded()
            _ = SecretRedaction.body(ByteChunk(json), of: .json, limit: .max)
            _ = SecretRedaction.body(ByteChunk(text), of: .form, limit: .max)
        }
    }

    @Test("a curl command reports the type and size of a body that it can't show")
    func curl() async throws {
        let site = Resource("http://a.example", transport: StubTransport { _ in .text("ok") }.watched)
        var form: MultipartForm = ["title": "Clouds", "password": "hunter2\r\n\r\nhunter3"]
        form.append(.bytes(Array(#"{"password":"hunter4"}"#.utf8), fileName: nil, type: .json), name: "meta")
        form.boundary = "xyz"
        let hidden = try await site["up"].call(.post, .multipart(form)).curl()
        #expect(!hidden.contains("hunter"))
        let size = try await site["up"].call(.post, .multipart(form)).encoded().body.length
        let note = "  # the body (multipart/form-data, \(try #require(size)) bytes) is not shown: pipe it in"
        #expect(hidden.hasSuffix(" --data-binary @-\(note)"), "\(hidden)")
        let shown = try await site["up"].call(.post, .multipart(form)).curl(includingSecrets: true)
        #expect(shown.contains("hunter2") && shown.contains("hunter4"))
        let limited = try await site["up"].call(.post, .json(["a": "b"])).curl(includingSecrets: true, bodyLimit: 8)
        #expect(limited.hasSuffix(" --data-binary @-  # the body (application/json, 9 bytes) is not shown: pipe it in"))
    }
}

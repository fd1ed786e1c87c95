// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTesting
import HTTPTypes
import TestSupport
import Testing

/// Requests as curl commands: the same request, and only that request.
@Suite struct CurlTests {
    private func request(
        _ method: HTTPRequest.Method = .get,
        _ url: String = "http://a.example/x",
        _ headers: HTTPFields = [:],
        _ body: RequestBody = .none
    ) throws -> EncodedRequest {
        var headers = headers
        headers[.accept] = headers[.accept] ?? "*/*"
        headers[.userAgent] = headers[.userAgent] ?? "t"
        return EncodedRequest(method: method, url: try RequestURL(url), headers: headers, body: body)
    }

    private static let nasty: [[UInt8]] = [
        Array("'; touch /tmp/pwned; '".utf8), Array("$(touch /tmp/pwned) `id` ${HOME} $HOME".utf8),
        Array("a\nb\r\nc\td".utf8), Array("!! !x history".utf8), Array("-d @/etc/passwd".utf8),
        Array("@/etc/passwd".utf8), Array("\\n \\\\ \\' %s %%".utf8), Array("\"'\"'\"".utf8),
        Array("* ? ~ [a] {a,b} #".utf8),
        Array("caf\u{E9} \u{1F30A} \u{202E}abc".utf8), [0x1B, 0x5B, 0x32, 0x4A], [0xFF, 0xFE, 0x31, 0x80],
        Array(0x01...0xFF), Array("\u{1}1\u{7F}7".utf8), Array("=x".utf8), Array("\n".utf8),
        [0x96, 0xEA, 0x3D, 0x31, 0x3B, 0xD5], Array("'".utf8),
    ]

    @Test("a body passes through the shell byte for byte", arguments: nasty)
    func aBodyComesOutByteForByte(bytes: [UInt8]) throws {
        let command = try request(.post, body: bytes).curl(includingSecrets: true)
        let call = try FakeCurl.run(command)
        #expect(
            call.value(of: bytes.first == UInt8(ascii: "@") ? "--data-raw" : "--data-binary") == bytes,
            "\(command)"
        )
        #expect(call.errors.isEmpty)
        #expect(call.words.count == 9)
    }

    @Test("any bytes pass through the shell unchanged")
    func anyBytesComeOut() throws {
        var random = SystemRandomNumberGenerator()
        let bodies = (0..<200).map { _ in
            (0..<Int.random(in: 1...60, using: &random)).map { _ in
                // Mostly characters with a meaning in shells.
                Bool.random(using: &random)
                    ? UInt8.random(in: 1...255, using: &random)
                    : Array("'\"\\$`!@-#~*?[]{}()<>|&; \n\t01234567x".utf8).randomElement(using: &random) ?? 1
            }
        }
        let commands = try bodies.map { try request(.post, body: $0).curl(includingSecrets: true) }
        let call = try FakeCurl.run(commands.joined(separator: "\n"))
        let words = call.words
        let sent = call.arguments.indices.filter { ["--data-binary", "--data-raw"].contains(words[$0]) }
            .map { call.arguments[$0 + 1] }
        #expect(sent == bodies)
        #expect(call.errors.isEmpty)
    }

    @Test("bytes with NUL, and many bytes, are piped", arguments: ["bash", "sh"])
    func bytesWithNULGoThroughAPipe(shell: String) throws {
        let all = [0, 0x30, 0x37, 0] + Array(UInt8(0)...UInt8(255)) + Array("\\0 %b ' \\c".utf8)
        let long = (0..<140_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        for bytes in [all, [0], Array("-n\0".utf8), long] {
            let command = try request(.post, body: bytes).curl(includingSecrets: true, bodyLimit: 140_000)
            let call = try FakeCurl.run(command, in: shell)
            #expect(call.input == bytes)
            #expect(call.value(of: "--data-binary") == Array("@-".utf8))
            #expect(call.errors.isEmpty)
        }
    }

    @Test("any POSIX shell reads text, quotes and newlines", arguments: ["sh", "bash"])
    func anyShellReadsText(shell: String) throws {
        for text in ["it's", "a\nb", "$(id)", "\\", "!x", "-x", "caf\u{E9}"] {
            let command = try request(.post, body: Array(text.utf8)).curl(includingSecrets: true)
            let call = try FakeCurl.run(command, in: shell)
            #expect(call.value(of: "--data-binary") == Array(text.utf8))
        }
    }

    @Test("header values pass through unchanged")
    func headerValuesComeOutAsTheyAre() throws {
        var headers = HTTPFields()
        for (name, value) in [("X-A", "it's $(id) `id` \"q\" !x \\"), ("X-B", ""), ("X-C", "-H @x; y")] {
            headers[try #require(HTTPField.Name(name))] = value
        }
        let call = try FakeCurl.run(try request(.get, "http://a.example/x", headers).curl())
        #expect(
            call.words == [
                "http://a.example/x", "-H", "X-A: it's $(id) `id` \"q\" !x \\", "-H", "X-B;", "-H", "X-C: -H @x; y",
                "-H", "Accept: */*", "-H", "User-Agent: t",
            ]
        )
    }

    @Test(
        arguments: [
            (.get, .none, []), (.head, .none, ["-I"]), (.delete, .none, ["-X", "DELETE"]), (.post, .bytes(.empty), []),
            (.put, .bytes(ByteChunk("x")), ["-X", "PUT"]), (.get, .bytes(ByteChunk("x")), ["-X", "GET"]),
            (.head, .bytes(ByteChunk("x")), ["-X", "HEAD"]), (.options, .none, ["-X", "OPTIONS"]),
            (.put, .stream(StreamBody { _, _ in }), []), (.post, .stream(StreamBody { _, _ in }), ["-X", "POST"]),
        ] as [(HTTPRequest.Method, RequestBody, [String])]
    ) func theMethodIsNamedOnlyWhereCurlWouldTakeAnother(
        method: HTTPRequest.Method,
        body: RequestBody,
        words: [String]
    ) throws {
        let call = try FakeCurl.run(try request(method, "http://a.example/x", [:], body).curl())
        #expect(Array(call.words.prefix { $0 != "http://a.example/x" }) == words)
    }

    @Test func aMethodWithOddCharactersIsQuoted() throws {
        let method = try #require(HTTPRequest.Method("A`B'C$D!E&F|G"))
        let call = try FakeCurl.run(try request(method).curl())
        #expect(call.value(of: "-X") == Array("A`B'C$D!E&F|G".utf8))
    }

    @Test func whatCurlWouldAddIsTakenAway() throws {
        let bare = EncodedRequest(
            method: .post,
            url: try RequestURL("http://a.example/x"),
            body: .bytes(ByteChunk("x"))
        )
        #expect(
            bare.curl(includingSecrets: true)
                == "curl http://a.example/x -H User-Agent: -H Accept: -H Content-Type: --data-binary x"
        )
    }

    @Test func aPostOfNothingSaysSo() throws {
        #expect(try request(.post).curl().hasSuffix("-H Content-Type: --data-binary ''"))
    }

    @Test func bracketsAndDotsInTheURLAreKept() throws {
        var odd = try request(.get, "http://[::1]:8080/a")
        odd.target = "/a/../b?k[]={1,2}"
        let call = try FakeCurl.run(odd.curl())
        #expect(Array(call.words.prefix(3)) == ["-g", "--path-as-is", "http://[::1]:8080/a/../b?k[]={1,2}"])
    }

    @Test func aFileIsNamed() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("0123456789", to: "it's a file")
        let whole = try request(.put, "http://a.example/x", [:], .file(FileBody(path: path, length: 10))).curl()
        #expect(try FakeCurl.run(whole).value(of: "--data-binary") == Array("@\(path)".utf8))
        let part = try request(.put, "http://a.example/x", [:], .file(FileBody(path: path, offset: 3, length: 4)))
        let call = try FakeCurl.run(part.curl())
        #expect(call.value(of: "--data-binary") == Array("@-".utf8))
        #expect(call.input == Array("3456".utf8))
        let dash = try request(.put, "http://a.example/x", [:], .file(FileBody(path: "-", length: 4))).curl()
        #expect(dash.hasSuffix("--data-binary @./-"))
    }

    @Test func aStreamIsLeftToTheReader() throws {
        let stream = try request(.put, "http://a.example/x", [:], .stream(StreamBody { _, _ in })).curl()
        #expect(stream.hasSuffix("-T -  # the body is a stream: pipe it in"))
    }

    @Test("secrets are redacted unless they are requested")
    func secretsAreRedactedUnlessAskedFor() throws {
        let form: HTTPFields = [.authorization: "Bearer hunter2", .contentType: "application/x-www-form-urlencoded"]
        let body = Array("user=ada&password=hunter2".utf8)
        let hidden = try request(.post, "http://a.example/x?q=1&api_key=hunter2", form, .bytes(ByteChunk(body)))
        #expect(!hidden.curl().contains("hunter2"))
        let call = try FakeCurl.run(hidden.curl())
        #expect(call.words.first == nil || call.words.contains("http://a.example/x?q=1&api_key=<redacted>"))
        #expect(call.words.contains("Authorization: <redacted>"))
        #expect(call.value(of: "--data-binary") == Array("user=ada&password=<redacted>".utf8))
        let shown = try FakeCurl.run(hidden.curl(includingSecrets: true))
        #expect(shown.words.contains("Authorization: Bearer hunter2"))
        #expect(shown.value(of: "--data-binary") == body)
    }

    @Test("JSON members with secret names are redacted")
    func membersOfJSONAreRedacted() throws {
        let secret = #"{"user":"ada", "list":[{"token":"hunter2"}]}"#
        let plain = #"{"user" : "ada"}"#
        let shown = [secret, plain].map { text in
            BodyText(
                try? request(.post, "http://a.example/", [.contentType: "application/json"], .bytes(ByteChunk(text)))
            )
        }
        #expect(shown[0].data == #"{"user":"ada","list":[{"token":"<redacted>"}]}"#)
        #expect(shown[1].data == plain)
    }

    private struct BodyText {
        let data: String?
        init(_ request: EncodedRequest?) {
            let call = request.flatMap { try? FakeCurl.run($0.curl()) }
            data = call?.value(of: "--data-binary").map { String(decoding: $0, as: UTF8.self) }
        }
    }

    @Test func aResourcesRequestIsShownAsItWouldBeSent() async throws {
        let offline = Offline()
        let site = offline.site
        site.setRules {
            $0.credentials = Credentials(user: "ada", password: "lovelace")
            $0.preflights = [{ $0.headers["X-Checked"] = "yes" }]
            $0.query["lang"] = "en"
        }
        let command = try await site["posts"].call(.post, .json(["title": "Clouds"]), headers: [.accept: "text/csv"])
            .curl()
        #expect(
            command
                == "curl --compressed 'https://api.example.com/posts?lang=en' -H 'User-Agent: Cumulus/0.1' "
                + "-H 'Accept-Encoding: gzip, deflate' -H 'Accept: text/csv' -H 'X-Checked: yes' -H 'Content-Type: application/json' -H 'Authorization: <redacted>' "
                + #"--data-binary '{"title":"Clouds"}'"#
        )
        let open = try await site["posts"].call(.get).curl(includingSecrets: true)
        #expect(open.contains("-H 'Authorization: Basic YWRhOmxvdmVsYWNl'"))
        #expect(offline.sentCount == 0)
    }

    @Test func aRefusedRequestHasNone() async throws {
        struct No: Error {}
        let site = Offline().site
        site.setRules { $0.preflights = [{ _ in throw No() }] }
        #expect(try await failure { try await site.call(.get).curl() }.code == .refused)
    }

    @Test func responsesAndErrorsHaveTheirs() async throws {
        let site = Resource(
            "http://a.example",
            transport: StubTransport { _ in .text("no", status: .notFound) }.watched
        )
        let response = try await site["a"].get()
        #expect(
            response.request.curl() == "curl --compressed http://a.example/a -H 'User-Agent: Cumulus/0.1' "
                + "-H 'Accept-Encoding: gzip, deflate' -H Accept:"
        )
        let error = try await failure { try await site["a"].get().requireSuccess() }
        #expect(error.request?.curl() == response.request.curl())
    }
}

extension CurlTests {
    private func request(_ method: HTTPRequest.Method, body: [UInt8]) throws -> EncodedRequest {
        try request(method, "http://a.example/x", [.contentType: "application/octet-stream"], .bytes(ByteChunk(body)))
    }
}

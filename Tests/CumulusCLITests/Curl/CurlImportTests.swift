// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTesting
import HTTPTypes
import Testing

@testable import CumulusCLI

/// Commands for curl as the input of `cumulus curl`.
@Suite struct CurlImportTests {
    private func sent(_ line: String...) async throws -> StubRequest {
        let transport = StubTransport { _ in .text("") }
        let console = MemoryConsole()
        #expect(await console.run(["curl"] + line, over: transport) == .success, "\(console.notes)")
        return try #require(transport.lastRequest)
    }

    private func explained(_ line: String...) async -> String {
        let console = MemoryConsole()
        #expect(await console.run(["curl", "--explain"] + line, over: StubTransport { _ in .text("") }) == .success)
        return console.output
    }

    @Test func copyOfChromeIsSent() async throws {
        let request = try await sent(
            #"""
            curl 'https://api.test/items?x=%5B1%5D' \
              -H 'accept: application/json' \
              -H 'accept-encoding: gzip, deflate, br, zstd' \
              -H 'content-type: application/json' \
              -b 'a=1; b=2' \
              -H 'user-agent: Mozilla/5.0 (X11)' \
              --data-raw '{"name":"Ada","at":"10:00"}' \
              --compressed
            """#
        )
        #expect(request.method == .post && request.url == "https://api.test/items?x=%5B1%5D")
        #expect(String(decoding: request.body, as: UTF8.self) == #"{"name":"Ada","at":"10:00"}"#)
        #expect(request.headers[.contentType] == "application/json" && request.headers[.cookie] == "a=1; b=2")
        #expect(request.headers[.userAgent] == "Mozilla/5.0 (X11)" && request.headers[.accept] == "application/json")
    }

    @Test func quotesOfBashAreRead() async throws {
        let request = try await sent(
            #"curl "https://api.test/a" -X PUT -H "X-A: \"b\"" --data-binary $'it\'s \u00e9\ud83d\ude00\n!' -H X-B\:\ c"#
        )
        #expect(request.method == .put && request.headers[HTTPField.Name("X-A")!] == "\"b\"")
        #expect(request.headers[HTTPField.Name("X-B")!] == "c")
        #expect(String(decoding: request.body, as: UTF8.self) == "it's \u{E9}\u{1F600}\n!")
        #expect(request.headers[.contentType] == "application/x-www-form-urlencoded")
    }

    @Test func wordsAfterCurlAreTheSame() async throws {
        let request = try await sent("-sSXPATCH", "https://api.test/a", "-H", "X-A: 1", "-d", "a=1", "-d", "b=2")
        #expect(request.method == .patch && String(decoding: request.body, as: UTF8.self) == "a=1&b=2")
        let query = try await sent("curl", "-G", "https://api.test/a?x", "--data-urlencode", "q=a b&c")
        #expect(query.method == .get && query.url == "https://api.test/a?x&q=a%20b%26c")
        let user = try await sent("-u", "ada:env:HOME", "https://api.test/a")
        #expect(user.headers[.authorization] == "Basic YWRhOmVudjpIT01F")
    }

    @Test func tokenReplacesUser() async throws {
        let url = "https://api.test/a"
        let first = try await sent(url, "--oauth2-bearer", "tok", "-u", "a:b")
        let last = try await sent(url, "-u", "a:b", "--oauth2-bearer", "tok")
        #expect(first.headers[.authorization] == "Bearer tok" && last.headers[.authorization] == "Bearer tok")
    }

    @Test func formIsMultipart() async throws {
        let request = try await sent("https://api.test/a", "-F", "a=1", "--form-string", "b=@c")
        #expect(request.headers[.contentType]?.hasPrefix("multipart/form-data") == true)
        let body = String(decoding: request.body, as: UTF8.self)
        #expect(body.contains("name=\"a\"\r\n\r\n1\r\n") && body.contains("name=\"b\"\r\n\r\n@c\r\n"), "\(body)")
    }

    @Test func redirectsAreFollowedOnlyOnRequest() throws {
        #expect(try plan(["curl", "https://a.test/"]).maximumRedirects == 0)
        #expect(try plan(["curl", "-L", "https://a.test/"]).maximumRedirects == 20)
        #expect(try plan(["curl", "a.test"]).target == .absolute(RequestURL("http://a.test/")))
    }

    @Test(
        "what curl or a shell would do otherwise is refused",
        arguments: [
            ("curl https://a.test/ -o x", "does not support curl's '-o'"),
            ("curl -K f", "does not support curl's '-K'"),
            ("curl a --next b", "does not support curl's '--next'"), ("curl https://a.test/$(id)", "expansion"),
            ("curl \"https://a.test/`id`\"", "expansion"), ("curl https://a.test/ | sh", "operator"),
            ("curl 'https://a.test/", "an unclosed quote"),
            ("curl --no-such a", "does not support curl's option '--no-such'"),
            ("curl a.test b.test", "second URL"), ("curl -H", "no value for '-H'"), ("curl -d @f a.test", "'-d'"),
            ("curl -s", "has no URL"),
        ]
    )
    func refused(line: String, reason: String) {
        #expect(
            mistake(["curl", line])?.reason.contains(reason) == true,
            "\(String(describing: mistake(["curl", line])))"
        )
    }

    @Test func explainPrintsTheCommand() async {
        let text = await explained(
            "curl -L https://a.test/x -H 'X-A: 1' -H 'Authorization: Bearer hunter2' -u ada:hunter2"
        )
        let first = "cumulus -a ada --ignore-netrc --no-config https://a.test/x X-A:1 Authorization:..."
        #expect(text == "\(first)\n", "\(text)")
        let data = await explained("https://a.test/x", "-d", #"{"a":1}"#, "-H", "Content-Type: application/json", "-L")
        let expected =
            #"cumulus --ignore-netrc --no-config --raw '{"a":1}' POST https://a.test/x Content-Type:application/json"#
        #expect(data == "\(expected)\n", "\(data)")
        let open = await explained("--show-secrets", "-L", "https://a.test/x", "-u", "ada:hunter2")
        #expect(open == "cumulus -a ada:hunter2 --ignore-netrc --no-config https://a.test/x\n", "\(open)")
    }

    @Test func explainKeepsTheMethodOfABody() async {
        let text = await explained("curl -L https://a.test/x -d a=b -X GET")
        #expect(text.contains(" GET https://a.test/x "), "\(text)")
    }

    @Test func explainShowsNoSecretOfABody() async {
        let text = await explained("https://a.test/x", "--data-raw", "hunter2", "-H", "Content-Type: text/plain")
        #expect(text.contains("--raw ...") && !text.contains("hunter2"), "\(text)")
        let json = await explained("https://a.test/x", "-d", #"{"password":"hunter2"}"#)
        #expect(!json.contains("hunter2"), "\(json)")
    }

    @Test(
        "a mistake never quotes a secret",
        arguments: [
            "curl https://a.test/ -E cert.pem:hunter2", "curl https://a.test/ --cert=cert.pem:hunter2",
            "curl https://a.test/ --user=me:hunter2", "curl https://a.test/ --oauth2-bearer=hunter2",
        ]
    )
    func secretIsNotQuoted(line: String) throws {
        let found = try #require(mistake(["curl", "--explain", line]))
        #expect(!"\(found)".contains("hunter2"), "\(found)")
    }

    @Test(
        "data that would be lost is refused",
        arguments: [
            ("-d x -F a=b", "two bodies, from -d and -F"), ("-T f -F a=b", "two bodies, from -F and -T"),
            ("-T f -d x", "two bodies"), ("-G -F a=b", "'-G'"), ("-G --data-binary @f", "'-G'"), ("-G -T f", "'-G'"),
            ("-T f -I", "'-I'"), ("-I -d x", "'-I'"), ("-F 'a=b;filename=z'", "options of the form field 'a'"),
            ("-F 'a=@f;headers=z'", "options of the form field 'a'"), ("-F 'a=@f,g'", "file in the form field 'a'"),
            ("-F 'a=(b'", "form field 'a'"), ("-F 'a=\"b'", "unclosed quote"), ("--data-binary @-", "'--data-binary'"),
            ("-X get", "method 'get'"), ("-X M-A", "method 'M-A'"),
        ]
    )
    func contradictionIsRefused(options: String, reason: String) {
        let found = mistake(["curl", "curl https://a.test/x \(options)"])
        #expect(found?.reason.contains(reason) == true, "\(String(describing: found))")
    }

    @Test func patternIsRefusedUnlessItIsLiteral() throws {
        for url in ["https://a.test/{a,b}", "https://a.test/?y=[1-3]", "https://a.test/]"] {
            #expect(mistake(["curl", url])?.reason.contains("pattern") == true, "\(url)")
        }
        #expect(try plan(["curl", "http://[::1]/a"]).target == .absolute(RequestURL("http://[::1]/a")))
        #expect(try CurlURL.unescaped(#"https://a.test/?x\[\]=\{1\}\z"#) == #"https://a.test/?x[]={1}\z"#)
        #expect(try CurlLine.arguments(of: ["-g", "a.test/{a}"]).words == ["GET", "http://a.test/{a}"])
    }

    @Test func urlReceivesQueryAndFileName() {
        func url(_ text: String, query: String) -> String {
            var url = CurlURL(text)
            url.add(query: query)
            return url.text
        }
        func url(_ text: String, file: String) -> String {
            var url = CurlURL(text)
            url.add(fileName: file)
            return url.text
        }
        #expect(url("a.test/x#frag", query: "a=b") == "http://a.test/x?a=b#frag")
        #expect(url("http://a.test/x?y&", query: "a") == "http://a.test/x?y&a")
        #expect(url("http://a.test/x", query: "") == "http://a.test/x")
        #expect(url("http://a.test/up/?q=1", file: "d/a b") == "http://a.test/up/a%20b?q=1")
        #expect(url("a.test", file: "f") == "http://a.test/f")
        #expect(url("http://a.test/up", file: "f") == "http://a.test/up")
    }

    @Test func dataIsJoinedAsInCurl() throws {
        func arguments(_ words: String...) throws -> Arguments { try CurlLine.arguments(of: ["a.test"] + words) }
        #expect(try arguments("--json", #"{"a":"#, "--json", "1}").raw == #"{"a":1}"#)
        #expect(try arguments("-d", "a", "--json", "{}").raw == "a{}")
        #expect(try arguments("--json", "{}", "-d", "b").raw == "{}&b")
        #expect(try arguments("-d", "", "-d", "b").raw == "&b")
        #expect(try arguments("-T", "f").words == ["PUT", "http://a.test/f", "@f"])
        let text = RequestItem(kind: .text, name: "a", value: "q;r\"")
        #expect(try CurlFormField("a", #" "q;r\"" "#).item == text)
        let file = RequestItem(kind: .upload, name: "a", value: "/f g;type=a/b")
        #expect(try CurlFormField("a", #"@"/f g";type=a/b"#).item == file)
    }

    @Test func headerReplacesOption() async throws {
        let url = "https://api.test/a"
        let last = try await sent("curl https://api.test/a -A x -A y -e http://a/ -e http://b/ -b a=1 -b b=2")
        #expect(last.headers[.userAgent] == "y" && last.headers[.cookie] == "a=1;b=2")
        #expect(last.headers[.referer] == "http://b/")
        let header = try await sent(url, "-b", "a=1", "-H", "Cookie: b=2", "-A", "x", "-H", "User-Agent: y")
        #expect(header.headers[.cookie] == "b=2" && header.headers[.userAgent] == "y")
        let identity = try await sent(url, "-H", "Accept-Encoding: identity", "--compressed", "-b", "", "-H", "")
        #expect(identity.headers[.acceptEncoding] == "identity" && identity.headers[.cookie] == nil)
    }

    @Test("the name of curl", arguments: ["curl.exe a.test", "$ curl a.test", " $  CURL a.test"])
    func nameOfCurlIsAccepted(line: String) throws {
        #expect(try plan(["curl", line]).target == .absolute(RequestURL("http://a.test/")))
        let words = line.split(separator: " ").map { String($0) }
        #expect(try plan(["curl"] + words).target == .absolute(RequestURL("http://a.test/")))
    }

    @Test func escapesOfBashAreBytes() throws {
        #expect(try ShellLine.words(of: #"$'\xc3\xa9\u00e9\n'"#) == ["\u{E9}\u{E9}\n"])
        let bytes = mistake(["curl", #"curl a.test -d $'\xc3'"#])
        #expect(bytes?.reason.contains("not UTF-8") == true, "\(String(describing: bytes))")
    }

    @Test("a backslash at the end of a line continues it, also in double quotes", arguments: ["\n", "\r\n"])
    func continuedLines(end: String) throws {
        let words = try ShellLine.words(of: "curl \\\(end) a\\\(end)b \"c\\\(end)d\" 'e\\\(end)f' \"\\\r\"")
        #expect(words == ["curl", "ab", "cd", "e\\\(end)f", "\\\r"])
    }

    @Test("the time for a long word grows with its length, not with its square")
    func longWord() {
        func cost(_ count: Int) -> Double {
            let word = String(repeating: "x", count: count)
            return ThreadTime.of { #expect((try? ShellLine.words(of: word)) == [word]) }
        }
        let small = (0..<3).map { _ in cost(8_000) }.min() ?? 0
        // 32 times as many: 32 times the time, or 1024 times if it were the square.
        #expect(cost(256_000) < 150 * small)
    }

    @Test func caretIsRefused() throws {
        let found = mistake(["curl", "curl ^\"https://a.test/^\" ^\r\n  -H ^\"X-A: 1^\""])
        #expect(found?.reason.contains("caret") == true && found?.hint?.contains("(bash)") == true)
        #expect(try ShellLine.words(of: #"'{"a":"^"}'"#) == [#"{"a":"^"}"#])
    }

    @Test func nothingIsAddedThatCurlWouldNotSend() throws {
        let arguments = try CurlLine.arguments(of: ["a.test"])
        #expect(arguments.noConfig && arguments.ignoreNetrc && !arguments.netrc)
        let netrc = try CurlLine.arguments(of: ["-n", "a.test"])
        #expect(netrc.noConfig && !netrc.ignoreNetrc && netrc.netrc)
    }

    @Test func filesThatAreSentAreReported() throws {
        #expect(try plan(["curl", "a.test", "-T", "f"]).notices.contains("sends the file 'f'"))
        #expect(try plan(["curl", "a.test", "-F", "x=@g;type=a/b"]).notices.contains("sends the file 'g'"))
        #expect(try plan(["curl", "a.test", "-d", "x"]).notices.isEmpty)
    }
}

// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTestServer
import HTTPTypes
import Testing

@testable import CumulusCLI

@Suite(.timeLimit(.minutes(10))) struct CommandRunTests {
    /// Responds with the received method, target, some headers, and the body.
    private static func echo(_ request: ServerRequest) -> ServerResponse {
        let body = JSON.object([
            "method": .string(request.method.rawValue),
            "target": .string(request.target),
            "type": .string(request.headers[.contentType] ?? ""),
            "accept": .string(request.headers[.accept] ?? ""),
            "authorization": .string(request.headers[.authorization] ?? ""),
            "test": .string(HTTPField.Name("X-Test").flatMap { request.headers[$0] } ?? "(none)"),
            "body": .string(request.text),
        ])
        return .json(body.description)
    }

    private func withEcho(_ body: (LoopbackServer) async throws -> Void) async throws {
        try await withLoopbackServer(routes: { $0.on(nil, "/*") { Self.echo($0) } }, body)
    }

    private func echoed(_ console: MemoryConsole) throws -> JSON { try JSON(parsing: console.output) }

    @Test func aGETWithQueryAndHeaderPrintsTheBody() async throws {
        try await withEcho { server in
            let console = MemoryConsole()
            #expect(await console.run("get", "\(server.url)/get", "a==1 2", "X-Test:yes") == .success)
            let seen = try echoed(console)
            #expect(seen["method"].string == "GET")
            #expect(seen["target"].string == "/get?a=1%202")
            #expect(seen["test"].string == "yes")
            #expect(seen["accept"].string == "*/*")
            #expect(console.notes.isEmpty)
        }
    }

    @Test func theResponseIsWhatTheOptionsSay() async throws {
        try await withLoopbackServer(
            routes: {
                $0.get("/text") { _ in
                    ServerResponse(headers: [.contentType: "text/plain"], body: [0xD6, 0xD0, 0xCE, 0xC4])
                }
                $0.get("/xml") { _ in
                    ServerResponse(headers: [.contentType: "text/plain"], body: Array("<a><b/></a>".utf8))
                }
            }
        ) { server in
            let text = MemoryConsole()
            #expect(await text.run("\(server.url)/text", "--response-charset", "gb2312") == .success)
            #expect(text.output == "中文")
            let xml = MemoryConsole()
            #expect(await xml.run("\(server.url)/xml", "--response-mime=text/xml", "--pretty=format") == .success)
            #expect(xml.output == "<a>\n  <b/>\n</a>")
        }
    }

    @Test("--filter and --as read a body in its own charset, or in the one that is named")
    func filteredBodiesHaveTheirCharset() async throws {
        let latin = Array(#"[{"name":"Zo"#.utf8) + [0xEB] + Array(#""}]"#.utf8)
        let wide = "\u{FEFF}[{\"name\":\"Zo\u{EB}\"}]".utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
        try await withLoopbackServer(
            routes: {
                $0.get("/latin") { _ in
                    ServerResponse(headers: [.contentType: "application/json; charset=iso-8859-1"], body: latin)
                }
                $0.get("/wide") { _ in ServerResponse(headers: [.contentType: "application/json"], body: wide) }
                $0.get("/unsaid") { _ in ServerResponse(headers: [.contentType: "application/json"], body: latin) }
            }
        ) { server in
            for words in [["latin"], ["wide"], ["unsaid", "--response-charset", "iso-8859-1"]] {
                let request = ["\(server.url)/\(words[0])"] + Array(words.dropFirst())
                let filtered = MemoryConsole()
                #expect(await CommandRun(filtered.console).run(request + ["--filter", ".[].name"]) == .success)
                #expect(filtered.output == "Zo\u{EB}\n", "\(words)")
                let table = MemoryConsole()
                #expect(await CommandRun(table.console).run(request + ["--as", "csv"]) == .success)
                #expect(table.output == "name\r\nZo\u{EB}\r\n", "\(words)")
            }
        }
    }

    @Test func queryItemsComeAfterTheURLsOwn() async throws {
        try await withEcho { server in
            let console = MemoryConsole()
            #expect(await console.run("\(server.url)/get?a=1&b=%7e#top", "a==2", "c==ä") == .success)
            let target = try echoed(console)["target"].string
            #expect(target == "/get?a=1&b=%7e&a=2&c=%C3%A4")
        }
    }

    @Test func dataIsPostedAsJSON() async throws {
        try await withEcho { server in
            let console = MemoryConsole()
            #expect(await console.run("\(server.url)/post", "name=Ada", "age:=36") == .success)
            let seen = try echoed(console)
            #expect(seen["method"].string == "POST")
            #expect(seen["type"].string == "application/json")
            #expect(seen["accept"].string == "application/json, */*;q=0.5")
            #expect(seen["body"].string == #"{"name":"Ada","age":36}"#)
        }
    }

    @Test func dataIsPostedAsAForm() async throws {
        try await withEcho { server in
            let console = MemoryConsole()
            #expect(await console.run("-f", "\(server.url)/post", "a=x y", "b=&", "a=2") == .success)
            let seen = try echoed(console)
            #expect(seen["type"].string == "application/x-www-form-urlencoded; charset=utf-8")
            #expect(seen["body"].string == "a=x%20y&b=%26&a=2")
        }
    }

    private static let rawBodies: [(options: [String], type: String, body: String)] = [
        (["--raw", "{\"a\": 1}"], "application/json", "{\"a\": 1}"),
        (["--raw", "hello"], "text/plain; charset=utf-8", "hello"),
        (["--raw", "a=b", "-f"], "application/x-www-form-urlencoded; charset=utf-8", "a=b"),
        (["--raw", "x", "Content-Type:text/x"], "text/x", "x"),
        (["--raw", "x", "Content-Type:"], "", "x"),
    ]

    @Test(arguments: rawBodies)
    func aRawBodyIsSentAsItIs(options: [String], type: String, body: String) async throws {
        try await withEcho { server in
            let console = MemoryConsole()
            let run = CommandRun(console.console)
            #expect(await run.run(["\(server.url)/post"] + options) == .success)
            let seenType = try echoed(console)["type"].string
            #expect(seenType == type)
            let seen = try echoed(console)["body"].string
            #expect(seen == body)
        }
    }

    @Test func standardInputIsTheBody() async throws {
        try await withEcho { server in
            let console = MemoryConsole(input: ["{\"a\"", ": 1}"])
            #expect(await console.run("post", "\(server.url)/post") == .success)
            let method = try echoed(console)["method"].string
            #expect(method == "POST")
            let type = try echoed(console)["type"].string
            #expect(type == "application/json")
            let body = try echoed(console)["body"].string
            #expect(body == "{\"a\": 1}")
        }
    }

    @Test func emptyStandardInputIsNoBody() async throws {
        try await withEcho { server in
            let console = MemoryConsole(input: [])
            #expect(await console.run("\(server.url)/get") == .success)
            let method = try echoed(console)["method"].string
            #expect(method == "GET")
        }
    }

    @Test func aLongStandardInputIsStreamed() async throws {
        let piece = String(repeating: "x", count: 1 << 20)
        try await withLoopbackServer(routes: { $0.post("/up") { .text("\($0.body.count)") } }) { server in
            let console = MemoryConsole(input: [String](repeating: piece, count: 12))
            #expect(await console.run("post", "\(server.url)/up") == .success)
            #expect(console.output == "\(12 << 20)")
            #expect(server.requests.first?.headers[.transferEncoding] == "chunked")
        }
    }

    @Test func headersCanBeLeftOutAndEmpty() async throws {
        try await withEcho { server in
            let console = MemoryConsole()
            #expect(await console.run("\(server.url)/", "Accept:", "X-Test;", "User-Agent:") == .success)
            let accept = try echoed(console)["accept"].string
            #expect(accept == "")
            let test = try echoed(console)["test"].string
            #expect(test == "")
            #expect(server.requests.first?.headers[.userAgent] == nil)
        }
    }

    @Test func credentialsAreSent() async throws {
        try await withEcho { server in
            let basic = MemoryConsole()
            #expect(await basic.run("-a", "ada:pass", "\(server.url)/") == .success)
            let basicAuthorization = try echoed(basic)["authorization"].string
            #expect(basicAuthorization == "Basic YWRhOnBhc3M=")
            let bearer = MemoryConsole()
            #expect(await bearer.run("-A", "bearer", "-a", "t0ken", "\(server.url)/") == .success)
            let bearerAuthorization = try echoed(bearer)["authorization"].string
            #expect(bearerAuthorization == "Bearer t0ken")
            let inURL = MemoryConsole()
            #expect(await inURL.run("ada:pass@127.0.0.1:\(server.port)/") == .success)
            let inURLAuthorization = try echoed(inURL)["authorization"].string
            #expect(inURLAuthorization == "Basic YWRhOnBhc3M=")
        }
    }

    @Test func aMissingPasswordIsAskedFor() async throws {
        try await withEcho { server in
            let console = MemoryConsole(password: "pass")
            #expect(await console.run("-a", "ada", "\(server.url)/") == .success)
            #expect(console.prompts == ["cumulus: password for ada: "])
            let authorization = try echoed(console)["authorization"].string
            #expect(authorization == "Basic YWRhOnBhc3M=")
            let nobody = MemoryConsole()
            #expect(await nobody.run("-a", "ada", "\(server.url)/") == .usage)
            #expect(nobody.notes.first?.contains("there is no terminal to prompt for it") == true)
        }
    }

    @Test func aBaseKeepsThePathBelowIt() async throws {
        try await withEcho { server in
            let console = MemoryConsole()
            #expect(await console.run("--base", "\(server.url)/v1?k=1", "get", "/users/4 2/", "x==2") == .success)
            let target = try echoed(console)["target"].string
            #expect(target == "/v1/users/4%202/?k=1&x=2")
        }
    }

    @Test(arguments: ["../admin", "a/../../b", "%2e%2e/x", "\\\\evil", "a\\b"])
    func `no path leaves its base`(path: String) async throws {
        try await withEcho { server in
            let console = MemoryConsole()
            #expect(await console.run("--base", "\(server.url)/v1", "get", path) == .usage)
            #expect(server.requests.isEmpty)
            #expect(console.notes.count == 1)
        }
    }

    @Test func `another host stays a path below the base`() async throws {
        try await withEcho { server in
            let console = MemoryConsole()
            #expect(await console.run("--base", "\(server.url)/v1", "get", "//evil.example/x") == .success)
            let target = try echoed(console)["target"].string
            #expect(target == "/v1/evil.example/x")
        }
    }

    @Test(arguments: ["X-Test:a\nb", "X-Test:a\r\nEvil: 1", "X Test:1", "X-Test:a\0b"])
    func `a header that can't be sent is a mistake`(item: String) async throws {
        try await withEcho { server in
            let console = MemoryConsole()
            #expect(await console.run("\(server.url)/", item) == .usage)
            #expect(server.requests.isEmpty)
            #expect(console.notes.count == 1)
        }
    }

    @Test func headersAreAlsoWrittenToAFile() async throws {
        let transport = StubTransport { _ in
            .response(headers: [.contentType: "text/plain", .setCookie: "sid=hunter2"], body: Array("hello".utf8))
        }
        let console = MemoryConsole()
        #expect(await console.run(["https://a.test/", "--headers-to", "head.txt"], over: transport) == .success)
        #expect(console.output == "hello")
        let head = String(decoding: console.file("head.txt") ?? [], as: UTF8.self)
        #expect(
            head.contains("200") && head.contains("Content-Type: text/plain\n") && !head.contains("hunter2"),
            "\(head)"
        )
        let missing = MemoryConsole()
        #expect(await missing.run(["https://a.test/", "--headers-to", "/missing/h"], over: transport) == .disk)
        for more in [["--pages", "all"], ["--offline"], ["-o", "x"]] {
            let line = ["https://a.test/", "--headers-to", "x"] + more
            #expect(await MemoryConsole().run(line, over: transport) == .usage, "\(more)")
        }
        #expect(transport.requests.count == 1)
    }

    @Test func curlIsPrintedAndNothingIsSent() async throws {
        try await withEcho { server in
            let console = MemoryConsole()
            let url = "\(server.url)/x"
            #expect(await console.run("--curl", "-a", "ada:lovelace", "put", url, "a==it's", "name=Ada") == .success)
            #expect(
                console.output == "curl -L --compressed -X PUT '\(server.url)/x?a=it%27s' "
                    + "-H 'User-Agent: Cumulus/0.1' -H 'Accept-Encoding: gzip, deflate' "
                    + "-H 'Accept: application/json, */*;q=0.5' -H 'Content-Type: application/json' "
                    + "-H 'Authorization: <redacted>' --data-binary '{\"name\":\"Ada\"}'\n"
            )
            let open = MemoryConsole()
            #expect(await open.run("--curl", "--show-secrets", "-a", "ada:lovelace", url) == .success)
            #expect(open.output.contains("-H 'Authorization: Basic YWRhOmxvdmVsYWNl'"))
            #expect(server.requests.isEmpty)
        }
    }
}

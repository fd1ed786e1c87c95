// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTestServer
import CumulusTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import CumulusCLI

/// `--filter` and `--as`: in files, line by line, and with responses that aren't JSON; with the built program.
@Suite(.timeLimit(.minutes(10)), .enabled(if: BuiltProgram.isThere)) struct FilteredProgramTests {
    private func run(_ arguments: String...) async throws -> BuiltProgram.End {
        let program = try BuiltProgram(arguments)
        try program.write()
        return try await program.end()
    }

    private func withServer(_ body: (LoopbackServer) async throws -> Void) async throws {
        try await withLoopbackServer(
            routes: { routes in
                routes.get("/list") { _ in .json(#"[{"id":1,"name":"Ada"},{"id":2,"name":"Bob"}]"#) }
                routes.get("/twice") { _ in .json(#"{ "a": 1, "b": {"x": 1.50, "x": 2} }"#) }
                routes.get("/lines") { _ in
                    .bytes(Array("{\"n\":1}\n\n{\"n\":2}".utf8), headers: [.contentType: "application/x-ndjson"])
                }
                routes.get("/bad") { _ in
                    .bytes(Array("{\"n\":1}\n{".utf8), headers: [.contentType: "application/jsonl"])
                }
                routes.get("/called") { _ in .json("{\"n\":1}\n\n{\"n\":2}") }
                routes.get("/badly") { _ in .json("{\"n\":1}\n{\n") }
                routes.get("/sequence") { _ in
                    let text = "\u{1E}{\"n\":1}\n\u{1E}{\"n\":2}\n"
                    return .bytes(Array(text.utf8), headers: [.contentType: "application/json-seq"])
                }
                routes.get("/same") { _ in ServerResponse(.notModified) }
                routes.get("/moved") { _ in ServerResponse(.found, headers: [.location: "/list"]) }
                routes.get("/html") { _ in .bytes(Array("<p>".utf8), headers: [.contentType: "text/html"]) }
                routes.get("/empty") { _ in ServerResponse(.noContent) }
                routes.get("/refused") { _ in .json("{}", status: .badRequest) }
                routes.post("/x") { _ in .text("made") }
            },
            body
        )
    }

    @Test("-o takes what --filter and --as print")
    func files() async throws {
        try await withServer { server in
            let folder = try TemporaryFolder()
            let path = "\(folder.path)/out"
            for (words, text) in [
                (["--filter", ".[].name"], "Ada\nBob\n"), (["--as", "csv"], "id,name\r\n1,Ada\r\n2,Bob\r\n"),
                (["--filter", ".[0]", "--as=yaml"], "id: 1\nname: Ada\n"),
            ] {
                let program = try BuiltProgram(words + ["-o", path, "\(server.url)/list"])
                try program.write()
                let end = try await program.end()
                #expect(end.status == 0 && end.output.isEmpty, "\(end.notes)")
                #expect(try String(contentsOfFile: path, encoding: .utf8) == text)
            }
            let shown = try await TerminalProgram(["-b", "--filter", ".[0]", "-o", path, "\(server.url)/list"]).end()
            #expect(shown.status == 0, "\(shown.text)")
            #expect(try String(contentsOfFile: path, encoding: .utf8) == "{\"id\":1,\"name\":\"Ada\"}\n")
            let new = "\(folder.path)/new"
            #expect(try await run("--filter", ".a", "-o", new, "\(server.url)/refused").status == 4)
            #expect(try String(contentsOfFile: new, encoding: .utf8) == "{}")
        }
    }

    @Test("an answer that is no success replaces no file", arguments: ["refused", "same", "moved"])
    func kept(path: String) async throws {
        try await withServer { server in
            let folder = try TemporaryFolder()
            let file = "\(folder.path)/out"
            for options in [["-o", file], ["-o", file, "--filter", ".a"], ["-q", "-o", file]] {
                try Data("mine".utf8).write(to: URL(fileURLWithPath: file))
                let program = try BuiltProgram(options + ["--no-follow", "\(server.url)/\(path)"])
                try program.write()
                let end = try await program.end()
                #expect(end.status == (path == "refused" ? 4 : 3), "\(end)")
                #expect(end.notes.contains("was not changed"), "\(end)")
                #expect(try String(contentsOfFile: file, encoding: .utf8) == "mine")
            }
        }
    }

    @Test(
        "JSON lines that are called JSON are filtered line by line",
        arguments: [["--filter", ".n"], ["--filter", ".n", "--as=csv"], ["--as=json"]]
    )
    func linesCalledJSON(options: [String]) async throws {
        try await withServer { server in
            func output(_ path: String) async throws -> BuiltProgram.End {
                let program = try BuiltProgram(options + ["\(server.url)/\(path)"])
                try program.write()
                return try await program.end()
            }
            let (called, lines) = (try await output("called"), try await output("lines"))
            #expect(called.status == 0 && called.output == lines.output && !called.output.isEmpty, "\(called)")
            #expect(try await output("sequence").output == lines.output)
            let bad = try await output("badly")
            #expect(bad.status == 1 && bad.notes.contains("line 2 of the response is not JSON"), "\(bad)")
        }
    }

    @Test("--filter without the body is a mistake")
    func noBody() async throws {
        try await withServer { server in
            let end = try await run("-h", "--filter", ".[0]", "\(server.url)/list")
            #expect(end.status == 64 && end.notes.contains("--filter needs the body"), "\(end.notes)")
            #expect(server.requests.isEmpty)
            #expect(try await run("-p", "hb", "--filter", ".[0].id", "\(server.url)/list").output.hasSuffix("\n1\n"))
        }
    }

    @Test("13: a file that can't be written is refused before anything is sent")
    func unwritable() async throws {
        try await withServer { server in
            let folder = try TemporaryFolder()
            for (path, reason) in [
                ("\(folder.path)/none/x", "No such file or directory"), (folder.path, "Is a directory"),
                ("\(folder.path)/", "Is a directory"),
            ] {
                let end = try await run("post", "\(server.url)/x", "a=1", "-o", path)
                #expect(end.status == 13 && end.notes.contains(reason), "\(end.notes)")
                #expect(end.notes.contains("can't be written"))
            }
            #expect(server.requests.isEmpty)
            // The check leaves nothing behind, and a new file works.
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
            #expect(try await run("post", "\(server.url)/x", "a=1", "-o", "\(folder.path)/new").status == 0)
            #expect(try String(contentsOfFile: "\(folder.path)/new", encoding: .utf8) == "made")
        }
    }

    @Test("--filter and --as read JSON lines; a line that isn't JSON is named")
    func lines() async throws {
        try await withServer { server in
            #expect(try await run("--filter", ".n", "\(server.url)/lines").output == "1\n2\n")
            #expect(try await run("--as", "csv", "\(server.url)/lines").output == "n\r\n1\r\n2\r\n")
            #expect(try await run("--filter", ".n", "--as", "json", "\(server.url)/lines").output == "[1,2]\n")
            let bad = try await run("--filter", ".n", "\(server.url)/bad")
            #expect(bad.status == 1 && bad.output == "1\n")
            #expect(bad.notes.contains("--filter needs JSON: line 2 of the response is not JSON"), "\(bad.notes)")
        }
    }

    @Test("JSON lines are filtered as they arrive")
    func streams() async throws {
        let gate = Gate()
        try await withLoopbackServer { routes in
            routes.get("/lines") { _ in
                .stream(headers: [.contentType: "application/x-ndjson"]) { writer in
                    try await writer.write("{\"n\":12345}\n")
                    try await gate.wait()
                }
            }
        } _: { server in
            let words = ["-b", "--filter", ".n", "\(server.url)/lines"]
            let program = try TerminalProgram(words, environment: ["CUMULUS_PAGER": "cat -v", "NO_COLOR": "1"])
            try await program.wait(for: "12345\n")
            program.signal(SIGINT)
            #expect(try await program.end().status == CommandStatus.interrupted.rawValue)
            gate.open()
        }
    }

    /// A response with events, in pieces.
    private static func events(_ pieces: String...) -> StubTransport {
        StubTransport { _ in
            .script(pieces.map { .chunk(Array($0.utf8)) }, status: .ok, headers: [.contentType: "text/event-stream"])
        }
    }

    @Test("the data of events is filtered, and joined on request")
    func events() async throws {
        let transport = Self.events(
            "\u{FEFF}: hello\r\ndata: {\"t\":\"a \"}\r\n\r",
            "\ndata:{\"t\":\ndata: \"b\"}\n\n",
            "id: 1\n\ndata: {\"t\":null}\n\n",
            "event: end\ndata: [DONE]\n\n"
        )
        let lines = MemoryConsole()
        #expect(await lines.run(["https://a.test/", "--filter", ".t"], over: transport) == .success)
        #expect(lines.output == "a \nb\nnull\n", "\(lines.notes)")
        let joined = MemoryConsole()
        #expect(await joined.run(["https://a.test/", "--filter", ".t", "--join"], over: transport) == .success)
        #expect(joined.output == "a b\n")
        let table = MemoryConsole()
        #expect(await table.run(["https://a.test/", "--as", "csv"], over: transport) == .success)
        #expect(table.output == "t\r\na \r\nb\r\n\"\"\r\n")
        let other = MemoryConsole()
        #expect(await other.run(["https://a.test/", "--filter", ".t"], over: Self.events("data: x\n\n")) == .failure)
        #expect(other.notes.last?.contains("the data of event 1 is not JSON (column 1)") == true, "\(other.notes)")
        #expect(mistake(["a.test", "--join"])?.reason == "--join needs --filter")
    }

    @Test("columns, slices and forms are made of the values at a path")
    func columns() async throws {
        let text =
            #"{"items":[{"name":"Ada","age":36,"address":{"city":"London","geo":{"lat":1.50}},"tags":["a","b"]},{"name":"Bob"}]}"#
        let transport = StubTransport { _ in .json(text) }
        for (options, output) in [
            (
                ["--filter", ".items[] | {name, years: .age}"],
                "{\"name\":\"Ada\",\"years\":36}\n{\"name\":\"Bob\",\"years\":null}\n"
            ),
            (["--filter", ".items[0]{address.city, tag: .tags[0]}"], "{\"address.city\":\"London\",\"tag\":\"a\"}\n"),
            (["--filter", ".items[0]{tags: .tags[]}"], "{\"tags\":[\"a\",\"b\"]}\n"),
            (["--filter", ".items[0].tags[1:]"], "[\"b\"]\n"), (["--filter", ".items[-1:][].name"], "Bob\n"),
            (["--filter", ".items[5:9]"], "[]\n"), (["--filter", ".items[:-1][].name"], "Ada\n"),
            (["--filter", ".items[].name", "--as", "jsonl"], "\"Ada\"\n\"Bob\"\n"),
            (["--filter", ".items[]|{name}", "--as", "csv"], "name\r\nAda\r\nBob\r\n"),
            (
                ["--filter", ".items", "--as", "csv"],
                "name,age,address.city,address.geo.lat,tags\r\nAda,36,London,1.50,\"[\"\"a\"\",\"\"b\"\"]\"\r\nBob,,,,\r\n"
            ),
        ] {
            let console = MemoryConsole()
            #expect(await console.run(["https://a.test/"] + options, over: transport) == .success, "\(options)")
            #expect(console.output == output, "\(options) \(console.notes)")
        }
        let kind = MemoryConsole()
        #expect(await kind.run(["https://a.test/", "--filter", ".items{name}"], over: transport) == .failure)
        #expect(kind.notes.last?.contains("--filter can't apply {} to an array") == true)
    }

    @Test("a response that isn't JSON is named as such")
    func notJSON() async throws {
        try await withServer { server in
            let html = try await run("--as", "csv", "\(server.url)/html")
            #expect(
                html.notes
                    == "cumulus: --as needs JSON: the response is not JSON but text/html (line 1, column 1)\n"
            )
            let empty = try await run("--filter", ".a", "\(server.url)/empty")
            #expect(empty.status == 1 && empty.notes == "cumulus: --filter needs JSON: the response has no body\n")
            let head = try await run("head", "-b", "--filter", ".a", "\(server.url)/list")
            #expect(head.notes == "cumulus: --filter needs JSON: the response has no body\n", "\(head.notes)")
        }
    }

    @Test("a response that is nested too deep is not called something other than JSON")
    func tooDeep() async throws {
        let deep = String(repeating: "[", count: 600) + String(repeating: "]", count: 600)
        let lines = StubTransport { request in
            let text = request.path == "/lines" ? "1\n\(deep)\n" : deep
            return .response(headers: [.contentType: "application/json"], body: Array(text.utf8))
        }
        for (path, problem) in [("one", "the response is nested"), ("lines", "line 2 of the response is nested")] {
            let console = MemoryConsole()
            #expect(await console.run(["https://a.example/\(path)", "--as", "yaml"], over: lines) == .failure)
            #expect(console.notes.last?.contains("--as needs JSON: \(problem) too deep") == true, "\(console.notes)")
            #expect(console.notes.last?.contains("not JSON") == false)
        }
    }

    @Test("equal names remain in JSON, and are reported in other forms")
    func equalNames() async throws {
        try await withServer { server in
            let json = try await run("--as", "json", "\(server.url)/twice")
            #expect(json.output == "{\"a\":1,\"b\":{\"x\":1.50,\"x\":2}}\n" && json.notes.isEmpty, "\(json.notes)")
            for words in [["--as", "csv"], ["--as", "table"], ["--as", "yaml"], ["--filter", ".b"]] {
                let program = try BuiltProgram(words + ["\(server.url)/twice"])
                try program.write()
                let end = try await program.end()
                #expect(end.status == 0)
                #expect(end.notes.contains("warning: an object has the name 'x' more than once"), "\(end.notes)")
            }
            let item = try await run("post", "\(server.url)/x", #"a:={"x":1,"x":2}"#)
            #expect(item.status == 64 && item.notes.contains("'a:=' has the name 'x' more than once"), "\(item.notes)")
            #expect(try await run("post", "\(server.url)/x", #"a:=[{"x":1},{"x":2}]"#).status == 0)
        }
    }

    @Test(
        "what --filter doesn't know is refused, with its place",
        arguments: [
            (".a || .b", 3), (".*", 2), (".a{b", 4), (".a{}", 4), (".a{b,}", 6), (".a[:]", 3), (".a[1:x]", 3),
            (".a, .b", 3), (".a?", 3), (".[] | length", 4), (".a+1", 3), (".a()", 3),
        ]
    )
    func grammar(path: String, place: Int) {
        let mistake = #expect(throws: UsageMistake.self) { try JSONFilter(parsing: path) }
        #expect(mistake?.reason == "--filter '\(path)' has a syntax error at character \(place)")
        #expect(mistake?.hint?.contains("jq") == true)
    }

    @Test("a path that lacks its dot, or begins as in JSONPath, is corrected in the hint")
    func corrections() {
        for (path, hint) in [("users", "write .users"), ("$.a[0].b", "write .a[0].b")] {
            let mistake = #expect(throws: UsageMistake.self) { try JSONFilter(parsing: path) }
            #expect(mistake?.hint == hint)
        }
        for path in ["$", "$$", "$a", "a b", "*", String(repeating: "$", count: 100_000)] {
            let mistake = #expect(throws: UsageMistake.self) { try JSONFilter(parsing: path) }
            #expect(mistake?.hint?.hasPrefix("paths are ") == true, "\(path)")
        }
    }

    @Test func bracesInBracesHaveALimit() throws {
        let nested = { (count: Int) in
            String(repeating: "{a: .", count: count) + "{b}" + String(repeating: "}", count: count)
        }
        #expect(try JSONFilter(parsing: nested(15)).steps.count == 1)
        #expect(throws: UsageMistake.self) { try JSONFilter(parsing: nested(5_000)) }
    }

    @Test func eventOfManyLinesIsOneValue() async {
        let text = "data: [1\n" + String(repeating: "data: ,1\n", count: 100_000) + "data: ]\n\n"
        let console = MemoryConsole()
        #expect(await console.run(["https://a.test/", "--filter", ".[-1:]"], over: Self.events(text)) == .success)
        #expect(console.output == "[1]\n", "\(console.notes)")
    }

    @Test(
        "names with marks and of other scripts need no quotes",
        arguments: [".a-b", ".@id", ".$ref", ".xml:lang", ".été"]
    )
    func names(path: String) throws {
        #expect(try JSONFilter(parsing: path).steps == [.member(String(path.dropFirst()))])
    }
}

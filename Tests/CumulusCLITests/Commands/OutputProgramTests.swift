// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTestServer
import CumulusTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import CumulusCLI

/// The output, on a terminal and in a pipe, with the built program.
@Suite(.timeLimit(.minutes(10)), .enabled(if: BuiltProgram.isThere)) struct OutputProgramTests {
    private func run(_ arguments: String..., shell: String = #"exec "$@""#) async throws -> BuiltProgram.End {
        let program = try BuiltProgram(arguments, shell: shell)
        try program.write()
        return try await program.end()
    }

    private func withBody(
        _ body: String,
        _ type: String,
        status: HTTPResponse.Status = .ok,
        _ work: (String) async throws -> Void
    ) async throws {
        let answer = ServerResponse(status, headers: [.contentType: type], body: Array(body.utf8))
        try await withLoopbackServer(routes: { $0.get("/x") { _ in answer } }) { server in
            try await work("\(server.url)/x")
        }
    }

    @Test("formatted bodies of several URLs stand apart in a pipe; received ones stay as they are")
    func several() async throws {
        try await withBody(#"{"a":1}"#, "application/json") { url in
            let formatted = try await run("--pretty=format", url, url)
            #expect(formatted.output == "{\n  \"a\": 1\n}\n{\n  \"a\": 1\n}\n")
            let received = try await run(url, url)
            #expect(received.output == #"{"a":1}{"a":1}"#)
            let one = try await run("--pretty=format", url)
            #expect(one.output == "{\n  \"a\": 1\n}")
        }
    }

    @Test("values are also written as curl writes them")
    func curlValues() async throws {
        try await withBody("x", "text/plain") { url in
            let end = try await run("-q", "-w", "%{http_code} {status} 5%", url)
            #expect(end.output == "200 200 5%\n")
        }
    }

    @Test("a pipe gets no colors by default; a terminal does")
    func colors() async throws {
        try await withBody(#"{"a":1}"#, "application/json") { url in
            #expect(try await run("-v", url).output.contains("\u{1B}") == false)
            #expect(try await run("--pretty=colors", url).output.contains("\u{1B}[34m\"a\""))
            #expect(try await run(url, shell: #"unset NO_COLOR; CLICOLOR_FORCE=1 exec "$@""#).output.contains("\u{1B}"))
            #expect(try await run(url, shell: #"NO_COLOR=1 CLICOLOR_FORCE=1 exec "$@""#).output == #"{"a":1}"#)
            #expect(try await TerminalProgram([url]).end().text.contains("\u{1B}[34m\"a\""))
            let plain = try await TerminalProgram(["-b", url], environment: ["NO_COLOR": "1"]).end()
            #expect(plain.text == "{\n  \"a\": 1\n}\n")
        }
    }

    @Test(
        "JSON is formatted with duplicate names, long numbers and its own order",
        arguments: ["application/json", "application/x-amz-json-1.1", "application/vnd.api+json", "text/json"]
    )
    func json(type: String) async throws {
        try await withBody(#"{"z":12345678901234567890123.50,"a":1,"a":[]}"#, type) { url in
            let end = try await run("--pretty=format", url)
            #expect(end.output == "{\n  \"z\": 12345678901234567890123.50,\n  \"a\": 1,\n  \"a\": []\n}")
        }
    }

    @Test("a start tag of XML stays on one line if it fits")
    func xml() async throws {
        let long = String(repeating: "x", count: 120)
        let text = "<a\n  b=\"1\"\n  c='2'\n><d e = \"1\"\n/><f\n g=\"\(long)\"/></a>"
        try await withBody(text, "text/xml") { url in
            let end = try await run("--pretty=format", url)
            #expect(end.output == "<a b=\"1\" c='2'>\n  <d e = \"1\"/>\n  <f\n g=\"\(long)\"/>\n</a>")
        }
    }

    @Test("HTML is colored, and otherwise unchanged")
    func html() async throws {
        let text = "<!DOCTYPE html>\n<p class=\"x\">1 < 2</p><script>if (a<b) x = '</p>'</script>\n"
        try await withBody(text, "text/html; charset=utf-8") { url in
            let end = try await run("--pretty=all", url)
            #expect(end.output.contains("\u{1B}[34m<p\u{1B}[0m \u{1B}[36mclass\u{1B}[0m=\u{1B}[32m\"x\"\u{1B}[0m"))
            #expect(end.output.contains("if (a<b) x = '</p>'"))
            #expect(end.output.replacing(/\u{1B}\[[0-9]+m/, with: "") == text)
        }
    }

    @Test("events are shown as they arrive, formatted; those before Ctrl-C remain")
    func events() async throws {
        let gate = Gate()
        try await withLoopbackServer { routes in
            routes.get("/events") { _ in
                .stream(headers: [.contentType: "text/event-stream"]) { writer in
                    try await writer.write("event: tick\ndata: {\"n\":1}\n\n")
                    try await gate.wait()
                }
            }
            routes.get("/lines") { _ in
                .stream(headers: [.contentType: "application/x-ndjson"]) { writer in
                    try await writer.write("{\"n\":1}\n{\"n\"")
                    try await gate.wait()
                }
            }
            routes.get("/json") { _ in
                .stream(headers: [.contentType: "application/json"]) { writer in
                    try await writer.write("{\"a\": 1, ")
                    try await gate.wait()
                }
            }
        } _: { server in
            for (path, shown, whole) in [
                (
                    "events", "data: {\n  \"n\": 1\n}\n\n",
                    "event: tick\ndata: {\n  \"n\": 1\n}\n\ncumulus: interrupted\n"
                ),
                ("lines", "{\n  \"n\": 1\n}\n", "{\n  \"n\": 1\n}\n{\"n\"\ncumulus: interrupted\n"),
            ] {
                let program = try TerminalProgram(["-b", "\(server.url)/\(path)"], environment: ["NO_COLOR": "1"])
                try await program.wait(for: shown)
                program.signal(SIGINT)
                let end = try await program.end()
                #expect(end.text == whole)
                #expect(end.status == CommandStatus.interrupted.rawValue)
            }
            // Held bytes are not shown, so the signal may overtake them: then it is tried again.
            var texts: [String] = []
            for _ in 0..<20 where texts.last?.hasSuffix("{\"a\": 1, \ncumulus: interrupted\n") != true {
                let program = try TerminalProgram(["-p", "hb", "\(server.url)/json"], environment: ["NO_COLOR": "1"])
                try await program.wait(for: "application/json")
                program.signal(SIGINT)
                texts.append(try await program.end().text)
            }
            #expect(texts.last?.hasSuffix("{\"a\": 1, \ncumulus: interrupted\n") == true, "\(texts)")
            gate.open()
        }
    }

    @Test("-v shows redirects, --all also their bodies")
    func redirects() async throws {
        try await withLoopbackServer(routes: { routes in
            routes.get("/a") { _ in
                ServerResponse(
                    .found,
                    headers: [.location: "/b", .contentType: "text/plain"],
                    body: Array("moved\n".utf8)
                )
            }
            routes.get("/b") { _ in .text("there\n") }
        }) { server in
            let verbose = try await run("-v", "\(server.url)/a")
            let lines = verbose.output.components(separatedBy: "\n").filter { $0.contains("HTTP/1.1") }
            #expect(lines == ["GET /a HTTP/1.1", "HTTP/1.1 302 Found", "GET /b HTTP/1.1", "HTTP/1.1 200 OK"])
            #expect(verbose.output.hasSuffix("\n\nthere\n") && !verbose.output.contains("moved"))
            let all = try await run("--all", "-p", "b", "\(server.url)/a")
            #expect(all.output == "moved\n\nthere\n")
            let heads = try await run("--all", "-h", "\(server.url)/a")
            #expect(heads.output.hasPrefix("HTTP/1.1 302 Found\n") && heads.output.contains("\n\nHTTP/1.1 200 OK\n"))
            let refused = try await run("-v", "--max-redirects", "1", "\(server.url)/a", "--all")
            #expect(refused.output.contains("moved\n\nGET /b"))
        }
    }

    @Test("-qq reports only the exit status")
    func silence() async throws {
        try await withBody("no", "text/plain", status: .notFound) { url in
            let folder = try TemporaryFolder()
            for (line, status) in [
                (["-qq", url], CommandStatus.clientError), (["-qq", "http://127.0.0.1:1/"], .connect),
                (["download", "-qq", "-o", "\(folder.path)/f", url], .clientError),
                (["download", "-qq", "-o", folder.path, url, "\(url)y"], .clientError),
                (["-qq", "http://127.0.0.1:1/", url], .connect),
            ] {
                let program = try BuiltProgram(line)
                try program.write()
                let end = try await program.end()
                #expect(end.status == status.rawValue)
                #expect(end.output.isEmpty && end.notes.isEmpty, "\(line) \(end.notes)")
            }
        }
    }

    @Test("an error begins on a new line, if it has the same destination as the body")
    func errorLine() async throws {
        try await withBody("no line end", "text/plain", status: .notFound) { url in
            let joined = try await run("-b", url, shell: #"exec "$@" 2>&1"#)
            #expect(joined.output == "no line end\ncumulus: status: \(url): 404 Not Found\n")
            let apart = try await run("-b", url)
            #expect(apart.output == "no line end")
            #expect(
                try await TerminalProgram(["-b", url]).end().text
                    == "no line end\ncumulus: status: \(url): 404 Not Found\n"
            )
        }
        try await withLoopbackServer(raw: .response("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nfour")) { server in
            let end = try await TerminalProgram(["-b", server.url]).end()
            #expect(end.text.hasPrefix("four\ncumulus: truncated: "), "\(end.text)")
        }
    }

    @Test("13: a full standard output is reported as such", .enabled(if: BuiltProgram.hasFullDevice))
    func fullDevice() async throws {
        try await withBody("body", "text/plain") { url in
            let end = try await run(url, shell: #""$@" >/dev/full"#)
            #expect(end.status == CommandStatus.disk.rawValue)
            #expect(end.notes == "cumulus: disk: standard output can't be written: No space left on device\n")
        }
    }
}

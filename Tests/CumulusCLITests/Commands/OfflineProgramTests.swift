// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTestServer
import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import CumulusCLI

/// `--offline` in a pipe: exactly the bytes that would be sent.
@Suite(.timeLimit(.minutes(10)), .enabled(if: BuiltProgram.isThere)) struct OfflineProgramTests {
    private func run(_ arguments: [String], shell: String = #"exec "$@""#) async throws -> BuiltProgram.End {
        let program = try BuiltProgram(arguments, shell: shell)
        try program.write()
        return try await program.end()
    }

    @Test("a request without a body ends with its empty line")
    func head() async throws {
        let end = try await run(["--offline", "http://a.example/x", "User-Agent:", "Accept-Encoding:", "b==1"])
        #expect(end.output == "GET /x?b=1 HTTP/1.1\r\nHost: a.example\r\nAccept: */*\r\n\r\n")
        #expect(end.notes.isEmpty)
    }

    private static let lines: [[String]] = [
        ["URL/x", "name=Ada"],
        ["put", "URL/x"],
        ["-f", "URL/x", "a=1", "password=hunter2", "--show-secrets"],
        ["--multipart", "--boundary", "here", "URL/x", "a=1", "b=2", "--show-secrets"],
        ["-f", "URL/x", "f@FILE", "--show-secrets"],
        ["URL/x", "@FILE", "--show-secrets"],
        ["--compress", "URL/x", "@FILE", "--show-secrets"],
        ["URL/x", "a=1", "Content-Length:9"],
        ["URL/x", "Host:other.example"],
        ["-a", "ada:pw", "--show-secrets", "URL/x"],
    ]

    @Test("piped to a server, the output is the same as the sent request", arguments: lines)
    func pipedToAServer(line: [String]) async throws {
        let folder = try TemporaryFolder()
        let file = try folder.write(String(repeating: "0123456789", count: 1_000), to: "f.txt")
        try await withLoopbackServer(routes: { $0.on(nil, "/*") { _ in .text("fine") } }) { server in
            let words = line.map { $0.replacing("URL", with: server.url).replacing("FILE", with: file) }
            let sent = try await run(words)
            #expect(sent.status == 0, "\(sent.notes)")
            let shell = "exec bash -c 'exec 3<>/dev/tcp/127.0.0.1/\(server.port); \"$@\" >&3; head -1 <&3' bash \"$@\""
            let piped = try await run(["--offline"] + words, shell: shell)
            #expect(piped.output == "HTTP/1.1 200 OK\r\n", "\(piped.notes)")
            let (one, other) = (try #require(server.requests.first), try #require(server.requests.last))
            #expect(server.requests.count == 2)
            #expect(one.method == other.method && one.target == other.target)
            let boundaries = [one, other].map {
                $0.headers[.contentType]?.components(separatedBy: "boundary=").last ?? ""
            }
            let texts = zip([one, other], boundaries).map { request, boundary in
                boundary.isEmpty ? request.text : request.text.replacing(boundary, with: "B")
            }
            #expect(texts[0] == texts[1])
            let fields = zip([one, other], boundaries).map { request, boundary in
                request.headers.map {
                    "\($0.name): \(boundary.isEmpty ? $0.value : $0.value.replacing(boundary, with: "B"))"
                }
            }
            #expect(fields[0] == fields[1])
        }
    }

    @Test("a body without a known length is written in chunks")
    func chunked() async throws {
        let shell = #"yes 0123456 | head -c 9000000 | "$@""#
        let end = try await run(["--offline", "--show-secrets", "post", "http://a.example/x"], shell: shell)
        #expect(end.output.hasPrefix("POST /x HTTP/1.1\r\n"))
        #expect(end.output.contains("Transfer-Encoding: chunked\r\n\r\n"))
        #expect(!end.output.contains("Content-Length"))
        #expect(end.output.hasSuffix("\r\n0\r\n\r\n"))
    }

    @Test("if secrets are hidden, the length is that of the shown body")
    func hidden() async throws {
        let end = try await run(["--offline", "http://a.example/x", "password=hunter2"])
        let body = #"{"password":"<redacted>"}"#
        #expect(end.output.hasSuffix("Content-Length: \(body.utf8.count)\r\n\r\n\(body)"), "\(end.output)")
    }

    @Test("a body that is neither JSON nor a form is left out, with a note of its type and size")
    func leftOut() async throws {
        let line = ["http://a.example/x", "--raw", "password: hunter2"]
        let end = try await run(["--offline"] + line)
        #expect(end.output.hasSuffix("\r\n\r\n") && !end.output.contains("hunter2"), "\(end.output)")
        let note = "the request's body (text/plain, 17 bytes) is shown only with --show-secrets"
        #expect(end.notes.contains(note), "\(end.notes)")
        let open = try await run(["--offline", "--show-secrets"] + line)
        #expect(open.output.hasSuffix("\r\n\r\npassword: hunter2"), "\(open.output)")
    }

    @Test(
        "a request that can't be sent is refused",
        arguments: ["Content-Length:5", "Transfer-Encoding:gzip", "Connection:X-A", "X-A:a\u{1}b"]
    )
    func refused(item: String) async throws {
        let end = try await run(["--offline", "http://a.example/x", "a=1", item])
        #expect(end.status == 64, "\(end.output)")
        #expect(end.output.isEmpty)
        let missing = try await run(["--offline", "http://a.example/x", "@/no/such"])
        #expect(missing.status == 64 && missing.output.isEmpty)
    }

    @Test("a terminal also shows the parts of a form")
    func terminal() async throws {
        let end = try await TerminalProgram(["--offline", "--multipart", "--show-secrets", "http://a.example/x", "a=1"])
            .end()
        #expect(end.status == 0)
        #expect(end.text.contains("Content-Disposition: form-data; name=\"a\"\n\n1\n"), "\(end.text)")
    }
}

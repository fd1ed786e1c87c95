// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import CumulusCLI

/// `--curl`, run in a shell with the installed curl: the server sees the same request.
@Suite(.timeLimit(.minutes(1)), .enabled(if: BuiltProgram.isThere && BuiltProgram.hasCurl)) struct CurlProgramTests {
    private func run(_ arguments: [String], shell: String = #"exec "$@""#) async throws -> BuiltProgram.End {
        let program = try BuiltProgram(arguments, shell: shell)
        try program.write()
        return try await program.end()
    }

    /// A request field by field, in a fixed order.
    private func fields(_ request: ServerRequest) -> [String] {
        request.headers.map { "\($0.name.canonicalName): \($0.value)" }.sorted()
    }

    private static let lines: [[String]] = [
        ["URL/x"],
        ["URL/x?b=2", "a==it's", "X-A:1", "User-Agent:"],
        ["put", "URL/x", "name=Ada", "age:=36"],
        ["-f", "URL/x", "a=x y", "b=&"],
        ["delete", "URL/x", "--raw", "bye"],
        ["head", "URL/x"],
        ["-a", "ada:love lace", "URL/x"],
        ["-A", "bearer", "-a", "t0ken", "URL/x", "--timeout", "5", "--max-time", "9", "--retry", "1"],
        ["URL/from", "--max-redirects", "3"],
        ["--http-version", "1.1", "URL/x"],
        ["--resolve", "nowhere.test:127.0.0.1", "http://nowhere.test:PORT/x"],
        ["--resolve", "nowhere.test:PORT:127.0.0.1", "http://nowhere.test:PORT/x", "a=1"],
        ["--proxy", "http://127.0.0.1:1", "--noproxy", "127.0.0.1", "URL/x"],
        ["-A", "digest", "-a", "ada:pw", "URL/x"],
    ]

    @Test("curl sends what cumulus sends, field by field", arguments: lines)
    func sameRequest(line: [String]) async throws {
        try await withLoopbackServer(routes: { routes in
            routes.get("/from") { _ in .redirect(to: "/to") }
            routes.on(nil, "/*") { _ in .text("fine\n") }
        }) { server in
            let words = line.map {
                $0.replacing("URL", with: server.url).replacing("PORT", with: "\(server.port)")
            }
            let sent = try await run(words)
            #expect(sent.status == 0, "\(sent.notes)")
            let own = server.requests
            let printed = try await run(["--curl", "--show-secrets"] + words)
            #expect(printed.status == 0, "\(printed.notes)")
            let curl = try await run(["--curl", "--show-secrets"] + words, shell: "sh -c \"$(\"$@\") -s\"")
            #expect(curl.status == 0, "\(printed.output) \(curl.notes)")
            // With -I curl prints the head.
            if line.first != "head" { #expect(curl.output == sent.output) }
            let theirs = Array(server.requests.dropFirst(own.count))
            #expect(theirs.count == own.count, "\(printed.output)")
            for (one, other) in zip(own, theirs) {
                #expect(one.method == other.method && one.target == other.target && one.body == other.body)
                #expect(fields(one) == fields(other), "\(printed.output)")
            }
        }
    }

    @Test("a multipart form becomes curl's -F, with the same fields, names and types")
    func multipart() async throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("a \"picture\"", to: "it's; a \"cat\".png")
        try await withLoopbackServer(routes: { $0.on(nil, "/*") { _ in .text("fine\n") } }) { server in
            let words = [
                "-f", "\(server.url)/x", "title=@5;type=x", "photo@\(path)", "b@\(path);type=text/x;filename=n.txt",
            ]
            let line = words.map { $0.replacing("title=@5", with: "title=\\@5") }
            let sent = try await run(line)
            #expect(sent.status == 0, "\(sent.notes)")
            let curl = try await run(["--curl"] + line, shell: "sh -c \"$(\"$@\") -s\"")
            #expect(curl.status == 0, "\(curl.notes)")
            let requests = server.requests
            #expect(requests.count == 2)
            let texts = requests.map { request in
                let boundary = request.headers[.contentType]?.components(separatedBy: "boundary=").last ?? "?"
                // curl's form has no fixed order of a part's fields.
                return request.text.replacing(boundary, with: "B").components(separatedBy: "--B").map { part in
                    part.components(separatedBy: "\r\n").sorted()
                }
            }
            #expect(texts.first == texts.last)
            let hidden = try await run(["--curl", "--multipart", "\(server.url)/x", "password=hunter2"])
            #expect(hidden.output.contains("--form-string 'password=<redacted>'"), "\(hidden.output)")
        }
    }

    @Test("curl uses a Unix domain socket, too")
    func unixSocket() async throws {
        let folder = try TemporaryFolder()
        var configuration = LoopbackServer.Configuration()
        configuration.unixSocketPath = "\(folder.path)/s"
        let server = try await LoopbackServer.start(configuration: configuration) { routes in
            routes.get("/x") { _ in .text("by socket\n") }
        }
        let line = ["--unix-socket", "\(folder.path)/s", "http://somewhere/x"]
        #expect(try await run(line).output == "by socket\n")
        #expect(try await run(["--curl"] + line, shell: "sh -c \"$(\"$@\") -s\"").output == "by socket\n")
        #expect(server.requests.map { $0.headers.first?.value } == ["somewhere", "somewhere"])
        await server.shutdown()
    }

    @Test("trusted authorities and client certificates are passed to curl as well")
    func trust() async throws {
        let tls = try ServerTLS.selfSigned()
        let folder = try TemporaryFolder()
        try await withLoopbackServer(tls: tls, routes: { $0.get("/x") { _ in .text("safe\n") } }) { server in
            let careless = ["--verify=no", "\(server.url)/x"]
            #expect(
                try await run(["--curl"] + careless, shell: "sh -c \"$(\"$@\" 2>/dev/null) -s\"").output == "safe\n"
            )
            let distrust = try await run(["--curl", "\(server.url)/x"], shell: "sh -c \"$(\"$@\") -s\"")
            #expect(distrust.status != 0)
        }
        let pem = try folder.write("-----BEGIN CERTIFICATE-----\n-----BEGIN PRIVATE KEY-----\n", to: "me.pem")
        let pin = "sha256/\(String(repeating: "A", count: 43))="
        let line = try await run([
            "--curl", "--cert", pem, "--cert-key", pem, "--verify", pem, "--pin", pin, "https://a.b/",
        ])
        #expect(
            line.output.contains("--cacert \(pem) --cert \(pem) --key \(pem) --pinnedpubkey 'sha256//"),
            "\(line.notes)"
        )
        let rest = try await run([
            "--curl", "--http-version", "2", "--max-time", "7", "--timeout", "2.5", "--proxy=", "-o", "f",
            "https://a.b/",
        ])
        #expect(rest.output.contains("curl -L --http2 --noproxy '*' --connect-timeout 2.5 --speed-limit 1"))
        #expect(rest.output.contains("--speed-time 3 --max-time 7 -o f "))
        #expect(!(try await run(["--curl", "--no-follow", "https://a.b/"]).output.contains("-L")))
    }

    @Test("options without an equivalent in curl are reported")
    func missing() async throws {
        let program = try BuiltProgram(["--curl", "--public-only", "--hedge", "1", "https://a.test/"])
        try program.write()
        let end = try await program.end()
        #expect(end.notes.contains("--curl leaves out --public-only"), "\(end.notes)")
        #expect(end.notes.contains("--curl leaves out --hedge"))
        #expect(end.output.hasPrefix("curl ") && !end.output.contains("public"))
    }
}

// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTestServer
import CumulusTesting
import HTTPTypes
import TestSupport
import Testing

@testable import CumulusCLI

@Suite(.timeLimit(.minutes(10))) struct CommandOutcomeTests {
    @Test(arguments: [
        (200, CommandStatus.success), (204, .success), (304, .redirection), (404, .clientError), (503, .serverError),
    ])
    func theStatusIsTheExitCode(code: Int, expected: CommandStatus) async throws {
        let status = HTTPResponse.Status(code: code)
        try await withLoopbackServer(routes: { $0.get("/x") { _ in ServerResponse(status) } }) { server in
            let console = MemoryConsole()
            #expect(await console.run("get", "\(server.url)/x") == expected)
            #expect(console.notes.count == (expected == .success ? 0 : 1))
        }
    }

    @Test func anErrorsBodyIsPrintedWhole() async throws {
        let body = String(repeating: "0123456789", count: 50_000)
        try await withLoopbackServer(routes: { $0.get("/x") { _ in .text(body, status: .badRequest) } }) { server in
            let console = MemoryConsole()
            #expect(await console.run("get", "\(server.url)/x") == .clientError)
            #expect(console.output == body)
            #expect(console.notes == ["cumulus: status: \(server.url)/x: 400 Bad Request"])
        }
    }

    @Test func aTerminalShowsHeadersAndLaidOutBody() async throws {
        try await withLoopbackServer(routes: { $0.get("/x") { _ in .json("{\"a\":[1]}", status: .notFound) } }) {
            server in
            let console = MemoryConsole(outputIsTerminal: true, environment: ["NO_COLOR": "1"])
            #expect(await console.run("get", "\(server.url)/x") == .clientError)
            #expect(console.output.hasPrefix("HTTP/1.1 404 Not Found\n"))
            #expect(console.output.hasSuffix("\n\n{\n  \"a\": [\n    1\n  ]\n}\n"))
            // The status is already in the output.
            #expect(console.notes.isEmpty)
        }
    }

    @Test func `a server can't write to the terminal`() async throws {
        let reply = "HTTP/1.1 200 O\u{9B}K\r\nX-A: \u{9B}31m\r\nContent-Length: 9\r\n\r\n\u{1B}]0;x\u{07}\r\n!"
        try await withLoopbackServer(raw: .response(reply)) { server in
            let console = MemoryConsole(outputIsTerminal: true, environment: ["NO_COLOR": "1"])
            #expect(await console.run("get", server.url) == .success)
            let controls = console.output.unicodeScalars.filter { scalar in
                scalar != "\n" && scalar != "\t" && (scalar.value < 0x20 || 0x7F...0x9F ~= scalar.value)
            }
            #expect(controls.isEmpty)
            #expect(console.output.contains("\\u001b]0;x\\u0007\n!"))
        }
    }

    @Test func binaryIsNotShownOnATerminal() async throws {
        try await withLoopbackServer(routes: { $0.get("/x") { _ in ServerResponse(body: [0, 1, 2]) } }) { server in
            let console = MemoryConsole(outputIsTerminal: true, environment: ["NO_COLOR": "1"])
            #expect(await console.run("-b", "get", "\(server.url)/x") == .success)
            #expect(!console.outputBytes.contains(0))
            #expect(console.notes.first?.contains("binary") == true)
            let piped = MemoryConsole()
            #expect(await piped.run("get", "\(server.url)/x") == .success)
            #expect(piped.outputBytes == [0, 1, 2])
        }
    }

    @Test func verboseShowsBothMessages() async throws {
        try await withLoopbackServer(routes: { $0.post("/x") { _ in .text("fine\n") } }) { server in
            let console = MemoryConsole()
            #expect(await console.run("-v", "-a", "ada:hunter2", "\(server.url)/x", "a=1", "User-Agent:") == .success)
            #expect(
                console.output.hasPrefix(
                    """
                    POST /x HTTP/1.1
                    Host: 127.0.0.1:\(server.port)
                    Accept-Encoding: gzip, deflate
                    Accept: application/json, */*;q=0.5
                    Content-Type: application/json
                    Authorization: Basic <redacted>
                    Content-Length: 9

                    {"a":"1"}

                    HTTP/1.1 200 OK
                    """
                )
            )
            #expect(console.output.hasSuffix("\n\nfine\n"))
        }
    }

    @Test func offlineSendsNothing() async throws {
        try await withLoopbackServer { server in
            let console = MemoryConsole()
            #expect(await console.run("--offline", "--show-secrets", "-a", "a:b", "\(server.url)/x", "k=v") == .success)
            #expect(console.output.contains("Authorization: Basic YTpi\r\n"))
            #expect(console.output.hasSuffix("\r\n\r\n{\"k\":\"v\"}"))
            #expect(server.counts.connectionsAccepted == 0)
        }
    }

    @Test func theBodyGoesToAFile() async throws {
        try await withLoopbackServer(routes: { $0.get("/x") { _ in .text("fine") } }) { server in
            let console = MemoryConsole()
            #expect(await console.run("-o", "out.txt", "get", "\(server.url)/x") == .success)
            #expect(console.file("out.txt") == Array("fine".utf8))
            #expect(console.output.isEmpty)
            let refused = MemoryConsole()
            #expect(await refused.run("-o", "/missing/out", "get", "\(server.url)/x") == .disk)
            #expect(refused.notes.first?.contains("No such file") == true)
        }
    }

    @Test("A file that has bytes is not replaced by an error's body; the same body makes a new file")
    func anErrorsBodyReplacesNothing() async throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("mine", to: "out.txt")
        let other = folder.path + "/new.txt"
        try await withLoopbackServer(routes: { routes in
            routes.get("/no") { _ in .text("no such thing", status: .notFound) }
            routes.get("/yes") { _ in .text("fine") }
        }) { server in
            let refused = MemoryConsole()
            #expect(await refused.run("-o", path, "get", "\(server.url)/no") == .clientError)
            #expect(refused.file(path) == nil && refused.output.isEmpty)
            #expect(refused.notes.contains { $0.contains("was not changed") })
            let console = MemoryConsole()
            #expect(await console.run("-o", other, "get", "\(server.url)/no") == .clientError)
            #expect(console.file(other) == Array("no such thing".utf8))
            #expect(await console.run("-o", path, "get", "\(server.url)/yes") == .success)
            #expect(console.file(path) == Array("fine".utf8))
        }
    }

    @Test func aCodedBodyIsWrittenDecodedAndItsHeadAsItCame() async throws {
        // "hello", from Python's `gzip.compress`.
        let gzip: [UInt8] = [
            0x1F, 0x8B, 0x08, 0, 0, 0, 0, 0, 0x02, 0x03, 0xCB, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0,
            0x86, 0xA6, 0x10, 0x36, 0x05, 0, 0, 0,
        ]
        let answer = ServerResponse(headers: [.contentEncoding: "gzip", .contentType: "text/plain"], body: gzip)
        try await withLoopbackServer(routes: { $0.get("/x") { _ in answer } }) { server in
            let console = MemoryConsole()
            #expect(await console.run("-o", "out.txt", "get", "\(server.url)/x") == .success)
            #expect(console.file("out.txt") == Array("hello".utf8))
            let printed = MemoryConsole()
            #expect(await printed.run("-p", "hb", "get", "\(server.url)/x") == .success)
            #expect(printed.output.contains("Content-Encoding: gzip"))
            #expect(printed.output.hasSuffix("\n\nhello"))
        }
    }

    @Test func quietPrintsNothing() async throws {
        try await withLoopbackServer(routes: { $0.get("/x") { _ in .text("no", status: .notFound) } }) { server in
            let console = MemoryConsole()
            #expect(await console.run("-q", "get", "\(server.url)/x") == .clientError)
            #expect(console.output.isEmpty)
            #expect(console.notes.count == 1)
            let silent = MemoryConsole()
            #expect(await silent.run("-qq", "get", "\(server.url)/x") == .clientError)
            #expect(silent.notes.isEmpty)
        }
    }

    @Test func redirectsAreFollowedUnlessTold() async throws {
        try await withLoopbackServer(routes: { routes in
            routes.get("/a") { _ in .redirect(to: "/b") }
            routes.get("/b") { _ in .text("there") }
            routes.get("/loop") { _ in .redirect(to: "/loop") }
            routes.get("/nowhere") { _ in ServerResponse(.found) }
        }) { server in
            let console = MemoryConsole()
            #expect(await console.run("get", "\(server.url)/a") == .success)
            #expect(console.output == "there")
            #expect(await MemoryConsole().run("get", "--no-follow", "\(server.url)/a") == .redirection)
            #expect(await MemoryConsole().run("get", "\(server.url)/loop") == .tooManyRedirects)
            #expect(await MemoryConsole().run("get", "\(server.url)/nowhere") == .redirection)
        }
    }

    @Test func aRefusedConnectionIsOneLine() async throws {
        let console = MemoryConsole()
        #expect(await console.run("http://127.0.0.1:1/") == .connect)
        #expect(console.notes.count == 1)
        #expect(console.notes.first?.hasPrefix("cumulus: connect: http://127.0.0.1:1/: ") == true)
        #expect(console.notes.first?.contains("Connection refused") == true)
        #expect(console.output.isEmpty)
    }

    @Test func aSilentServerIsATimeout() async throws {
        try await withLoopbackServer(raw: [.hold]) { server in
            let console = MemoryConsole()
            #expect(await console.run("--timeout", "0.1", "get", server.url) == .timeout)
            #expect(console.notes.first?.hasPrefix("cumulus: timeout: ") == true)
        }
    }

    @Test func anUntrustedCertificateIsATLSError() async throws {
        let tls = try ServerTLS.selfSigned()
        try await withLoopbackServer(tls: tls, routes: { $0.get("/") { _ in .text("hi") } }) { server in
            let console = MemoryConsole()
            #expect(await console.run("--timeout", "60", "get", server.url) == .tls)
            #expect(console.notes.first?.hasPrefix("cumulus: tls: \(server.url)/: ") == true)
            let careless = MemoryConsole()
            #expect(await careless.run("--verify=no", "get", server.url) == .success)
            #expect(careless.notes.first?.contains("NOT checked") == true)
            #expect(careless.output == "hi")
        }
    }

    @Test func aTruncatedBodyIsAnErrorAfterItsBytes() async throws {
        try await withLoopbackServer(raw: .response("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nfour")) { server in
            let console = MemoryConsole()
            #expect(await console.run("get", server.url) == .partial)
            #expect(console.output == "four")
            #expect(console.notes.first?.hasPrefix("cumulus: truncated: ") == true)
        }
    }

    @Test func anErrorWhoseBodyBreaksOffKeepsItsStatus() async throws {
        let raw = "HTTP/1.1 404 Not Found\r\nContent-Length: 10\r\n\r\nfour"
        try await withLoopbackServer(raw: .response(raw)) { server in
            for isTerminal in [false, true] {
                let console = MemoryConsole(outputIsTerminal: isTerminal, environment: ["NO_COLOR": "1"])
                #expect(await console.run("get", server.url) == .clientError)
                #expect(console.output.contains("four"))
                #expect(console.notes.count == 1)
                let prefix = "cumulus: status: \(server.url)/: 404 Not Found: truncated: "
                #expect(console.notes.first?.hasPrefix(prefix) == true, "\(console.notes)")
            }
        }
    }

    @Test func allOfACallMayTakeSoLong() async throws {
        // Fewer than the hundred that are too many for an exchange.
        let drip: [RawScript.Step] = [.send("HTTP/1.1 102 Processing\r\n\r\n"), .pause(.milliseconds(20))]
        let drips = RawScript([.awaitHead] + Array(repeating: drip, count: 90).flatMap(\.self))
        for script in [drips, [.hold]] {
            try await withLoopbackServer(raw: script) { server in
                let (get, download) = (MemoryConsole(), MemoryConsole())
                #expect(await get.run("--max-time", "0.3", "get", server.url) == .timeout)
                #expect(get.notes.first?.hasPrefix("cumulus: timeout: ") == true, "\(get.notes)")
                let folder = try TemporaryFolder()
                let file = "\(folder.path)/x"
                #expect(await download.run("download", "--max-time=0.3", server.url, "-o", file) == .timeout)
                #expect(await MemoryConsole().run("--max-time", "-1", "x.y") == .usage)
            }
        }
    }

    @Test func aFailedLookupHasItsCode() async throws {
        let stub = StubTransport { _ in .failure(TransportFailure(.lookup, "can't find the host nowhere.test")) }
        let console = MemoryConsole()
        #expect(await console.run(["get", "nowhere.test"], over: stub) == .lookup)
        #expect(console.notes == ["cumulus: dns: https://nowhere.test/: can't find the host nowhere.test"])
    }

    @Test func interruptionEndsTheRequestWithItsCode() async throws {
        try await withLoopbackServer(raw: [.hold]) { server in
            let console = MemoryConsole()
            // Cancelled below, as Ctrl-C does.
            let run = Task { await console.run("get", server.url) }
            try await server.waitForConnections(1)
            run.cancel()
            #expect(await run.value == .interrupted)
            #expect(console.notes == ["cumulus: interrupted"])
        }
    }

    @Test func aClosedOutputIsTheQuietEnd() async throws {
        try await withLoopbackServer(routes: { $0.get("/x") { _ in .text("fine") } }) { server in
            let console = MemoryConsole(outputIsClosed: true)
            #expect(await console.run("get", "\(server.url)/x") == .success)
            #expect(console.notes.isEmpty)
            #expect(await console.run("-v", "get", "\(server.url)/x") == .success)
            #expect(await console.run("--help") == .success)
            #expect(console.notes.isEmpty)
        }
    }

    @Test("a reader that leaves early turns no failure into success", arguments: [[], ["-v"], ["-h"], ["-p", "hb"]])
    func closedOutputKeepsFailure(options: [String]) async throws {
        try await withLoopbackServer(routes: { routes in
            routes.get("/no") { _ in .text("no", status: .notFound) }
            routes.get("/x") { _ in .text("fine") }
        }) { server in
            let one = MemoryConsole(outputIsClosed: true)
            #expect(await CommandRun(one.console).run(options + ["get", "\(server.url)/no"]) == .clientError)
            let several = MemoryConsole(outputIsClosed: true)
            let urls = ["get", "\(server.url)/no", "\(server.url)/x"]
            #expect(await CommandRun(several.console).run(options + urls) == .clientError)
            let refused = MemoryConsole(outputIsClosed: true)
            let nowhere = ["get", "http://127.0.0.1:1/"]
            #expect(await CommandRun(refused.console).run(options + nowhere) == .connect)
            #expect(refused.notes.count == 1)
        }
    }

    @Test("a body that an early success cut off is no success")
    func cutBody() async throws {
        // It reads no more than the head, and has no room for 30 MB.
        let response = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
        try await withLoopbackServer(raw: [.awaitHead, .send(response), .hold]) { server in
            let folder = try TemporaryFolder()
            let path = try folder.write([UInt8](repeating: 1, count: 30_000_000), to: "big")
            let console = MemoryConsole()
            #expect(await console.run("post", server.url, "@\(path)") == .failure)
            #expect(console.output == "ok")
            let note =
                "cumulus: the request's body was not sent completely: the server had already responded successfully"
            #expect(console.notes == [note])
        }
    }

    @Test func timesAndAddressesArePrinted() async throws {
        try await withLoopbackServer(routes: { $0.get("/x") { _ in .text("fine") } }) { server in
            let console = MemoryConsole()
            #expect(await console.run("-m", "get", "\(server.url)/x") == .success)
            #expect(console.output.contains("Elapsed: "))
            #expect(console.output.contains("Remote: 127.0.0.1:\(server.port)\n"))
        }
    }

    @Test func mistakesAreToldWithoutATrace() async {
        let console = MemoryConsole()
        #expect(await console.run("get", "example.com", "word") == .usage)
        #expect(console.notes.first?.hasPrefix("cumulus: usage: the item 'word' has no separator\n  hint: ") == true)
        #expect(console.output.isEmpty)
    }
}

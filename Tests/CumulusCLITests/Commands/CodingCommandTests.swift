// SPDX-License-Identifier: Apache-2.0

import CumulusCodings
import CumulusCore
import CumulusTestServer
import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import CumulusCLI

/// `--compressed` and `--compress`.
@Suite(.timeLimit(.minutes(10))) struct CodingCommandTests {
    private static func echo(_ request: ServerRequest) -> ServerResponse {
        let asked = request.headers[.acceptEncoding] ?? "none"
        let coding = request.headers[.contentEncoding] ?? "none"
        return .text("asked \(asked), sent \(coding), \(request.body.count) bytes")
    }

    private func answer(to arguments: [String]) async throws -> String {
        let server = try await LoopbackServer.start { $0.on(nil, "/*") { Self.echo($0) } }
        let console = MemoryConsole()
        #expect(await CommandRun(console.console).run(arguments + [server.url]) == .success, "\(console.notes)")
        await server.shutdown()
        return console.output
    }

    @Test("a compressed body is not shown, since its secrets can't be found")
    func compressedSecrets() async throws {
        let items = ["--compress", "--compress", "--offline", "https://a.example/", "password=hunter2"]
        let console = MemoryConsole()
        #expect(await CommandRun(console.console).run(items) == .success, "\(console.notes)")
        #expect(console.output.hasSuffix("\r\n\r\n") || console.output.contains("Content-Encoding: gzip"))
        #expect(console.notes.joined().contains("compressed and shown only with --show-secrets"))
        let shown = MemoryConsole()
        #expect(await CommandRun(shown.console).run(items + ["--show-secrets"]) == .success)
        #expect(!shown.notes.joined().contains("compressed and shown"))
    }

    @Test("an unrequested or broken coding is reported with a hint")
    func hints() async throws {
        let server = try await LoopbackServer.start { routes in
            routes.get("/odd") { _ in .bytes([1, 2], headers: ["Content-Encoding": "compress"]) }
            routes.get("/broken") { _ in .bytes([1, 2], headers: ["Content-Encoding": "gzip"]) }
        }
        let hints = [
            ("odd", "which was not requested; the body was not decoded"),
            ("broken", "try Accept-Encoding:identity"),
        ]
        for (place, hint) in hints {
            let console = MemoryConsole()
            let status = await console.run("get", "\(server.url)/\(place)")
            #expect(status == (place == "odd" ? .success : .failure))
            let note = console.notes.last ?? ""
            #expect(note.contains(hint), "\(note)")
        }
        await server.shutdown()
    }

    @Test func compressedAsksForAllThatIsThere() async throws {
        let available = [ContentCoding.zstd, .brotli, .gzip, .deflate].filter(\.isAvailable).map(\.name)
        #expect(try await answer(to: ["--compressed"]).hasPrefix("asked \(available.joined(separator: ", ")), sent"))
        #expect(try await answer(to: []).hasPrefix("asked gzip, deflate, sent none, 0"))
    }

    @Test func verboseNamesWhatIsMissing() throws {
        let missing = [ContentCoding.zstd, .brotli].filter { !$0.isAvailable }
        let notices = try plan(["-v", "--compressed", "x.y"]).notices
        #expect(notices.count == missing.count)
        for coding in missing { #expect(notices.contains { $0.contains("can't use \(coding.name): lib") }) }
        #expect(try plan(["--compressed", "x.y"]).notices.isEmpty)
    }

    @Test func compressCompressesTheBodyIfThatMakesItSmaller() async throws {
        let long = String(repeating: "a", count: 5_000)
        let smaller = try await answer(to: ["--compress", "--raw", long, "post"])
        #expect(smaller.contains("sent gzip, ") && !smaller.contains("5000 bytes"))
        #expect(try await answer(to: ["--compress", "--raw", "short", "post"]).hasSuffix("sent none, 5 bytes"))
        #expect(try await answer(to: ["--compress", "--compress", "--raw", "short", "post"]).contains("sent gzip, "))
    }

    @Test func anUploadIsCompressedWhileItIsSent() async throws {
        let folder = try TemporaryFolder()
        let path = "\(folder.path)/long.txt"
        try String(repeating: "a", count: 5_000).write(toFile: path, atomically: true, encoding: .utf8)
        let server = try await LoopbackServer.start { $0.on(nil, "/*") { Self.echo($0) } }
        let console = MemoryConsole()
        #expect(await console.run("upload", path, server.url, "--compress") == .success, "\(console.notes)")
        #expect(console.output.contains("sent gzip, ") && !console.output.contains("5000 bytes"))
        await server.shutdown()
    }
}

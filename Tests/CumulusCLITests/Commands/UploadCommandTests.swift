// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTestServer
import Foundation
import HTTPTypes
import Testing

@testable import CumulusCLI

@Suite(.timeLimit(.minutes(10))) struct UploadCommandTests {
    private func withFile(
        _ bytes: [UInt8],
        named name: String = "photo.png",
        _ body: (String) async throws -> Void
    ) async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("cumulus-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent(name)
        try Data(bytes).write(to: file)
        try await body(file.path)
    }

    private func withServer(_ body: (LoopbackServer) async throws -> Void) async throws {
        try await withLoopbackServer(
            routes: { routes in
                routes.put("/up") { request in .json("{\"got\":\(request.body.count)}") }
                routes.post("/up") { _ in .text("posted") }
                routes.put("/no") { _ in .text("never", status: .forbidden) }
            },
            body
        )
    }

    @Test func aFileIsSentAndTheAnswerPrinted() async throws {
        let bytes = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        try await withServer { server in
            try await withFile(bytes) { path in
                let console = MemoryConsole()
                #expect(await console.run("upload", path, "\(server.url)/up", "X-A:1", "q==2") == .success)
                #expect(console.output == "{\"got\":300000}")
                #expect(console.notes.count == 1)
                #expect(console.notes.first?.hasPrefix("cumulus: sent photo.png: 292.9 KiB in ") == true)
                let request = try #require(server.requests.first)
                #expect(request.body == bytes && request.method == .put && request.query == "q=2")
                #expect(request.headers[.contentType] == "image/png")
                let quiet = MemoryConsole()
                let status = await quiet.run(
                    "upload",
                    "-q",
                    "--method",
                    "POST",
                    path,
                    "\(server.url)/up",
                    "Content-Type:a/b"
                )
                #expect(status == .success && quiet.notes.isEmpty && quiet.output.isEmpty)
                #expect(server.requests.last?.method == .post)
                #expect(server.requests.last?.headers[.contentType] == "a/b")
            }
        }
    }

    @Test func standardInputIsSent() async throws {
        try await withServer { server in
            let console = MemoryConsole(input: ["abc", "def"])
            #expect(await console.run("upload", "-", "\(server.url)/up") == .success)
            #expect(server.requests.first?.body == Array("abcdef".utf8))
            let empty = MemoryConsole(input: [])
            #expect(await empty.run("upload", "-", "\(server.url)/up") == .success)
            #expect(server.requests.last?.body == [])
        }
    }

    @Test func timeLimitOfRetriesNeedsTheirNumber() async throws {
        try await withFile([1]) { path in
            let console = MemoryConsole()
            #expect(await console.run("upload", path, "http://a.example/", "--retry-max-time=3") == .usage)
            #expect(console.notes.first?.contains("--retry-max-time needs --retry") == true)
        }
    }

    @Test func aRefusalIsAnExitCodeAndNoReport() async throws {
        try await withServer { server in
            try await withFile([1, 2]) { path in
                let console = MemoryConsole()
                #expect(await console.run("upload", path, "\(server.url)/no") == .clientError)
                #expect(console.output == "never")
                #expect(console.notes == ["cumulus: status: \(server.url)/no: 403 Forbidden"])
            }
        }
    }

    @Test("a body that an early success cut off is told, and is no success")
    func cutBody() async throws {
        // It reads no more than the head, and has no room for 30 MB.
        let answer = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
        try await withLoopbackServer(raw: [.awaitHead, .send(answer), .hold]) { server in
            try await withFile([UInt8](repeating: 1, count: 30_000_000)) { path in
                let console = MemoryConsole()
                #expect(await console.run("upload", path, "\(server.url)/up") == .failure)
                #expect(console.output == "ok")
                let note = "cumulus: photo.png was not sent completely: the server had already responded successfully"
                #expect(console.notes == [note])
            }
        }
    }

    @Test func aFileThatIsMissingIsAMistakeAndNothingIsSent() async throws {
        try await withServer { server in
            let console = MemoryConsole()
            #expect(await console.run("upload", "/nowhere/at/all", "\(server.url)/up") == .usage)
            #expect(console.notes.first?.contains("\"/nowhere/at/all\" can't be read: No such file") == true)
            #expect(server.counts.connectionsAccepted == 0)
            #expect(await MemoryConsole().run("upload", "/tmp", "\(server.url)/up") == .usage)
        }
    }

    @Test func itCanBePrintedInsteadOfSent() async throws {
        try await withServer { server in
            try await withFile([1, 2]) { path in
                let console = MemoryConsole()
                let status = await console.run("upload", "--offline", "--show-secrets", path, "\(server.url)/up")
                #expect(status == .success)
                #expect(
                    console.output.hasPrefix("PUT /up HTTP/1.1\r\n") && console.output.contains("Content-Length: 2")
                )
                #expect(console.outputBytes.suffix(2) == [1, 2])
                let curl = MemoryConsole()
                #expect(await curl.run("upload", "--curl", path, "\(server.url)/up") == .success)
                #expect(curl.output.contains(path))
                #expect(server.counts.connectionsAccepted == 0)
            }
        }
    }

    @Test func interruptionIsTold() async throws {
        try await withLoopbackServer(raw: [.hold]) { server in
            try await withFile([UInt8](repeating: 1, count: 30_000_000)) { path in
                let console = MemoryConsole(errorsAreTerminal: true)
                // Cancelled below, as Ctrl-C does.
                let run = Task { await console.run("upload", path, server.url) }
                try await server.waitForConnections(1)
                run.cancel()
                #expect(await run.value == .interrupted)
                #expect(console.notes == ["cumulus: interrupted"])
            }
        }
    }
}

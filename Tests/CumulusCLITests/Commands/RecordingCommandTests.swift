// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTestServer
import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import CumulusCLI

/// `--har FILE` in each command that sends requests.
@Suite(.timeLimit(.minutes(10))) struct RecordingCommandTests {
    private let folder: TemporaryFolder
    private let file: String

    init() throws {
        folder = try TemporaryFolder()
        file = "\(folder.path)/session.har"
    }

    private func entries() throws -> [JSON] {
        let har = try JSON(parsing: try Data(contentsOf: URL(fileURLWithPath: file)))
        return try #require(har["log"]["entries"].array)
    }

    private func withServer(_ work: (String) async throws -> Void) async throws {
        try await withLoopbackServer(routes: { routes in
            routes.get("/old") { _ in .redirect(to: "/posts?page=1") }
            routes.get("/posts") { request in
                let isFirst = request.queryValue("page") == "1"
                let headers: Headers = isFirst ? ["Link": "</posts?page=2>; rel=\"next\""] : [:]
                return .json(#"[{"token":"Hunter1"}]"#, headers: headers)
            }
            routes.get("/file") { _ in .bytes([0, 255], type: .bytes) }
            routes.put("/upload") { request in .text(request.text) }
            routes.get("/events") { _ in .text("data: one\n\n", type: MediaType("text", "event-stream")) }
        }) { try await work($0.url) }
    }

    @Test("a redirect and its target are recorded, without secrets, in a private file") func redirect() async throws {
        try await withServer { url in
            let console = MemoryConsole()
            let words = ["get", "\(url)/old", "--har", file, "-A", "apikey", "-a", "Membership:Hunter2"]
            #expect(await CommandRun(console.console).run(words) == .success, "\(console.notes)")
            #expect(console.output.contains("Hunter1"))
        }
        let entries = try entries()
        #expect(entries.map { $0["response"]["status"].int } == [302, 200])
        let text = try String(contentsOfFile: file, encoding: .utf8)
        #expect(!text.contains("Hunter") && text.contains("<redacted>"))
        let attributes = try FileManager.default.attributesOfItem(atPath: file)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
    }

    @Test("--show-secrets records the secrets, and a second run replaces the file") func secrets() async throws {
        try await withServer { url in
            let console = MemoryConsole()
            #expect(await console.run("get", "\(url)/old", "--har", file) == .success)
            #expect(await console.run("get", "\(url)/posts", "--har", file, "--show-secrets") == .success)
        }
        #expect(try entries().count == 1)
        let text = try String(contentsOfFile: file, encoding: .utf8)
        #expect(text.contains("Hunter1"))
    }

    @Test("downloads, uploads, pages and events are recorded") func otherCommands() async throws {
        let (output, input) = ("\(folder.path)/out", try folder.write("content", to: "in.txt"))
        try await withServer { url in
            for (words, count) in [
                (["download", "\(url)/file", "-o", output], 1), (["upload", input, "\(url)/upload"], 1),
                (["get", "\(url)/posts?page=1", "--pages", "all"], 2),
                (["events", "\(url)/events", "--reconnect=never"], 1),
            ] {
                let console = MemoryConsole()
                let status = await CommandRun(console.console).run(words + ["--har", file])
                #expect(status == .success, "\(words), \(console.notes)")
                let entries = try entries()
                #expect(entries.count == count, "\(words)")
            }
        }
    }

    @Test func failureIsRecorded() async throws {
        try await withServer { url in
            let console = MemoryConsole()
            let refused = StubTransport { _ in .failure(TransportFailure(.connect, "refused")) }
            _ = await console.run(["get", "\(url)/x", "--har", file], over: refused)
        }
        let entry = try #require(try entries().first)
        #expect(entry["response"]["_error"].string == "refused")
    }

    @Test("a file that can't be written is an error before anything is sent") func unwritableFile() async throws {
        let path = try folder.write("x", to: "taken") + "/session.har"
        let stub = StubTransport { _ in .text("x") }
        let console = MemoryConsole()
        #expect(await console.run(["get", "http://a.example", "--har", path], over: stub) != .success)
        #expect(stub.requests.isEmpty)
        #expect(console.notes.first?.hasPrefix("cumulus: disk: the file ") == true, "\(console.notes)")
        #expect(await console.run("get", "http://a.example", "--har=") == .usage)
    }

    @Test("nothing is recorded if nothing is sent") func offline() async throws {
        #expect(await MemoryConsole().run("get", "http://a.example", "--offline", "--har", file) == .success)
        #expect(await MemoryConsole().run("get", "http://a.example", "--curl", "--har", file) == .success)
        #expect(!FileManager.default.fileExists(atPath: file))
    }
}

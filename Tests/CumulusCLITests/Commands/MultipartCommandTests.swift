// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTestServer
import CumulusTesting
import Foundation
import HTTPTypes
import Testing

@testable import CumulusCLI

@Suite(.timeLimit(.minutes(10))) struct MultipartCommandTests {
    private func withParts(
        _ body: (LoopbackServer) async throws -> Void
    ) async throws {
        try await withLoopbackServer(
            routes: {
                $0.post("/up") {
                    ServerResponse(headers: [.contentType: $0.headers[.contentType] ?? ""], body: $0.body)
                }
            },
            body
        )
    }

    private func received(_ server: LoopbackServer) throws -> [ReceivedPart] {
        let request = try #require(server.requests.last)
        let type = request.headers[.contentType].flatMap { MediaType(parsing: $0) }
        return try ReceivedPart.parts(of: ByteChunk(request.body), type)
    }

    private func file(_ bytes: [UInt8], named name: String) throws -> String {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("cumulus-cli-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let url = folder.appendingPathComponent(name)
        try Data(bytes).write(to: url)
        return url.path
    }

    @Test func aFormWithAFileGoesInParts() async throws {
        let bytes = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        let cat = try file(bytes, named: "größe \"cat\".png")
        defer { try? FileManager.default.removeItem(atPath: cat) }
        try await withParts { server in
            let console = MemoryConsole()
            let status = await console.run(
                "-f",
                "\(server.url)/up",
                "title=Ä b",
                "photo@\(cat)",
                "other@\(cat);type=text/x;filename=y.txt"
            )
            #expect(status == .success)
            #expect(console.notes.isEmpty)
            let parts = try received(server)
            #expect(parts.map(\.name) == ["title", "photo", "other"])
            #expect(parts.map(\.fileName) == [nil, "größe \"cat\".png", "y.txt"])
            #expect(parts.map { $0.mediaType?.essence } == [nil, "image/png", "text/x"])
            #expect(parts.first?.text == "Ä b")
            #expect(parts.last?.bytes.bytes == bytes)
            #expect(server.requests.last?.headers[.contentLength] != nil)
        }
    }

    @Test func multipartNeedsNoFileAndTakesABoundary() async throws {
        try await withParts { server in
            let console = MemoryConsole()
            #expect(await console.run("--multipart", "--boundary", "xx", "\(server.url)/up", "a=1", "n:=2") == .success)
            let request = try #require(server.requests.last)
            #expect(request.method == .post)
            #expect(request.headers[.contentType] == "multipart/form-data; boundary=xx")
            #expect(
                request.text == "--xx\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n1\r\n"
                    + "--xx\r\nContent-Disposition: form-data; name=\"n\"\r\n\r\n2\r\n--xx--\r\n"
            )
        }
    }

    @Test func anotherMultipartTypeCanBeNamed() async throws {
        try await withParts { server in
            let console = MemoryConsole()
            #expect(
                await console.run("--multipart", "\(server.url)/up", "a=1", "Content-Type:multipart/mixed") == .success
            )
            let parts = try received(server)
            #expect(parts.count == 1)
            #expect(server.requests.last?.headers[.contentType]?.hasPrefix("multipart/mixed; boundary=") == true)
        }
    }

    @Test func aFileThatIsMissingIsAMistake() async throws {
        try await withParts { server in
            let console = MemoryConsole()
            #expect(await console.run("-f", "\(server.url)/up", "a@/nowhere/x.png") == .usage)
            #expect(server.requests.isEmpty)
            #expect(console.notes.count == 1)
            #expect(console.notes.first?.contains("/nowhere/x.png") == true)
            #expect(await console.run("--multipart", "--boundary", "a b ", "\(server.url)/up", "a=1") == .usage)
        }
    }

    @Test(arguments: [
        ["--multipart", "-j", "x.y", "a=1"], ["--multipart", "--raw", "x", "x.y"], ["--multipart", "x.y"],
        ["--boundary", "x", "x.y", "a=1"], ["-f", "--boundary", "x", "x.y", "a=1"], ["x.y", "a@b"],
    ]) func whatCannotBeMeantIsAMistake(arguments: [String]) { #expect(mistake(arguments) != nil) }

    @Test func offlinePrintsTheParts() async throws {
        let console = MemoryConsole()
        let words = ["--offline", "--show-secrets", "--multipart", "--boundary", "xx", "x.y/up", "a=1"]
        #expect(await console.run(words, over: StubTransport { _ in .text("") }) == .success)
        #expect(console.output.contains("Content-Type: multipart/form-data; boundary=xx\r\n"))
        #expect(console.output.hasSuffix("name=\"a\"\r\n\r\n1\r\n--xx--\r\n"))
    }

    private static let problem = #"{"title":"No\u001b[2J credit","detail":"It costs 50.","status":403}"#

    private func withProblem(_ body: String, _ run: (LoopbackServer) async throws -> Void) async throws {
        let answer = ServerResponse(
            .forbidden,
            headers: [.contentType: "application/problem+json"],
            body: Array(body.utf8)
        )
        try await withLoopbackServer(routes: { $0.get("/x") { _ in answer } }, run)
    }

    @Test(arguments: [[], ["-q"], ["-h"], ["-o", "out.json"]]) func `a problem is told in the one line`(
        options: [String]
    ) async throws {
        try await withProblem(Self.problem) { server in
            let console = MemoryConsole()
            #expect(await CommandRun(console.console).run(options + ["get", "\(server.url)/x"]) == .clientError)
            #expect(
                console.notes
                    == ["cumulus: status: \(server.url)/x: 403 Forbidden: No\\u001b[2J credit: It costs 50."]
            )
        }
    }

    @Test(arguments: ["{}", "no json", "[]", #"{"title":""}"#]) func aProblemThatSaysNothingIsLeftOut(
        body: String
    ) async throws {
        try await withProblem(body) { server in
            let console = MemoryConsole()
            #expect(await console.run("get", "\(server.url)/x") == .clientError)
            #expect(console.notes == ["cumulus: status: \(server.url)/x: 403 Forbidden"])
        }
    }

    @Test func aLongProblemIsShortened() async throws {
        try await withProblem(#"{"title":""# + String(repeating: "x", count: 1_000) + "\"}") { server in
            let console = MemoryConsole()
            #expect(await console.run("get", "\(server.url)/x") == .clientError)
            #expect(console.notes.first?.hasSuffix("xxx...") == true)
            #expect((console.notes.first?.count ?? 0) < 400)
        }
    }

    @Test(
        "a field can be JSON, or have another type, without being a file",
        arguments: [
            ("meta:={\"a\": 1}", "application/json", "{\"a\":1}"), ("meta:=[1,2]", "application/json", "[1,2]"),
            ("meta={\"a\": 1};type=application/json", "application/json", "{\"a\": 1}"),
            ("meta=x;type=text/csv; charset=utf-8", "text/csv; charset=utf-8", "x"),
            ("meta=x;type=nothing", nil, "x;type=nothing"),
            ("meta=a;b", nil, "a;b"), ("meta:=\"x;type=a/b\"", nil, "x;type=a/b"),
            ("meta:=null", "application/json", "null"),
        ] as [(String, String?, String)]
    )
    func typedFields(item: String, type: String?, text: String) async throws {
        let transport = StubTransport { _ in .text("") }
        let console = MemoryConsole()
        #expect(await console.run(["--multipart", "--boundary", "xx", "x.y/up", item], over: transport) == .success)
        let field = type.map { "Content-Type: \($0)\r\n" } ?? ""
        let part = "--xx\r\nContent-Disposition: form-data; name=\"meta\"\r\n\(field)\r\n\(text)\r\n--xx--\r\n"
        #expect(transport.lastRequest?.text == part, "\(console.notes)")
    }

    @Test func aFormWithoutPartsHasNoJSON() async {
        let transport = StubTransport { _ in .text("") }
        let console = MemoryConsole()
        #expect(await console.run(["-f", "x.y/up", "meta:={}"], over: transport) == .usage)
        #expect(console.notes.joined().contains("--multipart sends it as a part"), "\(console.notes)")
        let typed = MemoryConsole()
        #expect(await typed.run(["-f", "x.y/up", "meta=x;type=a/b"], over: transport) == .success)
        #expect(transport.lastRequest?.text == "meta=x%3Btype%3Da%2Fb")
    }
}

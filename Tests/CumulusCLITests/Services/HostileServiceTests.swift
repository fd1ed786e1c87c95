// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusServices
import CumulusTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import CumulusCLI

/// The limits of descriptions, and of values in calls.
@Suite(.timeLimit(.minutes(10))) struct HostileServiceTests {
    private func run(
        _ home: TemporaryFolder,
        _ arguments: [String],
        transport: any Transport
    ) async -> (status: CommandStatus, output: String, notes: String) {
        let memory = MemoryConsole(environment: ["XDG_CONFIG_HOME": home.path, "HOME": home.path])
        let status = await CommandRun(memory.console) { _ in transport }.run(arguments)
        return (status, memory.output, memory.notes.joined(separator: "\n"))
    }

    private static func document(server: String, path: String = "/a/{id}") -> String {
        """
        {"openapi": "3.0.0", "info": {"title": "far"}, "servers": [{"url": "\(server)"}], "paths": {"\(path)": {"get":
          {"operationId": "a", "security": [{"k": []}], "parameters": [{"name": "X-Trace", "in": "header"},
          {"name": "q", "in": "query"}]}}},
         "components": {"securitySchemes": {"k": {"type": "apiKey", "in": "header", "name": "X-Key"}}}}
        """
    }

    /// Responds with a document at `good.example`, and elsewhere with the received request.
    private func transport(_ document: String, redirects: Bool = false) -> StubTransport {
        StubTransport { request in
            if request.url == "https://good.example/openapi.json", redirects {
                return .status(.found, headers: ["Location": "https://evil.example/openapi.json"])
            }
            if request.path == "/openapi.json" { return .json(document) }
            return .text("\(request.url) \(request.headers["X-Key"] ?? request.headers[.authorization] ?? "nothing")")
        }
    }

    @Test(arguments: [false, true])
    func noProofGoesToAServerElsewhere(redirects: Bool) async throws {
        let home = try TemporaryFolder()
        let transport = transport(Self.document(server: redirects ? "/" : "https://evil.example"), redirects: redirects)
        let added = await run(home, ["services", "import", "https://good.example/openapi.json"], transport: transport)
        #expect(added.status == .success, "\(added.notes)")
        for proof in [["-a", "s3cret"], ["X-Key:s3cret"], ["Authorization:Bearer s3cret"]] {
            let refused = await run(home, ["call", "far", "a", "id=1"] + proof, transport: transport)
            #expect(refused.status == .usage, "\(refused)")
            #expect(refused.notes.contains("--server https://evil.example"), "\(refused.notes)")
        }
        #expect(!transport.requests.contains { $0.headers["X-Key"] != nil || $0.headers[.authorization] != nil })
        let named = ["call", "far", "a", "id=1", "-a", "s3cret", "--server", "https://evil.example"]
        #expect(await run(home, named, transport: transport).output.contains("s3cret"))
    }

    @Test func wholeURLsElsewhereAreNotImportedFromAURL() async throws {
        let home = try TemporaryFolder()
        let text = #"{"name": "x", "endpoints": [{"name": "a", "template": "https://evil.example/{id}"}]}"#
        let words = ["services", "import", "https://good.example/openapi.json"]
        let end = await run(home, words, transport: transport(text))
        #expect(end.status == .usage && end.notes.contains("not at the description's origin"), "\(end)")
    }

    @Test(
        "values stay in their places",
        arguments: [
            ("id=../../admin", "https://good.example/v1/a/..%2F..%2Fadmin"), ("id=..", nil), ("id=.", nil),
            ("id=", nil),
            ("id=x?y#z", "https://good.example/v1/a/x%3Fy%23z"), ("id=%2e%2e", "https://good.example/v1/a/%252e%252e"),
            ("id=x\r\nHost: evil", "https://good.example/v1/a/x%0D%0AHost%3A%20evil"),
            ("id=x@evil.example", "https://good.example/v1/a/x%40evil.example"),
        ] as [(String, String?)]
    )
    func values(item: String, url: String?) async throws {
        let home = try TemporaryFolder()
        let transport = transport(Self.document(server: "/v1"))
        _ = await run(home, ["services", "import", "https://good.example/openapi.json"], transport: transport)
        let end = await run(home, ["call", "far", "a", item, "-a", "k"], transport: transport)
        #expect((end.status == .success) == (url != nil), "\(end)")
        if let url { #expect(end.output.hasPrefix("\(url) k"), "\(end.output)") }
    }

    @Test(arguments: ["X-Trace=a\r\nX-Evil: 1", "X-Trace=a\nb", "X-Trace=a\u{0}b"])
    func headersHaveNoLineEnds(item: String) async throws {
        let home = try TemporaryFolder()
        let transport = transport(Self.document(server: "/v1"))
        _ = await run(home, ["services", "import", "https://good.example/openapi.json"], transport: transport)
        let end = await run(home, ["call", "far", "a", "id=1", item, "-a", "k"], transport: transport)
        #expect(end.status == .usage || end.status == .failure, "\(end)")
        #expect(transport.requests.count == 1)
    }

    @Test(arguments: ["/a/../{id}", "/a/..", "//evil.example/{id}", "/{id}/..", "/a\r\nX: y/{id}", "/%2e%2e/{id}"])
    func pathsOfDescriptionsStayBelowTheServer(path: String) async throws {
        let escaped = path.replacingOccurrences(of: "\r\n", with: "\\r\\n")
        let document = Self.document(server: "/v1/deep", path: escaped)
        let read = try OpenAPIDocument(json: document.utf8, from: "https://good.example/openapi.json")
        guard let endpoint = read.service.endpoints.first else {
            #expect(!read.gaps.isEmpty)
            return
        }
        let stub = StubTransport { _ in .text("") }
        let arguments: EndpointArguments = ["id": "x"]
        let service = Service(read.service, transport: stub)
        service.setRules { $0.headers["X-Key"] = "k" }
        _ = try? await service.call(endpoint.name, endpoint.parameterNames.contains("id") ? arguments : [:]).send()
        for url in stub.requests.map(\.url) { #expect(url.hasPrefix("https://good.example/v1/deep/"), "\(url)") }
    }
}

// SPDX-License-Identifier: Apache-2.0

import Cumulus
import CumulusTestServer
import Testing

/// One import, the default transport, and requests without a tree, over real sockets.
@Suite(.timeLimit(.minutes(10))) struct RESTTests {
    struct Thing: Codable, Sendable, Equatable { var name: String }

    private func withEcho(_ body: (String, LoopbackServer) async throws -> Void) async throws {
        try await withLoopbackServer { routes in
            routes.get("/missing") { _ in .text("no", status: .notFound) }
            routes.on(nil, "/thing") { request in
                let text = request.body.isEmpty ? #"{"name":"cloud"}"# : request.text
                return ServerResponse(
                    headers: [.contentType: "application/json", .server: request.method.rawValue],
                    body: request.method == .head ? [] : Array(text.utf8)
                )
            }
        } _: { server in
            try await body(server.url, server)
        }
    }

    @Test func everyVerbWorksOnAURL() async throws {
        try await withEcho { url, _ in
            let thing = Thing(name: "rain")
            let answers = [
                try await REST["\(url)/thing"].get(), try await REST["\(url)/thing"].head(),
                try await REST["\(url)/thing"].options(), try await REST["\(url)/thing"].post(body: thing),
                try await REST["\(url)/thing"].put(body: thing), try await REST["\(url)/thing"].patch(body: thing),
                try await REST["\(url)/thing"].delete(), try await REST["\(url)/thing"].put(.json(thing)),
            ]
            let methods = answers.map { $0.headers[.server] }
            #expect(methods == ["GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE", "PUT"])
            #expect(answers.filter { !$0.isSuccessful }.isEmpty)
        }
    }

    @Test func typesGoBothWays() async throws {
        try await withEcho { url, _ in
            let things = [
                try await REST["\(url)/thing"].get(as: Thing.self),
                try await REST["\(url)/thing"].post(body: Thing(name: "rain"), as: Thing.self),
                try await REST["\(url)/thing"].put(body: Thing(name: "hail"), as: Thing.self),
            ]
            #expect(things.map(\.name) == ["cloud", "rain", "hail"])
        }
    }

    @Test func everyFormOfAnswerCanBeAskedFor() async throws {
        try await withEcho { url, _ in
            let form = try await REST["\(url)/thing"].post(.json(["name": "payload"]), as: Thing.self)
            #expect(form.name == "payload")
            let report = try #require(HTTPRequest.Method("REPORT"))
            let any = try await REST["\(url)/thing"].call(report, as: Thing.self).send()
            #expect(any.name == "cloud")
            let options = try await REST["\(url)/thing"].call(.options, as: Thing.self).send()
            #expect(options.name == "cloud")
            try await REST["\(url)/thing"].delete().requireSuccess()
            try await REST["\(url)/thing"].head().requireSuccess()
            let stream = try await REST["\(url)/thing"].call(.get).stream()
            var text = ""
            for try await chunk in stream { text += String(decoding: chunk.bytes, as: UTF8.self) }
            #expect(text == #"{"name":"cloud"}"#)
            let error = await #expect(throws: CumulusError.self) {
                try await REST["\(url)/missing"].get().requireSuccess()
            }
            #expect(error?.code == .status)
        }
    }

    @Test func queryAndHeadersGoAlong() async throws {
        try await withEcho { url, server in
            try await REST["\(url)/thing?a=1"].get(query: ["b": 2], headers: ["X-Test": "yes"]).requireSuccess()
            let request = server.requests.last
            #expect(request?.target == "/thing?a=1&b=2")
            #expect(request?.headers.first { $0.name.canonicalName == "x-test" }?.value == "yes")
        }
    }

    @Test func rawRequestsGoToTheirURL() async throws {
        try await withEcho { url, server in
            let authority = url.dropFirst("http://".count)
            let raw = HTTPRequest(method: .post, scheme: "http", authority: String(authority), path: "/thing?raw")
            let answer = try await REST[url].call(raw, .raw(.bytes(ByteChunk(#"{"name":"raw"}"#)))).send()
            let thing = try answer.decode(as: Thing.self)
            #expect(thing == Thing(name: "raw"))
            #expect(server.requests.last?.target == "/thing?raw")
        }
    }

    @Test func aTreeUsesTheDefaultTransportAndKeepsItsConnection() async throws {
        try await withEcho { url, server in
            let site = Resource(url)
            for _ in 0..<5 { try await site["thing"].get().requireSuccess() }
            let missing = try await site["missing"].get()
            #expect(missing.status == .notFound)
            #expect(server.counts.connectionsAccepted == 1)
        }
    }

    @Test(arguments: ["", "nonsense", "ftp://a.example", "http://a b/"]) func badURLsThrow(url: String) async {
        do {
            _ = try await REST[url].get()
            Issue.record("\(url) was sent")
        } catch {
            #expect((error as? CumulusError)?.code == .invalidURL)
        }
    }
}

// SPDX-License-Identifier: Apache-2.0

import Cumulus
import CumulusTestServer
import Foundation
import Testing

/// Requests made elsewhere, over sockets.
@Suite(.timeLimit(.minutes(10))) struct SendTests {
    /// A server that echoes each piece as soon as it has it.
    private func withEcho(_ version: HTTPVersion, _ body: (LoopbackServer) async throws -> Void) async throws {
        var configuration = LoopbackServer.Configuration()
        configuration.http2 = version == .http2 ? .always : .never
        try await withLoopbackServer(
            configuration: configuration,
            routes: { routes in
                routes.onStream("POST", "/echo") { _, body in
                    .stream { writer in for try await piece in body { try await writer.write(piece) } }
                }
            },
            body
        )
    }

    @Test(arguments: [HTTPVersion.http1, .http2])
    func theAnswerIsReadWhileTheBodyIsSent(version: HTTPVersion) async throws {
        try await withEcho(version) { server in
            let site = Resource(server.url) { $0.httpVersion = version }
            let (questions, feed) = AsyncStream.makeStream(of: Data.self)
            feed.yield(Data("1".utf8))
            let request = HTTPRequest(method: "POST", url: "\(server.url)/echo")
            let answer = try await site.call(request, .raw(.stream(questions))).stream()
            var text = ""
            for try await piece in answer {
                text += String(decoding: piece.bytes, as: UTF8.self)
                // The next question depends on the last answer: neither side waits for the other's end.
                if text.utf8.count < 5 { feed.yield(Data("\(text.utf8.count + 1)".utf8)) } else { feed.finish() }
            }
            #expect(text == "12345")
        }
    }

    @Test func restSendsAndStreamsToo() async throws {
        try await withEcho(.http1) { server in
            let request = HTTPRequest(method: .post, url: "\(server.url)/echo", headers: ["Content-Type": "text/plain"])
            #expect(try await REST[server.url].call(request, .raw(.bytes(ByteChunk("a")))).send().text == "a")
            try await REST[server.url].call(request).send().requireSuccess()
            let streams = [
                try await REST[server.url].call(request, .raw(.bytes(ByteChunk("c")))).stream(),
                try await REST["\(server.url)/echo"].call(.post, .text("c")).stream(),
            ]
            for stream in streams {
                var text = ""
                for try await piece in stream { text += String(decoding: piece.bytes, as: UTF8.self) }
                #expect(text == "c")
            }
            let nothing = HTTPRequest(method: .post, url: "\(server.url)/nothing")
            await #expect(throws: CumulusError.self) {
                try await REST[server.url].call(nothing).send().requireSuccess()
            }
            let refused = try await REST[server.url].call(nothing).stream(anyStatus: true)
            #expect(refused.statusCode == 404)
        }
    }

    @Test func restUploadsWithAMethodByItsName() async throws {
        try await withLoopbackServer { routes in
            routes.on("PATCH", "/x") { request in .text("patched with \(request.text)") }
        } _: { server in
            let file = FileManager.default.temporaryDirectory.appending(path: "send-\(UUID().uuidString).txt")
            try Data("file".utf8).write(to: file)
            defer { try? FileManager.default.removeItem(at: file) }
            #expect(try await REST["\(server.url)/x"].call(.patch, .file(file)).send().text == "patched with file")
            let bytes = try await REST["\(server.url)/x"].call(.patch, .text("text")).send()
            #expect(bytes.text == "patched with text")
        }
    }
}

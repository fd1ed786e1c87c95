// SPDX-License-Identifier: Apache-2.0

import Cumulus
import CumulusTestServer
import Foundation
import Testing

/// Multipart bodies on the wire, over the platform's default transport.
@Suite(.timeLimit(.minutes(10))) struct MultipartTests {
    private func withParts(_ body: (LoopbackServer, Resource) async throws -> Void) async throws {
        try await withLoopbackServer(routes: { routes in
            routes.post("/up") { request in
                ServerResponse(headers: [.contentType: request.headers[.contentType] ?? ""], body: request.body)
            }
        }) { server in try await body(server, Resource(server.url)) }
    }

    private func file(_ bytes: [UInt8]) throws -> URL {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("cumulus-\(UUID().uuidString).bin")
        try Data(bytes).write(to: url)
        return url
    }

    @Test func aFileGoesWithItsLengthAndComesBackWhole() async throws {
        let bytes = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 167 &+ $0 >> 9) }
        let url = try file(bytes)
        defer { try? FileManager.default.removeItem(at: url) }
        try await withParts { server, site in
            let form: MultipartForm = ["file": .file(url.path, fileName: "日本.bin"), "title": "Größe"]
            let parts = try await site["up"].post(.multipart(form)).parts()
            #expect(parts.map(\.name) == ["file", "title"])
            #expect(parts.first?.fileName == "日本.bin")
            #expect(parts.first?.bytes.bytes == bytes)
            #expect(parts.last?.text == "Größe")
            let length = server.requests.first?.headers[.contentLength]
            #expect(length.flatMap { Int($0) } == server.requests.first?.body.count)
        }
    }

    @Test func aStreamThatIsShorterThanItSaysEndsTheRequest() async throws {
        try await withParts { _, site in
            let body = StreamBody(length: 2_000_000) { _, writer in try await writer.write(ByteChunk([1, 2, 3])) }
            let error = await #expect(throws: CumulusError.self) {
                try await site["up"].post(.multipart(["s": .stream(body)]))
            }
            #expect(error?.code == .requestBody)
            let problem = (error?.cause as? TransportFailure)?.cause as? MultipartProblem
            #expect(problem?.kind == .length && problem?.part == 0)
        }
    }

    @Test func aFileThatVanishesEndsTheRequest() async throws {
        let url = try file([UInt8](repeating: 1, count: 2_000_000))
        try await withParts { server, site in
            let path = url.path
            let removing = StreamBody(length: 1, replay: .once) { _, writer in
                try FileManager.default.removeItem(atPath: path)
                try await writer.write(ByteChunk([1]))
            }
            let form: MultipartForm = ["s": .stream(removing), "f": .file(path)]
            let error = await #expect(throws: CumulusError.self) { try await site["up"].post(.multipart(form)) }
            #expect(error?.code == .requestBody)
            let problem = (error?.cause as? TransportFailure)?.cause as? MultipartProblem
            #expect(problem?.kind == .file && problem?.part == 1)
        }
    }
}

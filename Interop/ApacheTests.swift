// SPDX-License-Identifier: Apache-2.0

import CumulusCodings
import CumulusCore
import CumulusNIO
import HTTPTypes
import Testing

/// How Apache differs from nginx.
@Suite(.enabled(if: InteropServers.apache != nil, "\(InteropServers.reason)"))
struct ApacheTests {
    private static let transports = [InteropTransport.nio, .urlSession]

    private func site(_ transport: InteropTransport) throws -> Resource {
        try transport.resource(InteropServers.apache)
    }

    @Test(arguments: transports)
    func filesAreServed(transport: InteropTransport) async throws {
        let hello = try await site(transport)["hello.txt"].get()
        #expect(hello.text == "hello from nginx\n")
        #expect(hello.headers[.server]?.hasPrefix("Apache") == true)
        let head = try await site(transport)["hello.txt"].head()
        #expect(head.headers[.contentLength] == "17")
        #expect(head.bytes.isEmpty)
    }

    @Test(arguments: transports)
    func packedBodiesComeInChunksAndUnpacked(transport: InteropTransport) async throws {
        let expected = (1...20_000).map { "\($0)\n" }.joined()
        let response = try await site(transport)["packed.txt"].get()
        #expect(response.text == expected)
        if transport == .nio {
            #expect(response.receivedHeaders[.contentEncoding] == "gzip")
            #expect(response.facts.bytesReceived < Int64(expected.utf8.count / 2))
        }
    }

    @Test func brotliIsUndone() async throws {
        let expected = (1...20_000).map { "\($0)\n" }.joined()
        let site = try site(.nio)
        site.setRules { $0.contentCodings = [.zstd, .brotli, .gzip] }
        let response = try await site["brotli/packed.txt"].get()
        #expect(response.text == expected)
        #expect(response.receivedHeaders[.contentEncoding] == "br")
        #expect(response.facts.bytesReceived < Int64(expected.utf8.count / 2))
        let part = try await site["brotli/packed.txt"].get(headers: [.range: "bytes=0-3"])
        #expect(part.text == "1\n2\n" && part.receivedHeaders[.contentEncoding] == nil)
    }

    @Test(arguments: transports)
    func aRangeIsAPart(transport: InteropTransport) async throws {
        let part = try await site(transport)["hello.txt"].get(headers: [.range: "bytes=6-9"])
        #expect(part.status == .partialContent)
        #expect(part.text == "from")
        let several = try await site(transport)["hello.txt"].get(headers: [.range: "bytes=0-4,11-15"])
        #expect(several.mediaType?.essence == "multipart/byteranges")
        #expect(try several.parts().map(\.text) == ["hello", "nginx"])
    }

    @Test(arguments: transports)
    func redirectsAreFollowed(transport: InteropTransport) async throws {
        let response = try await site(transport)["found"].get()
        #expect(response.history.count == 1)
        #expect(response.text == "hello from nginx\n")
    }

    @Test func expectingContinueIsAnswered() async throws {
        let site = try site(.nio)
        // Only the server's permission releases the body in time.
        site.setRules { $0.expectsContinue = .seconds(600) }
        let response = try await site["hello.txt"].put(body: String(repeating: "x", count: 100_000))
        #expect(response.status == .methodNotAllowed)
        #expect(response.elapsed < .seconds(60))
    }
}

// SPDX-License-Identifier: Apache-2.0

import CumulusCodings
import CumulusCore
import HTTPTypes
import Testing

@Suite(.enabled(if: InteropServers.nginx != nil, "\(InteropServers.reason)"))
struct NginxTests {
    private func site(_ transport: InteropTransport) throws -> Resource {
        try transport.resource(InteropServers.nginx)
    }

    @Test(arguments: InteropTransport.withHTTP2)
    func filesAreServed(transport: InteropTransport) async throws {
        let hello = try await site(transport)["hello.txt"].call(.get).send()
        #expect(hello.text == "hello from nginx\n")
        #expect(hello.mediaType?.essence == "text/plain")
        let json = try await site(transport)["data.json"].call(.get).send().json()
        #expect(json == ["server": "nginx", "list": [1, 2.5, nil]])
        #expect(try await site(transport)["empty.txt"].call(.get).send().bytes.isEmpty)
    }

    @Test(arguments: InteropTransport.withHTTP2)
    func aHEADTellsTheLengthAndHasNoBody(transport: InteropTransport) async throws {
        let response = try await site(transport)["big.bin"].call(.head).send()
        #expect(response.headers[.contentLength] == "\(64 << 20)")
        #expect(response.bytes.isEmpty)
    }

    @Test(arguments: InteropTransport.withHTTP2)
    func aBigFileComesByteForByte(transport: InteropTransport) async throws {
        let stream = try await site(transport)["big.bin"].call(.get).stream()
        #expect(stream.expectedLength == Int64(64 << 20))
        try await expectBigFile(stream)
    }

    @Test(arguments: InteropTransport.withHTTP2)
    func aBigFileThatBreaksOffIsResumed(transport: InteropTransport) async throws {
        let cutting = CuttingTransport(transport.transport, after: [5_000_001, 20_000_003])
        let place = try site(transport)["big.bin"].with { $0.transport = cutting }
        let stream = try await place.call(.get).stream()
        try await expectBigFile(stream)
        #expect(stream.attempts.map(\.reason) == [.call, .resume, .resume])
    }

    private func expectBigFile(_ stream: ResponseStream) async throws {
        var position = 0
        var wrong: Int?
        for try await chunk in stream {
            chunk.withUnsafeBytes { bytes in
                for byte in bytes {
                    // Each 8 bytes contain their index, big-endian.
                    let expected = UInt8(truncatingIfNeeded: (position >> 3) >> (8 * (7 - position & 7)))
                    if byte != expected, wrong == nil { wrong = position }
                    position += 1
                }
            }
        }
        #expect(position == 64 << 20)
        #expect(wrong == nil)
    }

    @Test(arguments: InteropTransport.withHTTP2)
    func aBigFileFitsIntoMemory(transport: InteropTransport) async throws {
        let response = try await site(transport)["big.bin"].call(.get).send()
        #expect(response.bytes.count == 64 << 20)
        let tail = response.bytes.withUnsafeBytes { Array($0.suffix(8)) }
        #expect(tail == [0, 0, 0, 0, 0, 0x7F, 0xFF, 0xFF])
        let resource = try site(transport)
        resource.setRules { $0.maxBodySize = 1 << 20 }
        let error = await #expect(throws: CumulusError.self) { try await resource["big.bin"].call(.get).send() }
        #expect(error?.code == .bodyTooLarge)
    }

    @Test(arguments: InteropTransport.withHTTP2)
    func gzipIsUndone(transport: InteropTransport) async throws {
        let expected = (1...20_000).map { "\($0)\n" }.joined()
        let response = try await site(transport)["packed.txt"].get()
        #expect(response.text == expected)
        if transport == .urlSession { return }
        #expect(response.receivedHeaders[.contentEncoding] == "gzip")
        #expect(response.facts.bytesReceived < Int64(expected.utf8.count / 2))
        // A range of a file is never requested with a coding.
        let part = try await site(transport)["packed.txt"].get(headers: [.range: "bytes=0-3"])
        #expect(part.text == "1\n2\n" && part.receivedHeaders[.contentEncoding] == nil)
    }

    @Test(.enabled(if: InteropServers.nginxBrotli != nil, "nginx has no module for Brotli"))
    func brotliIsUndone() async throws {
        let file = try InteropTransport.nio.resource(InteropServers.nginxBrotli)
        file.setRules { $0.contentCodings = [.zstd, .brotli, .gzip] }
        let response = try await file.get()
        #expect(response.text == (1...20_000).map { "\($0)\n" }.joined())
        #expect(response.receivedHeaders[.contentEncoding] == "br")
        file.setRules { $0.contentCodings = [.gzip] }
        #expect(try await file.get().receivedHeaders[.contentEncoding] == nil)
    }

    @Test(arguments: InteropTransport.withHTTP2)
    func rangesAreServed(transport: InteropTransport) async throws {
        let response = try await site(transport)["big.bin"].call(.get, headers: [.range: "bytes=8-23"]).send()
        #expect(response.status.code == 206)
        #expect(response.bytes.bytes == [0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 2])
    }

    @Test(
        arguments: InteropTransport.withHTTP2,
        [("moved", [301]), ("found", [302]), ("see-other", [303]), ("temporary", [307]), ("chain", [308, 301])]
    )
    func redirectsAreFollowed(transport: InteropTransport, way: (path: String, codes: [Int])) async throws {
        let response = try await site(transport)[path: way.path].call(.get).send()
        #expect(response.isSuccessful)
        #expect(response.history.map(\.status.code) == way.codes)
    }

    @Test(arguments: InteropTransport.withHTTP2)
    func aCircleEnds(transport: InteropTransport) async throws {
        let resource = try site(transport)["circle"]
        let error = await #expect(throws: CumulusError.self) { try await resource.call(.get).send() }
        #expect(error?.code == .tooManyRedirects)
    }

    @Test(arguments: InteropTransport.withHTTP2)
    func errorsHaveTheirBodies(transport: InteropTransport) async throws {
        let teapot = try await site(transport)["teapot"].call(.get).send()
        #expect(teapot.status.code == 418 && teapot.text == "short and stout\n")
        #expect(try await site(transport)["missing"].call(.get).send().status.code == 404)
        #expect(try await site(transport)["nothing"].call(.get).send().bytes.isEmpty)
    }

    @Test(arguments: InteropTransport.withHTTP2)
    func aBodyThatIsTooLongIsRefusedEarly(transport: InteropTransport) async throws {
        let body = [UInt8](repeating: 0x61, count: 16 << 20)
        let response = try await site(transport)["hello.txt"].call(.post, .bytes(body)).send()
        #expect(response.status.code == 413)
    }

    @Test(arguments: InteropTransport.withHTTP2)
    func connectionsAreKept(transport: InteropTransport) async throws {
        let resource = try site(transport)["connection"]
        var numbers: [Int] = []
        for _ in 0..<5 {
            let text = try #require(try await resource.call(.get).send().text)
            numbers.append(try #require(text.split(separator: " ").last.flatMap { Int($0) }))
        }
        // Other tests share the pool, so connections may be exchanged, but aren't opened each time.
        #expect(numbers.max() ?? 0 > 1)
    }

    @Test(arguments: InteropTransport.withHTTP2)
    func aStreamThatIsDroppedLeavesTheTransportSound(transport: InteropTransport) async throws {
        do {
            let stream = try await site(transport)["slow"].call(.get).stream()
            for try await _ in stream { break }
        }
        #expect(try await site(transport)["hello.txt"].call(.get).send().isSuccessful)
    }

    @Test(arguments: InteropTransport.withHTTP2)
    func manyRequestsAtOnceAreAnswered(transport: InteropTransport) async throws {
        let resource = try site(transport)
        let texts = try await withThrowingTaskGroup(of: String?.self) { group in
            for _ in 0..<100 { group.addTask { try await resource["hello.txt"].call(.get).send().text } }
            return try await group.reduce(into: [String?]()) { $0.append($1) }
        }
        #expect(texts.count == 100)
        #expect(texts.allSatisfy { $0 == "hello from nginx\n" })
    }
}

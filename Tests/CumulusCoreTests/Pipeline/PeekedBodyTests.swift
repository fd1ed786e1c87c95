// SPDX-License-Identifier: Apache-2.0

import CumulusTesting
import Testing

@testable import CumulusCore

/// A body whose beginning was read in advance.
struct PeekedBodyTests {
    @Test("the bytes read in advance are kept in one piece, and the body is complete again")
    func onePiece() async throws {
        let chunks = (0..<1_000).map { StubResponse.Step.chunk([UInt8(truncatingIfNeeded: $0), 1]) }
        let transport = StubTransport { _ in .script(chunks) }
        let answer = try await transport.send(TransportRequest(origin: Origin(scheme: .http, host: "a")))
        let (body, excerpt) = await PeekedBody.peek(answer.body, upTo: 1_001)
        #expect(excerpt.count == 1_001)
        #expect(try await body.next()?.count == 1_001)
        var rest: [UInt8] = []
        while let chunk = try await body.next() { rest += chunk.bytes }
        #expect(rest.count == 999 && rest.prefix(3) == [1, 245, 1])
    }

    @Test("a stream of one byte is inflated into a small array")
    func smallArrays() throws {
        // gzip.compress(b"x", 9, mtime=0)
        let one: [UInt8] = [31, 139, 8, 0, 0, 0, 0, 0, 2, 3, 171, 0, 0, 131, 22, 220, 140, 1, 0, 0, 0]
        var inflation = Inflation(.gzip)
        inflation.feed(ByteChunk(Array(repeating: one, count: 2_000).flatMap(\.self)))
        var (count, most) = (0, 0)
        while case .bytes(let chunk) = try inflation.step(received: 42_000) {
            count += chunk.count
            most = max(most, chunk.bytes.capacity)
        }
        #expect(count == 2_000 && most <= 256)
    }
}

// SPDX-License-Identifier: Apache-2.0

import CumulusTesting
import HTTPTypes
import TestSupport
import Testing

@testable import CumulusCore

/// A few bytes that would expand to many.
@Suite struct DecompressionBombTests {
    private func transport(
        _ body: [UInt8],
        _ coding: String,
        status: HTTPResponse.Status = .ok
    ) -> StubTransport {
        StubTransport { _ in .script([.chunk(body)], status: status, headers: [.contentEncoding: coding]) }
    }

    private func site(_ body: [UInt8], _ coding: String, status: HTTPResponse.Status = .ok) -> Resource {
        Resource("http://a.example", transport: transport(body, coding, status: status).watched)
    }

    @Test("a bomb within a bomb is refused before it exceeds a mebibyte")
    func nestedBombsAreRefused() async throws {
        let stream = try await site(CodedSample.bomb, "gzip, gzip, gzip").call(.get).stream()
        var total = 0
        var largest = 0
        let error = try await failure {
            for try await chunk in stream {
                total += chunk.count
                largest = max(largest, chunk.count)
            }
        }
        #expect(error.code == .contentCoding)
        #expect("\(error)".contains("1100 times"))
        #expect(total <= 1 << 20)
        #expect(largest <= 65_536)
        let whole = try await failure { try await site(CodedSample.bomb, "gzip, gzip, gzip").get() }
        #expect(whole.code == .contentCoding)
    }

    @Test("Output that a single coding can reach is passed, piece by piece")
    func aSingleCodingIsLetThrough() async throws {
        let body = [[UInt8]](repeating: CodedSample.zeros, count: 10).flatMap(\.self)
        let stream = try await site(body, "gzip").call(.get).stream()
        var total = 0
        for try await chunk in stream {
            #expect(chunk.count <= 65_536)
            total += chunk.count
        }
        #expect(total == 3_000_000)
    }

    @Test("The in-memory limit counts decoded bytes, and ends the exchange")
    func theLimitCountsDecodedBytes() async throws {
        let transport = StubTransport { _ in
            .script(
                Array(repeating: .chunk(CodedSample.zeros), count: 100),
                headers: [.contentEncoding: "gzip"]
            )
        }
        let site = Resource("http://a.example", transport: transport.watched) { $0.maxBodySize = 1_000_000 }
        let error = try await failure { try await site["x"].get() }
        #expect(error.code == .bodyTooLarge)
        #expect(transport.cancelledBodies == 1)
        let fitting = self.site([[UInt8]](repeating: CodedSample.zeros, count: 40).flatMap(\.self), "gzip")
        fitting.setRules { $0.maxBodySize = 12_000_000 }
        #expect(try await fitting["x"].get().bytes.count == 12_000_000)
    }

    @Test("in memory, more than 12 MiB and 200 times what was received is refused; without a limit, it isn't")
    func bodiesInMemoryAreInProportion() async throws {
        let transport = StubTransport { _ in
            .script(Array(repeating: .chunk(CodedSample.zeros), count: 100), headers: [.contentEncoding: "gzip"])
        }
        let site = Resource("http://a.example", transport: transport.watched)
        let error = try await failure { try await site["x"].get() }
        #expect(error.code == .contentCoding)
        #expect("\(error)".contains("more than 12 MiB in memory, and to more than 200 times the bytes received"))
        #expect(transport.cancelledBodies == 1)
        site.setRules { $0.maxBodySize = .max }
        #expect(try await site["x"].get().bytes.count == 30_000_000)
    }

    @Test("In memory, 20 MB in proportion are taken")
    func longBodiesInProportion() async throws {
        var compression = try Compression(.gzip)
        // Every fourth kibibyte is by chance, the rest is zeros; deflate doesn't look as far back as to the last block.
        var random = SystemRandomNumberGenerator()
        var block: [UInt8] = []
        for _ in 0..<32 {
            for _ in 0..<128 { withUnsafeBytes(of: random.next()) { block += $0 } }
            block += [UInt8](repeating: 0, count: 3_072)
        }
        let bytes = [[UInt8]](repeating: block, count: (20 << 20) / block.count).flatMap(\.self)
        let site = self.site(try compression.compress(ByteChunk(bytes), isLast: true) ?? [], "gzip")
        #expect(try await site["x"].get().bytes == ByteChunk(bytes))
    }

    @Test("The in-memory limit counts what deflate holds, too")
    func theLimitCountsDeflated() async throws {
        var compression = try Compression(.deflate)
        let zeros = ByteChunk([UInt8](repeating: 0, count: 3_000_000))
        let site = site(try compression.compress(zeros, isLast: true) ?? [], "deflate")
        site.setRules { $0.maxBodySize = 1_000_000 }
        #expect(try await failure { try await site["x"].get() }.code == .bodyTooLarge)
        site.setRules { $0.maxBodySize = 3_000_000 }
        #expect(try await site["x"].get().bytes.count == 3_000_000)
    }

    @Test func errorBodiesAreCutOffDecoded() async throws {
        let response = try await site(CodedSample.zeros, "gzip", status: .internalServerError).get()
        #expect(response.bytes.count == 65_536)
        #expect(!response.isBodyComplete)
        let nested = try await site(CodedSample.bomb, "gzip, gzip, gzip", status: .badGateway).get()
        #expect(nested.bytes.count == 65_536)
    }

    @Test("A redirect's body is skipped without being decoded")
    func redirectBodiesAreNotDecoded() async throws {
        let transport = StubTransport { request in
            guard request.path == "/a" else { return .text("there") }
            return .response(.found, headers: [.location: "/b", .contentEncoding: "gzip"], body: [1, 2, 3])
        }
        let response = try await Resource("http://a.example", transport: transport.watched)["a"].get()
        #expect(response.text == "there")
    }
}

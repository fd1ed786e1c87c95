// SPDX-License-Identifier: Apache-2.0

import CumulusTesting
import HTTPTypes
import TestSupport
import Testing

@testable import CumulusCore

/// Encoded bodies that hold nothing, or nearly nothing: they could go on forever.
@Suite(.timeLimit(.minutes(10))) struct BarrenBodyTests {
    private static let emptyMember: [UInt8] = [
        0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    ]

    /// The beginning and an endless piece of each coding; deflate's is a stored block without bytes.
    static let bodies: [(coding: String, start: [UInt8], piece: [UInt8])] = [
        ("gzip", [], emptyMember), ("deflate", [0x78, 0x9c], [0, 0, 0, 0xff, 0xff]),
    ]

    /// Four mebibytes.
    private func transport(
        _ coding: String,
        _ start: [UInt8],
        _ piece: [UInt8],
        _ status: HTTPResponse.Status
    ) -> StubTransport {
        let chunk = [[UInt8]](repeating: piece, count: 65_536 / piece.count).flatMap(\.self)
        return StubTransport { _ in
            .script(
                [.chunk(start + chunk)] + Array(repeating: .chunk(chunk), count: 64),
                status: status,
                headers: [.contentEncoding: coding]
            )
        }
    }

    @Test("A body that goes on and holds nothing is refused, by the name of its coding", arguments: bodies)
    func nothing(_ coding: String, _ start: [UInt8], _ piece: [UInt8]) async throws {
        for status in [HTTPResponse.Status.ok, .internalServerError] {
            let transport = transport(coding, start, piece, status)
            let site = Resource("http://a.example", transport: transport.watched) { $0.retry = .never }
            let error = try await failure { try await site.get() }
            #expect(error.code == .contentCoding)
            #expect("\(error)".contains("bytes of \(coding) decode to only 0"), "\(error)")
            #expect(transport.cancelledBodies == 1)
        }
        let transport = transport(coding, start, piece, .ok)
        let stream = try await Resource("http://a.example", transport: transport.watched).call(.get).stream()
        let error = try await failure { for try await _ in stream {} }
        #expect(error.code == .contentCoding)
        #expect(transport.cancelledBodies == 1)
    }

    /// Members of one byte each: 21 times as long as what they hold.
    private func dripping(_ count: Int, status: HTTPResponse.Status = .ok) throws -> Resource {
        var compression = try Compression(.gzip)
        let member = try compression.compress(ByteChunk(Array("a".utf8)), isLast: true) ?? []
        #expect(member.count == 21)
        let chunk = [[UInt8]](repeating: member, count: 1_000).flatMap(\.self)
        let transport = StubTransport { _ in
            .script(
                Array(repeating: .chunk(chunk), count: count / 1_000),
                status: status,
                headers: [.contentEncoding: "gzip"]
            )
        }
        return Resource("http://a.example", transport: transport.watched)
    }

    @Test func aWastefulBodyIsRead() async throws {
        // Longer than the mebibyte that may hold nothing.
        let site = try dripping(60_000)
        #expect(try await site.get().bytes.count == 60_000)
        var total = 0
        for try await chunk in try await site.call(.get).stream() { total += chunk.count }
        #expect(total == 60_000)
    }

    @Test("The in-memory limit also counts the bytes before they are decoded")
    func theLimitCountsReceivedBytes() async throws {
        let site = try dripping(200_000)
        site.setRules { $0.maxBodySize = 1_000_000 }
        #expect(try await failure { try await site.get() }.code == .bodyTooLarge)
        let failing = try dripping(60_000, status: .internalServerError)
        failing.setRules { $0.retry = .never }
        let response = try await failing.get()
        #expect(!response.isBodyComplete && 40_000..<60_000 ~= response.bytes.count, "\(response.bytes.count)")
    }
}

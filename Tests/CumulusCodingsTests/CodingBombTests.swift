// SPDX-License-Identifier: Apache-2.0

import CumulusCodings
import CumulusCore
import CumulusTesting
import HTTPTypes
import Testing

/// A few bytes that would expand to many, in codings that expand far more than gzip.
@Suite(.enabled(if: Libraries.areThere, "\(Libraries.reason)")) struct CodingBombTests {
    static let bombs: [(String, [UInt8])] = [
        (
            "br",
            CodingSample.firstZeros + [[UInt8]](repeating: CodingSample.moreZeros, count: 999).flatMap(\.self)
                + CodingSample.lastPiece
        ),
        ("zstd", [[UInt8]](repeating: CodingSample.zeroFrame, count: 1_000).flatMap(\.self)),
    ]

    @Test("a gigabyte of zeros in a few bytes is refused early", arguments: bombs)
    func bombsAreRefused(coding: String, body: [UInt8]) async throws {
        // Byte by byte, so that the received bytes are never far ahead of the decoded ones.
        let stream = try await codedSite(body.map { [$0] }, coding).call(.get).stream()
        var total = 0
        var largest = 0
        let error = try await codingFailure {
            for try await chunk in stream {
                total += chunk.count
                largest = max(largest, chunk.count)
            }
        }
        #expect(error.code == .contentCoding)
        #expect("\(error)".contains("1100 times"))
        #expect(total <= 1 << 20)
        #expect(largest <= 65_536)
    }

    @Test("the in-memory limit counts decoded bytes", arguments: bombs)
    func theLimitCountsDecodedBytes(coding: String, body: [UInt8]) async throws {
        let site = codedSite([body], coding)
        site.setRules { $0.maxBodySize = 500_000 }
        #expect(try await codingFailure { try await site["x"].get() }.code == .bodyTooLarge)
    }
}

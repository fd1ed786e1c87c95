// SPDX-License-Identifier: Apache-2.0

import CumulusCodings
import CumulusCore
import CumulusTesting
import HTTPTypes
import Testing

/// Encoded bodies that hold nothing and could go on forever: parts that a decoder skips.
@Suite(.enabled(if: Libraries.areThere, "\(Libraries.reason)")) struct BarrenCodingTests {
    static let bodies: [(what: String, coding: String, start: [UInt8], piece: [UInt8])] = [
        (
            "skippable frames (RFC 8878 section 3.1.2)", "zstd", [],
            [0x50, 0x2a, 0x4d, 0x18, 0xe8, 3, 0, 0] + [UInt8](repeating: 0, count: 1_000)
        ), ("empty skippable frames", "zstd", [], [0x50, 0x2a, 0x4d, 0x18, 0, 0, 0, 0]),
        (
            "empty frames (RFC 8878 section 3.1.1)", "zstd", [],
            [0x28, 0xb5, 0x2f, 0xfd, 0x20, 0, 1, 0, 0]
        ), ("empty meta-blocks (RFC 7932 section 9.2)", "br", [0x0c], [0x06]),
        (
            "metadata", "br", [0xcc, 0xf3, 1] + [UInt8](repeating: 0, count: 1_000),
            [0xe6, 0xf9, 0] + [UInt8](repeating: 0, count: 1_000)
        ),
    ]

    @Test("A body that goes on and holds nothing is refused, by the name of its coding", arguments: bodies)
    func nothing(_ what: String, _ coding: String, _ start: [UInt8], _ piece: [UInt8]) async throws {
        // Four mebibytes.
        let chunk = [[UInt8]](repeating: piece, count: 65_536 / piece.count).flatMap(\.self)
        let site = codedSite([start + chunk] + [[UInt8]](repeating: chunk, count: 64), coding)
        for call in [
            { _ = try await site.get() }, { for try await _ in try await site.call(.get).stream() {} },
        ] as [() async throws -> Void] {
            let error = try await codingFailure(call)
            #expect(error.code == .contentCoding)
            #expect("\(error)".contains("bytes of \(coding) decode to only 0"), "\(error)")
        }
    }
}

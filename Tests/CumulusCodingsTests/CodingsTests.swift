// SPDX-License-Identifier: Apache-2.0

import CumulusCodings
import CumulusCore
import CumulusTesting
import HTTPTypes
import Testing

/// Brotli and Zstandard, decoded as the body is read.
@Suite(.enabled(if: Libraries.areThere, "\(Libraries.reason)")) struct CodingsTests {
    static let samples: [(String, [UInt8])] = [
        ("br", CodingSample.brotli), ("BR", CodingSample.brotli), ("zstd", CodingSample.zstd),
        ("zstd", CodingSample.frames),
    ]

    @Test("Every split of an encoded body yields the same bytes", arguments: samples)
    func everySplitGivesTheSameBytes(coding: String, body: [UInt8]) async throws {
        for split in 0...body.count {
            let pieces = [Array(body[..<split]), Array(body[split...])].filter { !$0.isEmpty }
            try #require(try await codedSite(pieces, coding).get().text == CodingSample.text, "split at \(split)")
        }
        #expect(try await codedSite(body.map { [$0] }, coding).get().text == CodingSample.text)
    }

    @Test("A body truncated anywhere is an error", arguments: samples.dropLast())
    func truncationIsAnError(coding: String, body: [UInt8]) async throws {
        for length in 1..<body.count {
            let error = try await codingFailure { try await codedSite([Array(body[..<length])], coding).get() }
            try #require(error.code == .contentCoding, "cut at \(length)")
            #expect(error.cause is ContentCodingProblem)
        }
    }

    @Test func aFrameCutShortIsAnError() async throws {
        // The first frame's end, and then each point where another may follow: each is a complete body.
        let ends = [29, 40, 49, CodingSample.frames.count]
        for length in 1..<CodingSample.frames.count where !ends.contains(length) {
            let body = Array(CodingSample.frames[..<length])
            let error = try await codingFailure { try await codedSite([body], "zstd").get() }
            try #require(error.code == .contentCoding, "cut at \(length)")
        }
        for length in ends.dropLast() {
            let body = Array(CodingSample.frames[..<length])
            #expect(try await codedSite([body], "zstd").get().text == String(CodingSample.text.prefix(20)))
        }
    }

    @Test func emptyBodiesStayEmpty() async throws {
        for coding in ["br", "zstd"] { #expect(try await codedSite([], coding).get().bytes.isEmpty) }
    }

    @Test("A changed checksum, and invalid data, are errors")
    func brokenDataIsAnError() async throws {
        var changed = CodingSample.zstd
        changed[changed.count - 1] ^= 1
        let error = try await codingFailure { try await codedSite([changed], "zstd").get() }
        #expect("\(error)".contains("checksum"), "\(error)")
        for coding in ["br", "zstd"] {
            let error = try await codingFailure { try await codedSite([Array("what is this".utf8)], coding).get() }
            #expect(error.code == .contentCoding)
            #expect("\(error)".contains("corrupt"), "\(error)")
        }
    }

    @Test func whatFollowsTheEndIsIgnoredAsLongAsItIsShort() async throws {
        for (coding, body) in [("br", CodingSample.brotli), ("zstd", CodingSample.zstd)] {
            for padding in [[0], Array("junk".utf8), [UInt8](repeating: 0, count: 512), Array("(((((".utf8)] {
                #expect(try await codedSite([body + padding], coding).get().text == CodingSample.text)
                #expect(try await codedSite((body + padding).map { [$0] }, coding).get().text == CodingSample.text)
            }
            let error = try await codingFailure {
                try await codedSite([body, [UInt8](repeating: 0, count: 70_000)], coding).get()
            }
            #expect("\(error)".contains("follow the end"))
        }
    }

    @Test("Windows of more than 8 MB are refused, as RFC 9659 requires; so are brotli's large ones")
    func windowsAreBounded() async throws {
        #expect(try await codedSite([CodingSample.window23], "zstd").get().bytes.count == 100)
        let error = try await codingFailure { try await codedSite([CodingSample.window24], "zstd").get() }
        #expect(error.code == .contentCoding)
        #expect("\(error)".lowercased().contains("memory"), "\(error)")
        // 0x11 begins a stream with a large window, of 2^30 bytes here.
        let large = try await codingFailure {
            try await codedSite([[0x11, 0x1E] + CodingSample.brotli.dropFirst()], "br").get()
        }
        #expect(large.code == .contentCoding)
    }

    @Test func dictionariesAreRefused() async throws {
        let error = try await codingFailure { try await codedSite([CodingSample.dictionary], "zstd").get() }
        #expect("\(error)".lowercased().contains("dictionary"), "\(error)")
    }

    @Test("All are requested in the setting's order, and may be nested")
    func codingsAreAskedForInOrder() async throws {
        let transport = StubTransport { _ in .response(headers: [.contentEncoding: "br"], body: CodingSample.brotli) }
        let site = Resource("http://a.example", transport: transport) {
            $0.contentCodings = [.zstd, .brotli, .gzip, .deflate]
        }
        #expect(try await site["x"].get().text == CodingSample.text)
        #expect(transport.lastRequest?.headers[.acceptEncoding] == "zstd, br, gzip, deflate")
        #expect(try await site["x"].call(.get).curl().contains("--compressed"))
    }

    @Test func whatIsSentComesBackTheSame() async throws {
        let transport = StubTransport { request in
            .response(headers: [.contentEncoding: request.headers[.contentEncoding]], body: request.body)
        }
        let site = Resource("http://a.example", transport: transport) { $0.contentCodings = [.zstd] }
        let text = String(repeating: "clouds and rain, ", count: 20_000)
        let answer = try await site.post(.text(text).compressed(by: .zstd))
        #expect(answer.text == text)
        #expect(transport.lastRequest?.headers[.contentEncoding] == "zstd")
        #expect((transport.lastRequest?.body.count ?? 0) < 1_000)
        let error = try await codingFailure { try await site.post(.text(text).compressed(by: .brotli)) }
        #expect(error.code == .encoding && error.cause is ContentCodingProblem)
        #expect("\(error)".contains("br can be decoded, but not encoded"))
    }
}

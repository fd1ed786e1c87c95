// SPDX-License-Identifier: Apache-2.0

import CumulusCodings
import CumulusCore
import CumulusTestServer
import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import CumulusCLI

/// A process's memory for a body that becomes a thousand times larger when it is decoded, and more.
///
/// The command is the one built beside the tests, since memory is measured for a process.
@Suite(.timeLimit(.minutes(10)), .serialized, .enabled(if: BuiltProgram.isThere && BombSample.canMeasure))
struct BombCommandTests {
    private static let most = 64 << 10
    /// How many mebibytes a bomb becomes: several times as many as are allowed, or 2.5 gibibytes.
    private static let size = SlowTests.areWanted ? 2_560 : 128

    /// Zeros in a thousandth of their bytes: gzip's usual ratio, with the other codings padded to the same.
    static func tame(_ coding: String) -> [UInt8] {
        let piece: [UInt8]
        var start: [UInt8] = []
        var end: [UInt8] = []
        switch coding {
        case "gzip": piece = BombSample.gzip
        case "deflate":
            (start, piece) = (BombSample.deflateStart, BombSample.deflatePiece)
            end = BombSample.deflateEnd(mebibytes: size)
        case "br":
            let padding = BombSample.brotliPadding + [UInt8](repeating: 0, count: 1_000)
            // The first mebibyte takes a few bytes, and the next would be out of proportion.
            start = BombSample.brotliStart + [[UInt8]](repeating: padding, count: 16).flatMap(\.self)
            piece = padding + BombSample.brotliPiece
            end = BombSample.brotliEnd
        default: piece = BombSample.zstdPadding + [UInt8](repeating: 0, count: 1_000) + BombSample.zstdFrame
        }
        return start + [[UInt8]](repeating: piece, count: size).flatMap(\.self) + end
    }

    /// The same without padding, or gzip within gzip.
    static func wild(_ coding: String) -> [UInt8] {
        switch coding {
        case "br":
            BombSample.brotliStart + [[UInt8]](repeating: BombSample.brotliPiece, count: size - 1).flatMap(\.self)
                + BombSample.brotliEnd
        case "gzip, gzip":
            BombSample.doubleStart + [[UInt8]](repeating: BombSample.doublePiece, count: size).flatMap(\.self)
        default: [[UInt8]](repeating: BombSample.zstdFrame, count: size).flatMap(\.self)
        }
    }

    /// The result of a command that gets this body for each of its requests: its status, its memory, and its messages.
    private func end(
        _ coding: String,
        _ body: [UInt8],
        status: HTTPResponse.Status = .ok,
        _ arguments: (String) -> [String] = { ["--compressed", $0] }
    ) async throws -> (status: Int32, peak: Int, notes: String) {
        let folder = try TemporaryFolder()
        let server = try await LoopbackServer.start {
            $0.get("*") { _ in ServerResponse(status, headers: [.contentEncoding: coding], body: body) }
        }
        let surroundings = "export SECRET=s3cret XDG_STATE_HOME='\(folder.path)'"
        let outputs = ">/dev/null 2>'\(folder.path)/notes'"
        let program = try BuiltProgram(arguments(server.url), shell: "\(surroundings); exec \"$@\" \(outputs)")
        try program.write()
        let end = try await program.peakMemoryAtEnd()
        await server.shutdown()
        return (end.status, end.peak, try String(contentsOfFile: "\(folder.path)/notes", encoding: .utf8))
    }

    @Test(
        "a body that becomes a thousand times as long is read to its end in 64 MiB",
        arguments: [ContentCoding.gzip, .deflate, .brotli, .zstd].filter(\.isAvailable).map(\.name)
    )
    func aBombInProportionIsStreamed(coding: String) async throws {
        let body = Self.tame(coding)
        #expect(970...1_200 ~= body.count / Self.size)
        let end = try await end(coding, body)
        #expect(end.status == 0, "\(end.notes)")
        #expect(1...Self.most ~= end.peak, "\(end.peak) KiB")
    }

    @Test(
        "as many bytes from fewer are an error, in 64 MiB",
        arguments: [ContentCoding.brotli, .zstd].filter(\.isAvailable).map(\.name) + ["gzip, gzip"]
    )
    func aBombOutOfProportionIsAnError(coding: String) async throws {
        let end = try await end(coding, Self.wild(coding))
        #expect(end.status != 0)
        #expect(end.notes.contains("is more than 1100 times as large as the received bytes"), "\(end.notes)")
        #expect(1...Self.most ~= end.peak, "\(end.peak) KiB")
    }

    @Test(
        "a body that becomes a thousand times as long is an error for what reads the whole, in 64 MiB",
        arguments: [ContentCoding.gzip, .deflate, .brotli, .zstd].filter(\.isAvailable).map(\.name),
        [["--filter", ".a"], ["--as", "yaml"]]
    )
    func aBombThatIsFilteredIsAnError(coding: String, options: [String]) async throws {
        let end = try await end(coding, Self.tame(coding)) { ["--compressed"] + options + [$0] }
        #expect(end.status != 0)
        #expect(
            end.notes.contains("inflates to more than 12 MiB in memory, and to more than 200 times"),
            "\(end.notes)"
        )
        #expect(1...Self.most ~= end.peak, "\(end.peak) KiB")
    }

    @Test(
        "a body that becomes a thousand times as long is an error for the library in memory, in 64 MiB",
        arguments: [ContentCoding.gzip, .deflate, .brotli, .zstd].filter(\.isAvailable).map(\.name)
    )
    func aBombInTheLibrarysMemoryIsAnError(coding: String) async throws {
        // A page of a list is read as a whole, with the library's default limits.
        let end = try await end(coding, Self.tame(coding)) { ["--compressed", "--pages", "1", $0] }
        #expect(end.status != 0)
        #expect(end.notes.contains("more than 12 MiB in memory, and to more than 200 times"), "\(end.notes)")
        #expect(1...Self.most ~= end.peak, "\(end.peak) KiB")
    }

    @Test("a longer text in proportion is an error at 64 MiB, and takes little more than that")
    func aLongFilteredTextIsAnError() async throws {
        // Not coded: nothing is out of proportion.
        let body = [UInt8](repeating: 0x20, count: 70 << 20)
        let end = try await end("identity", body) { ["--filter", ".a", $0] }
        #expect(end.status != 0)
        #expect(end.notes.contains("longer than 64 MiB"), "\(end.notes)")
        #expect(1...Self.most + (64 << 10) ~= end.peak, "\(end.peak) KiB")
    }

    @Test("endless input without output is an error", arguments: ["gzip", "deflate"])
    func aBarrenBodyIsAnError(coding: String) async throws {
        let piece: [UInt8] =
            coding == "gzip"
            ? [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 3] + [UInt8](repeating: 0, count: 9) : [0, 0, 0, 255, 255]
        let body = (coding == "gzip" ? [] : [0x78, 0x9c]) + [[UInt8]](repeating: piece, count: 500_000).flatMap(\.self)
        for options in [["--filter", ".a"], []] {
            let end = try await end(coding, body) { ["--compressed"] + options + [$0] }
            #expect(end.status != 0)
            #expect(end.notes.contains("bytes of \(coding) decode to only 0"), "\(end.notes)")
        }
    }

    @Test("a body in memory is an error as soon as it is too long", arguments: ["gzip", "deflate"])
    func aBombInMemoryIsAnError(coding: String) async throws {
        // An authorization server's metadata is such a body, and so is its refusal.
        for status in [HTTPResponse.Status.ok, .badRequest] {
            let end = try await end(coding, Self.tame(coding), status: status) { url in
                ["login", url, "--issuer", url, "--client", "atlas", "--secret", "env:SECRET"]
            }
            #expect(end.status != 0)
            #expect(status != .ok || end.notes.contains("the body is longer than the 65536 bytes"), "\(end.notes)")
            #expect(1...Self.most ~= end.peak, "\(end.peak) KiB")
        }
    }
}

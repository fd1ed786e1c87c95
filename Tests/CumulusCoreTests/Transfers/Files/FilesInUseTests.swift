// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives
import CumulusTesting
import Foundation
import TestSupport
import Testing

@testable import CumulusCore

/// Downloads that run together, whose servers give their files the same name.
@Suite(.timeLimit(.minutes(10))) struct ClaimedFilesTests {
    private let bench: DownloadBench
    private let claims = FilesInUse()

    init() throws { bench = try DownloadBench() }

    private func options(_ existing: DownloadOptions.ExistingFile) -> DownloadOptions {
        var options = DownloadOptions(existing: existing)
        options.filesInUse = claims
        return options
    }

    /// Downloads a file that its server calls `data.bin`.
    private func download(_ remote: RemoteFile, _ options: DownloadOptions) async throws -> DownloadedFile {
        remote.change { $0.extra["Content-Disposition"] = "attachment; filename=\"data.bin\"" }
        let site = Resource("http://b.example/other", transport: remote.transport.watched)
        return try await site.download(to: .directory(bench.folder.path), options: options)
    }

    @Test(
        "What one has made is neither another's result nor replaced; a later run replaces it",
        arguments: [DownloadOptions.ExistingFile.refuse, .replace, .skip, .extend]
    )
    func made(existing: DownloadOptions.ExistingFile) async throws {
        let other = RemoteFile(seed: 5)
        _ = try await download(other, options(existing))
        let error = try await failure {
            try await bench.resource.download(to: .directory(bench.folder.path), options: options(existing))
        }
        #expect(error.code == .fileExists && error.cause is FilesInUse.Taken, "\(error)")
        #expect(bench.bytes() == other.bytes)
        #expect(bench.names == ["data.bin"])
        let later = DownloadOptions(existing: .replace)
        _ = try await bench.resource.download(to: .directory(bench.folder.path), options: later)
        #expect(bench.bytes() == bench.remote.bytes)
    }

    @Test("With numbers, each gets a name of its own") func numbered() async throws {
        _ = try await download(RemoteFile(seed: 5), options(.keepBoth))
        _ = try await download(RemoteFile(seed: 6), options(.keepBoth))
        #expect(bench.names == ["data-1.bin", "data.bin"])
    }

    @Test(
        "What one makes while another's body arrives is not replaced by that",
        arguments: [DownloadOptions.ExistingFile.replace, .extend]
    )
    func meanwhile(existing: DownloadOptions.ExistingFile) async throws {
        let (gate, other) = (Gate(), RemoteFile(seed: 5))
        let bytes = bench.remote.bytes
        bench.remote.change { $0.twists = [ClaimedFilesTests.slow(bytes, gate)] }
        let folder = bench.folder.path
        let slow = options(existing)
        let task = Task { try await bench.resource.download(to: .directory(folder), options: slow) }
        try await eventually { gate.waiterCount == 1 }
        _ = try await download(other, options(existing))
        gate.open()
        let error = try await failure { try await task.value }
        #expect(error.code == .fileExists && error.cause is FilesInUse.Taken, "\(error)")
        #expect(bench.bytes() == other.bytes)
        #expect(bench.names == ["data.bin"])
    }

    @Test("What one has kept is not replaced by another that looked at it before") func kept() async throws {
        let mine = RemoteFile.content(50_000, seed: 5)
        _ = try bench.folder.write(mine, to: "data.bin")
        let (gate, bytes) = (Gate(), bench.remote.bytes)
        bench.remote.change { $0.twists = [ClaimedFilesTests.slow(bytes, gate)] }
        let folder = bench.folder.path
        let slow = options(.extend)
        let task = Task { try await bench.resource.download(to: .directory(folder), options: slow) }
        try await eventually { gate.waiterCount == 1 }
        let file = try await download(RemoteFile(count: 50_000, seed: 5), options(.extend))
        #expect(file.isKept)
        gate.open()
        let error = try await failure { try await task.value }
        #expect(error.code == .fileExists && error.cause is FilesInUse.Taken, "\(error)")
        #expect(bench.bytes() == mine)
        #expect(bench.names == ["data.bin"])
    }

    @Test("Two names of one file are two files; the same name is one") func links() throws {
        let path = FilePath(try bench.folder.write("x", to: "a"))
        let other = FilePath(bench.folder.path, "b")
        try FileManager.default.linkItem(atPath: path.text, toPath: other.text)
        try claims.keep(path)
        try claims.keep(other)
        #expect(throws: FilesInUse.Taken.self) { try claims.keep(path) }
        #expect(throws: FilesInUse.Taken.self) { try claims.check(other) }
        try FileManager.default.removeItem(atPath: other.text)
        try claims.check(other)
    }

    /// A body that stops after a few bytes until the gate opens.
    private static func slow(_ bytes: [UInt8], _ gate: Gate) -> RemoteFile.Twist {
        { _, _ in
            .script(
                [.chunk(Array(bytes[..<10])), .gate(gate), .chunk(Array(bytes[10...]))],
                headers: [.contentLength: "\(bytes.count)", .eTag: "\"v1\""]
            )
        }
    }
}

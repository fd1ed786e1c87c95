// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives
import CumulusTesting
import Foundation
import HTTPTypes
import Synchronization
import TestSupport
import Testing

@testable import CumulusCore

/// An existing file at the destination as the beginning of a download: only where a digest verifies it.
@Suite(.timeLimit(.minutes(10))) struct ExtensionTests {
    private func checksum(of bytes: [UInt8]) throws -> Checksum {
        var digest = RunningDigest([.sha256])
        bytes.withUnsafeBytes { digest.update($0) }
        return try #require(digest.checksum(.sha256))
    }

    private func options(_ bench: DownloadBench) throws -> DownloadOptions {
        DownloadOptions(resume: true, existing: .extend, checksum: try checksum(of: bench.remote.bytes))
    }

    private func bench(has bytes: [UInt8]? = nil) throws -> DownloadBench {
        let bench = try DownloadBench()
        _ = try bench.folder.write(bytes ?? Array(bench.remote.bytes.prefix(30_000)), to: "data.bin")
        return bench
    }

    @Test("A shorter file is continued under a digest; one of the same length is the result") func extended()
        async throws
    {
        let bench = try bench()
        let file = try await bench.download(options(bench))
        #expect(file.resumedByteCount == 30_000 && file.replacedByteCount == 0)
        #expect(bench.bytes() == bench.remote.bytes)
        #expect(bench.remote.seen.last?[.range] == "bytes=30000-")
        #expect(bench.names == ["data.bin"])
        let again = try await bench.download(DownloadOptions(resume: true, existing: .extend))
        #expect(again.byteCount == 100_000 && again.resumedByteCount == 0)
    }

    @Test("The server's digest is one, too") func declared() async throws {
        let bench = try bench()
        let digest = MessageDigest.sha256(of: bench.remote.bytes)
        bench.remote.change { $0.extra["Repr-Digest"] = "sha-256=:\(Data(digest).base64EncodedString()):" }
        let file = try await bench.download(DownloadOptions(existing: .extend))
        #expect(file.resumedByteCount == 30_000 && !file.verifiedChecksums.isEmpty)
        #expect(bench.bytes() == bench.remote.bytes)
    }

    @Test("Of the same length and without a digest, the file is the result, and is called not compared")
    func lengthOnly() async throws {
        let bench = try bench(has: RemoteFile.content(100_000, seed: 3))
        let mine = bench.bytes()
        let file = try await bench.download(DownloadOptions(existing: .extend))
        #expect(file.isKept && file.verifiedChecksums.isEmpty && file.byteCount == 100_000)
        #expect(bench.bytes() == mine)
    }

    @Test(
        "Of the same length, only a file that has the digest is the result",
        arguments: [nil, "Repr-Digest", "Content-MD5"]
    )
    func sameLength(field: String?) async throws {
        let bench = try bench(has: RemoteFile.content(100_000, seed: 3))
        var digest = RunningDigest([.sha256, .md5])
        bench.remote.bytes.withUnsafeBytes { digest.update($0) }
        let (long, short) = (try #require(digest.checksum(.sha256)), try #require(digest.checksum(.md5)))
        var options = DownloadOptions(existing: .extend)
        switch field {
        case nil: options.checksum = long
        case "Repr-Digest":
            let text = "sha-256=:\(Data(long.bytes).base64EncodedString()):"
            bench.remote.change { $0.extra["Repr-Digest"] = text }
        default:
            let text = Data(short.bytes).base64EncodedString()
            bench.remote.change { $0.extra["Content-MD5"] = text }
        }
        let file = try await bench.download(options)
        let sum = field == "Content-MD5" ? short : long
        #expect(!file.isKept && file.verifiedChecksums == [sum] && file.replacedByteCount == 0)
        #expect(bench.bytes() == bench.remote.bytes)
        #expect(bench.names == ["data.bin"])
        let inode = FileIdentity(at: FilePath(bench.path))
        // No date matters to a file that has the digest.
        bench.remote.change { $0.modified = "Fri, 01 Jan 2100 00:00:00 GMT" }
        let again = try await bench.download(options)
        #expect(again.isKept && again.verifiedChecksums == [sum])
        #expect(FileIdentity(at: FilePath(bench.path)) == inode)
    }

    @Test("A file that does not become the one with the digest stays") func wrongDigest() async throws {
        let bench = try bench(has: RemoteFile.content(100_000, seed: 3))
        let mine = bench.bytes()
        let sum = try checksum(of: [1])
        bench.remote.change { $0.extra["Repr-Digest"] = "sha-256=:\(Data(sum.bytes).base64EncodedString()):" }
        let error = try await bench.failure(DownloadOptions(existing: .extend))
        #expect(error.code == .checksum)
        #expect(bench.bytes() == mine)
        #expect(bench.names == ["data.bin"])
    }

    @Test(
        "A file that is older than the server's is not the result, whatever its length",
        arguments: [100_000, 30_000]
    )
    func older(count: Int) async throws {
        let bench = try bench(has: RemoteFile.content(count, seed: 3))
        let mine = bench.bytes()
        bench.remote.change { $0.modified = "Fri, 01 Jan 2100 00:00:00 GMT" }
        let error = try await bench.failure(DownloadOptions(existing: .extend))
        #expect(error.code == .remoteChanged, "\(error)")
        #expect(bench.bytes() == mine)
    }

    @Test(
        "A shorter file of which nothing is known is not continued: the whole is downloaded",
        arguments: [false, true]
    )
    func unproven(isBeginning: Bool) async throws {
        let bench = try bench(has: isBeginning ? nil : Array("{\"a\":1}".utf8))
        let size = Int64(try #require(bench.bytes()?.count))
        let file = try await bench.download(DownloadOptions(resume: true, existing: .extend))
        #expect(file.resumedByteCount == 0 && file.replacedByteCount == size)
        #expect(bench.bytes() == bench.remote.bytes)
        #expect(bench.remote.seen.map { $0[.range] } == [nil])
        #expect(bench.names == ["data.bin"])
    }

    @Test("Bytes that turn out to be another file's are downloaded anew") func another() async throws {
        let bench = try bench(has: [UInt8](repeating: 0x7A, count: 30_000))
        let file = try await bench.download(options(bench))
        #expect(file.resumedByteCount == 0 && file.replacedByteCount == 0)
        #expect(bench.bytes() == bench.remote.bytes)
    }

    @Test("The existing file stays until the new one is complete, and the next call goes on", arguments: [false, true])
    func fails(resumes: Bool) async throws {
        let bench = try bench()
        let mine = bench.bytes()
        var options = try options(bench)
        options.resume = resumes
        // The first response is only for the file's head, and is dropped.
        bench.remote.change { $0.breaks = [0, 10_000, 0, 0, 0] }
        let error = try await bench.failure(options)
        #expect(error.code == .incomplete, "\(error)")
        #expect(bench.bytes() == mine)
        #expect(bench.names == (resumes ? bench.leftovers : []) + ["data.bin"])
        bench.remote.change { $0.breaks = [] }
        let file = try await bench.download(options)
        #expect(file.resumedByteCount == (resumes ? 40_000 : 30_000))
        #expect(bench.bytes() == bench.remote.bytes)
        #expect(bench.names == ["data.bin"])
    }

    @Test("A range of a file is no continuation of it") func range() async throws {
        let bench = try bench()
        let error = try await bench.failure(DownloadOptions(existing: .extend, range: 0..<50_000))
        #expect(error.code == .fileExists)
        #expect(bench.bytes()?.count == 30_000)
    }

    @Test("A file that appears, or takes the place of the one that was compared, is kept", arguments: [false, true])
    func appears(wasThere: Bool) async throws {
        let bench = try DownloadBench()
        if wasThere { _ = try bench.folder.write("old", to: "data.bin") }
        let (gate, bytes) = (Gate(), bench.remote.bytes)
        bench.remote.change { state in
            state.twists = [
                { _, _ in
                    .script(
                        [.chunk(Array(bytes[..<10])), .gate(gate), .chunk(Array(bytes[10...]))],
                        headers: [.contentLength: "100000", .eTag: "\"v1\""]
                    )
                }
            ]
        }
        let task = Task { try await bench.download(DownloadOptions(resume: true, existing: .extend)) }
        try await eventually { gate.waiterCount == 1 }
        let other = try bench.folder.write("somebody's", to: "other")
        #expect(rename(other, bench.path) == 0)
        gate.open()
        let error = try await failure { try await task.value }
        #expect(error.code == .fileExists)
        #expect(bench.bytes() == Array("somebody's".utf8))
        #expect(bench.names == ["data.bin"])
    }

    @Test("What is complete without a known length gets the name that its server gives") func lengthUnknown()
        async throws
    {
        let bench = try DownloadBench()
        let bytes = RemoteFile.content(30_000)
        let headers: Headers = [.eTag: "\"v1\"", "Content-Disposition": "attachment; filename=named.bin"]
        let transport = StubTransport { request in
            if request.headers[.range] != nil {
                let head: Headers = [
                    .eTag: "\"v1\"", .contentRange: "bytes */30000",
                    "Content-Disposition": "attachment; filename=named.bin",
                ]
                return .response(.rangeNotSatisfiable, headers: head)
            }
            return .script(RemoteFile.steps(bytes), headers: headers)
        }
        let resource = Resource("http://a.example/data", transport: transport.watched)
        // As if killed after the last byte.
        let target = try DownloadTarget(
            .directory(bench.folder.path),
            of: RequestURL("http://a.example/data"),
            caches: "",
            resumes: true
        )
        let part = FilePath(try bench.folder.write(bytes, to: target.part.name))
        let record = DownloadRecord(
            place: DownloadRecord.place(of: try RequestURL("http://a.example/data")),
            inode: try #require(FileIdentity(at: part)).inode,
            wanted: nil,
            remote: .known(entityTag: "\"v1\""),
            checksums: [],
            done: [.init(start: 0, end: 30_000)]
        )
        try record.write(to: part.appending(".json"))
        let file = try await resource.download(
            to: .directory(bench.folder.path),
            options: DownloadOptions(resume: true)
        )
        #expect(file.path == bench.folder.path + "/named.bin" && file.resumedByteCount == 30_000)
        #expect(bench.names == ["named.bin"])
    }
}

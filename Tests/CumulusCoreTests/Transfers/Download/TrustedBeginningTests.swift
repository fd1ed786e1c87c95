// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives
import CumulusTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import CumulusCore

/// A file of another program that is continued without a digest, after a comparison of its end.
@Suite(.timeLimit(.minutes(10))) struct TrustedBeginningTests {
    private static let overlap = Int(DownloadExtension.overlap)
    private static let whole = RemoteFile.content(300_000)

    private var options: DownloadOptions {
        var options = DownloadOptions(resume: true, existing: .extend)
        options.trustsBeginning = true
        return options
    }

    private func bench(has bytes: some Collection<UInt8>) throws -> DownloadBench {
        let bench = try DownloadBench(RemoteFile(count: 300_000))
        _ = try bench.folder.write(Array(bytes), to: "data.bin")
        return bench
    }

    @Test(
        "Its last 64 KiB are requested again, and the remaining bytes are appended",
        arguments: [65_537, 200_000, 299_999]
    )
    func continued(count: Int) async throws {
        let bench = try bench(has: Self.whole.prefix(count))
        let file = try await bench.download(options)
        #expect(bench.bytes() == Self.whole && bench.names == ["data.bin"])
        #expect(file.resumedByteCount == Int64(count - Self.overlap) && file.replacedByteCount == 0)
        #expect(bench.remote.seen.map { $0[.range] } == [nil, "bytes=\(count - Self.overlap)-"])
        #expect(bench.remote.seen.last?[.ifRange] == "\"v1\"")
    }

    @Test("A short file is compared as a whole", arguments: [1, 60_000, 65_536])
    func short(count: Int) async throws {
        let bench = try bench(has: Self.whole.prefix(count))
        _ = try await bench.download(options)
        #expect(bench.bytes() == Self.whole && bench.names == ["data.bin"])
        let other = try self.bench(has: Array(Self.whole.prefix(count - 1)) + [Self.whole[count - 1] ^ 1])
        let error = try await other.failure(options)
        #expect(error.code == .remoteChanged)
        #expect(other.bytes()?.count == count && other.names == ["data.bin"])
    }

    @Test("A difference leaves the file exactly as it was", arguments: [0, 1, 40_000, 65_535])
    func differs(place: Int) async throws {
        var mine = Array(Self.whole.prefix(200_000))
        mine[200_000 - Self.overlap + place] ^= 0x40
        let bench = try bench(has: mine)
        let before = FileIdentity(at: FilePath(bench.path))
        let error = try await bench.failure(options)
        #expect(error.code == .remoteChanged)
        #expect(error.message.contains("doesn't match the server's file"), "\(error)")
        #expect(bench.bytes() == mine && bench.names == ["data.bin"])
        #expect(FileIdentity(at: FilePath(bench.path)) == before)
    }

    @Test func bytesBeforeAreTrusted() async throws {
        var mine = Array(Self.whole.prefix(200_000))
        mine[5] ^= 1
        let bench = try bench(has: mine)
        _ = try await bench.download(options)
        #expect(bench.bytes() == mine + Self.whole.dropFirst(200_000))
    }

    @Test func checksumStillDecides() async throws {
        var mine = Array(Self.whole.prefix(200_000))
        mine[5] ^= 1
        let bench = try bench(has: mine)
        var options = options
        var digest = RunningDigest([.sha256])
        Self.whole.withUnsafeBytes { digest.update($0) }
        options.checksum = digest.checksum(.sha256)
        let file = try await bench.download(options)
        #expect(bench.bytes() == Self.whole && file.verifiedChecksums.count == 1)
    }

    @Test("A server without ranges sends the whole file, which is compared", arguments: [false, true])
    func withoutRanges(isOther: Bool) async throws {
        var mine = Array(Self.whole.prefix(200_000))
        if isOther { mine[5] ^= 1 }
        let bench = try bench(has: mine)
        bench.remote.change { $0.doesRanges = false }
        if isOther {
            #expect(try await bench.failure(options).code == .remoteChanged)
            #expect(bench.bytes() == mine)
        } else {
            _ = try await bench.download(options)
            #expect(bench.bytes() == Self.whole)
        }
        #expect(bench.names == ["data.bin"])
    }

    @Test func fileWithoutRevisionIsRefused() async throws {
        let mine = Array(Self.whole.prefix(200_000))
        let bench = try bench(has: mine)
        bench.remote.change { $0.tag = nil }
        let error = try await bench.failure(options)
        #expect(error.code == .remoteChanged && error.message.contains("no revision"), "\(error)")
        #expect(bench.bytes() == mine && bench.names == ["data.bin"])
    }

    @Test("A file that changes between the two requests is compared with the new one")
    func changed() async throws {
        let mine = Array(Self.whole.prefix(200_000))
        let bench = try bench(has: mine)
        let other = RemoteFile.content(300_000, seed: 9)
        bench.remote.change { state in
            state.twists = [
                { [remote = bench.remote] _, answer in
                    remote.change { ($0.bytes, $0.tag) = (other, "\"v2\"") }
                    return answer
                }
            ]
        }
        #expect(try await bench.failure(options).code == .remoteChanged)
        #expect(bench.bytes() == mine && bench.names == ["data.bin"])
    }

    @Test(
        "A body that breaks off while it is compared is continued there",
        arguments: [10_000, 65_535, 65_536, 70_000]
    )
    func breaksOff(count: Int) async throws {
        let bench = try bench(has: Self.whole.prefix(200_000))
        bench.remote.change { $0.breaks = [-1, count] }
        _ = try await bench.download(options)
        #expect(bench.bytes() == Self.whole && bench.names == ["data.bin"])
        #expect(bench.remote.seen.last?[.range] == "bytes=\(200_000 - Self.overlap + count)-")
    }

    @Test("Only compared bytes are left for another run", arguments: [false, true])
    func fails(isCompared: Bool) async throws {
        let mine = Array(Self.whole.prefix(200_000))
        let bench = try bench(has: mine)
        bench.remote.change { $0.breaks = [-1, isCompared ? 70_000 : 10_000, 0, 0, 0] }
        let error = try await bench.failure(options)
        #expect(error.code == .incomplete, "\(error)")
        #expect(bench.bytes() == mine)
        #expect(bench.names == (isCompared ? bench.leftovers : []) + ["data.bin"])
        bench.remote.change { ($0.breaks, $0.seen) = ([], []) }
        let file = try await bench.download(options)
        #expect(bench.bytes() == Self.whole && bench.names == ["data.bin"])
        #expect(file.replacedByteCount == 0)
        let start = isCompared ? 200_000 - Self.overlap + 70_000 : 200_000 - Self.overlap
        #expect(bench.remote.seen.last?[.range] == "bytes=\(start)-")
    }

    /// A bench whose download broke off after some bytes, and at whose destination another program's file appeared.
    private func unfinished(after count: Int, beside bytes: some Collection<UInt8>) async throws -> DownloadBench {
        let bench = try DownloadBench(RemoteFile(count: 300_000))
        try await bench.breakOff(after: count)
        _ = try bench.folder.write(Array(bytes), to: "data.bin")
        return bench
    }

    @Test("A file that is not the beginning of the unfinished download stays", arguments: [1, 100_000, 150_000])
    func unrelatedFile(count: Int) async throws {
        var mine = Array(Self.whole.prefix(count))
        mine[count / 2] ^= 1
        let bench = try await unfinished(after: 150_000, beside: mine)
        let error = try await bench.failure(options)
        #expect(error.code == .fileExists && error.message.contains("not the beginning of the unfinished"), "\(error)")
        #expect(bench.bytes() == mine && bench.names == bench.leftovers + ["data.bin"])
    }

    @Test("A file that is the beginning of the unfinished download is replaced by the whole", arguments: [1, 150_000])
    func beginningOfTheUnfinishedDownload(count: Int) async throws {
        let bench = try await unfinished(after: 150_000, beside: Self.whole.prefix(count))
        let file = try await bench.download(options)
        #expect(bench.bytes() == Self.whole && bench.names == ["data.bin"])
        #expect(file.resumedByteCount == 150_000 && file.replacedByteCount == 0)
    }

    @Test("A file that is longer than the unfinished download is compared with the server's", arguments: [false, true])
    func longerThanTheUnfinishedDownload(differs: Bool) async throws {
        var mine = Array(Self.whole.prefix(200_000))
        if differs { mine[199_999] ^= 1 }
        let bench = try await unfinished(after: 50_000, beside: mine)
        if differs {
            #expect(try await bench.failure(options).code == .remoteChanged)
            #expect(bench.bytes() == mine)
        } else {
            _ = try await bench.download(options)
            #expect(bench.bytes() == Self.whole)
        }
    }

    @Test func bytesOfAPrivateFileStayPrivate() async throws {
        let bench = try bench(has: Self.whole.prefix(200_000))
        #expect(chmod(bench.path, 0o600) == 0)
        bench.remote.change { $0.breaks = [-1, 70_000, 0, 0, 0] }
        _ = try await bench.failure(options)
        for name in bench.leftovers {
            var facts = stat()
            #expect(stat("\(bench.folder.path)/\(name)", &facts) == 0 && facts.st_mode & 0o077 == 0, "\(name)")
        }
    }

    @Test("A revision that follows the comparison replaces the file, and the result says so")
    func changedAfterTheComparison() async throws {
        let bench = try bench(has: Self.whole.prefix(200_000))
        let other = RemoteFile.content(300_000, seed: 9)
        bench.remote.change { state in
            state.breaks = [-1, 70_000]
            state.twists = [
                { _, answer in answer },
                { [remote = bench.remote] _, answer in
                    remote.change { ($0.bytes, $0.tag) = (other, "\"v2\"") }
                    return answer
                },
            ]
        }
        let file = try await bench.download(options)
        #expect(bench.bytes() == other && file.replacedByteCount == 200_000)
    }

    @Test func linkOrAnotherFileIsNotCopied() async throws {
        let bench = try bench(has: Self.whole.prefix(200_000))
        let secret = try bench.folder.write([1, 2, 3], to: "secret")
        let (path, link) = (FilePath(bench.path), FilePath("\(bench.folder.path)/link"))
        #expect(symlink(secret, link.text) == 0)
        let file = try DownloadFile(target: path, part: FilePath("\(bench.folder.path)/part"))
        let files = [
            ExaminedFile(path: link, identity: FileIdentity(at: FilePath(secret))),
            ExaminedFile(path: FilePath(secret), identity: FileIdentity(at: path)),
        ]
        for other in files {
            await #expect(throws: FileProblem.self) { try await file.copy(other, count: 3) }
            await #expect(throws: FileProblem.self) { _ = try await file.begins(with: other, count: 3) }
        }
        #expect(file.part.size == 0)
    }

    @Test func withoutTheOptionTheWholeIsDownloaded() async throws {
        let bench = try bench(has: Self.whole.prefix(200_000))
        let file = try await bench.download(DownloadOptions(resume: true, existing: .extend))
        #expect(file.replacedByteCount == 200_000 && bench.bytes() == Self.whole)
    }
}

// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import CumulusCore

/// A file that doesn't match its digest never gets its name.
@Suite struct IntegrityTests {
    private static func sum(_ bytes: [UInt8], _ algorithm: Checksum.Algorithm) -> Checksum {
        var digest = RunningDigest([algorithm])
        bytes.withUnsafeBytes { digest.update($0) }
        return digest.checksum(algorithm) ?? Checksum(known: algorithm, [])
    }

    private static let whole = RemoteFile.content(100_000)

    @Test("A matching checksum is reported", arguments: Checksum.Algorithm.allCases)
    func fits(algorithm: Checksum.Algorithm) async throws {
        let bench = try DownloadBench()
        let sum = IntegrityTests.sum(IntegrityTests.whole, algorithm)
        let file = try await bench.download(DownloadOptions(checksum: sum))
        #expect(file.verifiedChecksums == [sum])
    }

    @Test("a wrong one leaves nothing", arguments: [false, true])
    func doesNotFit(resume: Bool) async throws {
        let bench = try DownloadBench()
        let sum = IntegrityTests.sum([1], .sha256)
        let error = try await bench.failure(DownloadOptions(resume: resume, checksum: sum))
        #expect(error.code == .checksum)
        #expect(error.message.contains(sum.description))
        #expect(bench.names.isEmpty)
    }

    @Test("a wrong one keeps the existing file")
    func keepsTheOld() async throws {
        let bench = try DownloadBench()
        _ = try bench.folder.write("mine", to: "data.bin")
        let sum = IntegrityTests.sum([1], .md5)
        #expect(try await bench.failure(DownloadOptions(existing: .replace, checksum: sum)).code == .checksum)
        #expect(bench.bytes() == Array("mine".utf8))
        #expect(bench.names == ["data.bin"])
    }

    @Test(
        "digests that the server declares are verified",
        arguments: ["Repr-Digest", "Content-Digest"],
        [true, false]
    )
    func declared(field: String, fits: Bool) async throws {
        let bench = try DownloadBench()
        let sum = IntegrityTests.sum(fits ? IntegrityTests.whole : [1], .sha256)
        let text = "sha-256=:\(Data(sum.bytes).base64EncodedString()):"
        bench.remote.change { state in state.extra[Headers.Name(field)] = text }
        if fits {
            #expect(try await bench.download().verifiedChecksums == [sum])
        } else {
            #expect(try await bench.failure().code == .checksum)
            #expect(bench.names.isEmpty)
        }
    }

    @Test("The digest includes the bytes of earlier downloads", arguments: [true, false])
    func resumed(fits: Bool) async throws {
        let bench = try DownloadBench()
        try await bench.breakOff(after: 40_000)
        let sum = IntegrityTests.sum(fits ? IntegrityTests.whole : [1], .sha512)
        if fits {
            let file = try await bench.download(DownloadOptions(resume: true, checksum: sum))
            #expect(file.verifiedChecksums == [sum])
            #expect(file.resumedByteCount == 40_000)
        } else {
            #expect(try await bench.failure(DownloadOptions(resume: true, checksum: sum)).code == .checksum)
            #expect(bench.names.isEmpty)
        }
    }

    @Test("Digests declared for the whole are remembered for the next download")
    func remembered() async throws {
        let bench = try DownloadBench()
        let text = "sha-256=:\(Data(IntegrityTests.sum(IntegrityTests.whole, .sha256).bytes).base64EncodedString()):"
        bench.remote.change { state in state.extra["Repr-Digest"] = text }
        try await bench.breakOff(after: 40_000)
        bench.remote.change { $0.extra = [:] }
        let file = try await bench.download(DownloadOptions(resume: true))
        #expect(file.verifiedChecksums.map(\.algorithm) == [.sha256])
    }

    @Test("An interruption within one call doesn't affect the digest")
    func broken() async throws {
        let bench = try DownloadBench()
        bench.remote.change { $0.breaks = [33_333, 20_000] }
        let sum = IntegrityTests.sum(IntegrityTests.whole, .sha1)
        #expect(try await bench.download(DownloadOptions(checksum: sum)).verifiedChecksums == [sum])
    }

    @Test("A range's checksum covers its bytes")
    func range() async throws {
        let bench = try DownloadBench()
        let sum = IntegrityTests.sum(Array(IntegrityTests.whole[10..<20]), .crc32)
        let file = try await bench.download(DownloadOptions(range: 10..<20, checksum: sum))
        #expect(file.verifiedChecksums == [sum])
    }
}

// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import HTTPTypes
import TestSupport
import Testing

@testable import CumulusBackground

@Suite(.timeLimit(.minutes(10))) struct FileDeliveryTests {
    /// Downloads "new" to `file.bin`, where "old" is.
    private func result(
        _ options: BackgroundTransferOptions,
        in bench: TransferBench,
        hasOld: Bool = true
    ) async throws -> [String] {
        let task = FakeTask(1)
        _ = try await bench.start(task, options: options)
        // The file appears while the system works.
        if hasOld { _ = try bench.folder.write("old", to: "file.bin") }
        bench.table.arrived(task, try bench.write("new"), .ok())
        return await bench.eventsSoFar()
    }

    @Test func existingFileIsKeptByDefault() async throws {
        let bench = try TransferBench()
        #expect(try await result(.init(), in: bench) == ["failed fileExists"])
        #expect(try bench.folder.bytes("file.bin") == Array("old".utf8))
    }

    @Test func existingFileIsReplacedIfRequested() async throws {
        let bench = try TransferBench()
        #expect(try await result(.init(existing: .replace), in: bench) == ["downloaded"])
        #expect(try bench.folder.bytes("file.bin") == Array("new".utf8))
    }

    @Test func bothFilesAreKeptIfRequested() async throws {
        let bench = try TransferBench()
        #expect(try await result(.init(existing: .keepBoth), in: bench) == ["downloaded"])
        #expect(try bench.folder.bytes("file.bin") == Array("old".utf8))
        #expect(try bench.folder.bytes("file-1.bin") == Array("new".utf8))
    }

    @Test(arguments: Checksum.Algorithm.allCases) func wrongDigestWritesNothing(_ algorithm: Checksum.Algorithm)
        async throws
    {
        let bench = try TransferBench()
        let wrong = try Checksum(algorithm, [UInt8](repeating: 0, count: algorithm.length))
        #expect(try await result(.init(checksum: wrong), in: bench, hasOld: false) == ["failed checksum"])
        #expect(!bench.folder.names.contains("file.bin") && bench.recordNames.isEmpty)
    }

    @Test(arguments: Checksum.Algorithm.allCases) func rightDigestIsReported(_ algorithm: Checksum.Algorithm)
        async throws
    {
        let bench = try TransferBench()
        let right = try await RequestBody.bytes(ByteChunk("new")).checksum(algorithm)
        let task = FakeTask(1)
        _ = try await bench.start(task, options: .init(checksum: right))
        bench.table.arrived(task, try bench.write("new"), .ok())
        guard case .downloaded(_, let file)? = await bench.table.events.next() else {
            Issue.record("the download failed")
            return
        }
        #expect(file.verifiedChecksums == [right] && file.byteCount == 3 && file.path == bench.file)
        #expect(file.response?.url.description == "https://api.example.com/data")
    }

    @Test func missingTemporaryFileIsAnError() async throws {
        let bench = try TransferBench()
        let task = FakeTask(1)
        _ = try await bench.start(task)
        bench.table.arrived(task, "\(bench.folder.path)/missing", .ok())
        #expect(await bench.eventsSoFar() == ["failed disk"])
    }

    @Test func destinationIsCheckedBeforeTheTransfer() async throws {
        let bench = try TransferBench()
        let existing = try bench.folder.write("old", to: "file.bin")
        let request = EncodedRequest(method: .get, url: try RequestURL("https://api.example.com/"))
        func code(_ path: String, _ rule: ExistingFileRule) -> CumulusError.Code? {
            let error = #expect(throws: CumulusError.self) { try FileDelivery.check(path, rule, request: request) }
            return error?.code
        }
        #expect(code(existing, .refuse) == .fileExists && code("\(bench.folder.path)/none/x", .replace) == .disk)
        #expect(code("\(bench.folder.path)/..", .replace) == .disk)
        try FileDelivery.check(existing, .replace, request: request)
        try FileDelivery.check(existing, .keepBoth, request: request)
        for rule in [DownloadOptions.ExistingFile.skip, .extend] {
            let error = #expect(throws: CumulusError.self) { try ExistingFileRule(rule) }
            #expect(error?.code == .unsupported)
        }
    }
}

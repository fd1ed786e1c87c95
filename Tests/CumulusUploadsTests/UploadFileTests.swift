// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTesting
import CumulusUploads
import Foundation
import HTTPTypes
import Synchronization
import TestSupport
import Testing

/// The file and the record of an upload, and what may happen to them.
@Suite(.timeLimit(.minutes(10))) struct UploadFileTests {
    @Test(arguments: ["longer", "shorter", "rewritten", "replaced"])
    func changedFileStartsOver(change: String) async throws {
        let (bench, service) = (try UploadBench(), TusService { $0.cuts = [nil, 50] })
        let broken = service.files { $0.retry = .never }
        _ = try await failure { try await broken.upload(bench.file, by: .tus, options: bench.options()) }
        let new = try changed(bench, change)
        let upload = try await service.files().upload(bench.file, by: .tus, options: bench.options())
        #expect(service.uploads["2"]?.bytes == new || service.bytes == new)
        #expect(upload.restartReason?.hasPrefix("the file has changed") == true)
        #expect(upload.byteCount == Int64(new.count))
        // The bytes of the earlier state are of no use.
        #expect(service.uploads.count == 1)
    }

    private func changed(_ bench: UploadBench, _ change: String) throws -> [UInt8] {
        var new = bench.bytes
        switch change {
        case "longer": new += [1, 2, 3]
        case "shorter": new.removeLast(10)
        case "rewritten": new[5] ^= 1
        default:
            let other = try bench.folder.write(new, to: "other")
            let date = try FileManager.default.attributesOfItem(atPath: bench.file)[.modificationDate]
            try FileManager.default.removeItem(atPath: bench.file)
            try FileManager.default.moveItem(atPath: other, toPath: bench.file)
            if let date { try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: bench.file) }
            return new
        }
        let handle = try #require(FileHandle(forWritingAtPath: bench.file))
        try handle.write(contentsOf: Data(new))
        try handle.truncate(atOffset: UInt64(new.count))
        try handle.close()
        // Later than the clock's resolution.
        let later = Date(timeIntervalSince1970: 2_000_000_000)
        try FileManager.default.setAttributes([.modificationDate: later], ofItemAtPath: bench.file)
        return new
    }

    @Test(arguments: [0, 2, 3])
    func fileThatChangesMeanwhileIsNotReportedAsComplete(patch: Int) async throws {
        let (bench, service) = (try UploadBench(), TusService())
        service.change { state in
            state.intercept = { request, state in
                if request.method == .patch, state.patches == patch {
                    let handle = try #require(FileHandle(forWritingAtPath: bench.file))
                    try handle.write(contentsOf: Data([0xFF, 0xFF]))
                    try handle.close()
                    let later = Date(timeIntervalSince1970: 2_000_000_000)
                    try FileManager.default.setAttributes([.modificationDate: later], ofItemAtPath: bench.file)
                }
                return nil
            }
        }
        let error = try await failure {
            try await service.files().upload(bench.file, by: .tus, options: bench.options())
        }
        #expect(error.code == .requestBody)
        #expect(error.message.contains("changed while it was being uploaded"))
        // After the last piece, the server has a mixture, and removes it.
        if patch == 3 { #expect(service.uploads.isEmpty) }
    }

    /// Writes a file until there is no room for another byte.
    private func fill(_ disk: TinyDisk) throws {
        let path = "\(disk.path)/full"
        #expect(FileManager.default.createFile(atPath: path, contents: nil))
        let handle = try #require(FileHandle(forWritingAtPath: path))
        #expect(throws: (any Error).self) { while true { try handle.write(contentsOf: Data(count: 4_096)) } }
        try handle.close()
    }

    @Test(.enabled(if: TinyDisk.isPossible))
    func nothingIsSentWithoutRoomForTheRecord() async throws {
        let disk = try TinyDisk(kilobytes: 64)
        let (bench, service) = (try UploadBench(), TusService())
        try fill(disk)
        let options = UploadOptions(chunkSize: 300, records: disk.path)
        let error = try await failure { try await service.files().upload(bench.file, by: .tus, options: options) }
        #expect(error.code == .disk)
        #expect(error.cause is FileProblem)
        #expect(!service.methods.contains("POST"))
    }

    @Test(.enabled(if: TinyDisk.isPossible))
    func recordThatCanNotBeUpdatedDoesNotMakeAWrongObject() async throws {
        let disk = try TinyDisk(kilobytes: 64)
        let (bench, service) = (try UploadBench(), TusService { $0.cuts = [nil, nil, 50] })
        service.change { state in
            state.intercept = { request, _ in
                if request.method == .patch, request.field("Upload-Offset") == "0" { try fill(disk) }
                return nil
            }
        }
        let options = UploadOptions(chunkSize: 300, records: disk.path)
        let broken = service.files { $0.retry = .never }
        let error = try await failure { try await broken.upload(bench.file, by: .tus, options: options) }
        #expect(error.code == .incomplete)
    }

    @Test func secondUploadOfAFileIsRefusedWhileTheFirstRuns() async throws {
        let (bench, service) = (try UploadBench(), TusService())
        let (gate, reached) = (Gate(), Gate())
        let transport = StubTransport(answering: { request in
            if request.method == .patch {
                reached.open()
                try await gate.wait()
            }
            let response = try await service.transport.send(request.request)
            return .response(response.head.status, headers: Headers(response.head.headers))
        })
        let files = Resource("https://tus.test", transport: transport)["files"]
        let first = files.prepareUpload(bench.file, by: .tus, options: bench.options()).start()
        try await reached.wait()
        let error = try await failure {
            try await files.upload(bench.file, by: .tus, options: bench.options())
        }
        #expect(error.code == .fileInUse)
        gate.open()
        _ = try await first.value
        #expect(service.bytes == bench.bytes)
        #expect(service.methods.count { $0 == "POST" } == 1)
    }

    @Test func recordIsPrivateAndChangedOnesAreIgnored() async throws {
        let (bench, service) = (try UploadBench(), TusService { $0.cuts = [nil, 50] })
        let broken = service.files { $0.retry = .never }
        _ = try await failure { try await broken.upload(bench.file, by: .tus, options: bench.options()) }
        let name = try #require(bench.recordNames.first { $0.hasSuffix(".upload") })
        let path = "\(bench.records)/\(name)"
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        let folder = try FileManager.default.attributesOfItem(atPath: bench.records)[.posixPermissions] as? Int
        #expect(folder == 0o700)
        let text = try String(contentsOfFile: path, encoding: .utf8)
        #expect(text.contains("/files/1") || text.contains("\\/files\\/1"))
        try text.replacing("files", with: "filez").write(toFile: path, atomically: false, encoding: .utf8)
        let before = service.transport.requests.count
        let upload = try await service.files().upload(bench.file, by: .tus, options: bench.options())
        #expect(service.methods.dropFirst(before).first == "OPTIONS")
        #expect(upload.sentByteCount == 1_000)
        #expect(service.uploads["2"]?.bytes == bench.bytes)
    }

    @Test func samePathToAnotherResourceIsAnotherUpload() async throws {
        let (bench, service) = (try UploadBench(), TusService { $0.cuts = [nil, 50] })
        let broken = service.files { $0.retry = .never }
        _ = try await failure { try await broken.upload(bench.file, by: .tus, options: bench.options()) }
        let site = Resource("https://tus.test", transport: service.transport)
        let upload = try await site["others"].upload(bench.file, by: .tus, options: bench.options())
        #expect(upload.sentByteCount == 1_000)
        #expect(service.uploads.count == 2)
        #expect(bench.recordNames.count == 2)
    }

    private func failure(_ call: () async throws -> UploadedFile) async throws -> CumulusError {
        try await TestSupport.failure(of: call)
    }
}

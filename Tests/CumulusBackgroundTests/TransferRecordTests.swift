// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import Foundation
import TestSupport
import Testing

@testable import CumulusBackground

@Suite(.timeLimit(.minutes(10))) struct TransferRecordTests {
    private func record(_ bench: TransferBench, _ number: Int = 1) async throws -> TransferRecord {
        let transfer = try await bench.start(FakeTask(number))
        let found = bench.records.all().first { $0.id == transfer.id }
        return try #require(try found?.record.get())
    }

    @Test func recordHasNeitherFieldsNorTheQuery() async throws {
        let bench = try TransferBench()
        let options = BackgroundTransferOptions(allowsCredentialsOnRedirects: true)
        _ = try await bench.start(FakeTask(1), options: options, headers: ["Authorization": "Bearer s3cret"])
        let name = try #require(bench.recordNames.first)
        let text = try String(contentsOfFile: "\(bench.records.folder)/\(name)", encoding: .utf8)
        #expect(!text.contains("s3cret") && text.contains("\"hasCredentials\":true"))
        #expect(text.contains("https://api.example.com/data"))
    }

    @Test("a record is read as it was written, and no change of a byte or missing end goes unnoticed")
    func everyDamageIsNoticed() async throws {
        let record = try await record(TransferBench())
        let bytes = try record.encoded()
        #expect(try TransferRecord(parsing: bytes) == record)
        for index in bytes.indices {
            var changed = bytes
            changed[index] ^= 0x10
            #expect(throws: TransferRecord.Problem.damaged) { try TransferRecord(parsing: changed) }
        }
        for count in 0..<bytes.count {
            #expect(throws: TransferRecord.Problem.damaged) { try TransferRecord(parsing: Array(bytes[..<count])) }
        }
    }

    @Test func recordOfAnotherVersionIsNotUsed() async throws {
        var record = try await record(TransferBench())
        record.version += 1
        let bytes = try record.encoded()
        #expect(throws: TransferRecord.Problem.damaged) { try TransferRecord(parsing: bytes) }
    }

    @Test func recordThatOthersCanReadIsRefused() async throws {
        let bench = try TransferBench()
        let record = try await record(bench)
        let path = "\(bench.records.folder)/\(record.id).transfer"
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
        let found = bench.records.all().map(\.record)
        #expect(found == [.failure(.untrusted)])
        // A copy has another name.
        try bench.records.write(record)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
        let copy = "\(bench.records.folder)/copy.transfer"
        try FileManager.default.copyItem(atPath: path, toPath: copy)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: copy)
        #expect(bench.records.all().first { $0.id == "copy" }?.record == .failure(.damaged))
    }

    @Test func pathsFollowTheHomeDirectory() async throws {
        var record = try await record(TransferBench())
        record.setFile("/home/a/Documents/x.zip", home: "/home/a")
        #expect(record.isInHome && record.file == "Documents/x.zip")
        #expect(try record.transfer(home: "/home/b").file == "/home/b/Documents/x.zip")
        record.setFile("/home/ab/x.zip", home: "/home/a")
        #expect(!record.isInHome && record.file == "/home/ab/x.zip")
        record.setFile("/x.zip", home: "/")
        #expect(!record.isInHome)
    }

    @Test("two processes with one folder see whole records only, and remove their own only")
    func twoProcesses() async throws {
        let first = try TransferBench()
        let second = try TransferBench(after: first)
        let (own, other) = (FakeTask(1), FakeTask(2))
        let transfer = try await first.start(own)
        let remaining = try await second.start(other)
        try await withThrowingTaskGroup { group in
            group.addTask {
                for _ in 0..<50 {
                    for (_, record) in first.records.all() { _ = try record.get() }
                }
            }
            let record = try #require(try second.records.all().first { $0.id == remaining.id }?.record.get())
            group.addTask { for _ in 0..<50 { try second.records.write(record) } }
            try await group.waitForAll()
        }
        first.table.cancel(transfer.id)
        #expect(first.recordNames == ["\(remaining.id).transfer"])
        // Removed by the other process in the meantime.
        first.records.remove(remaining.id)
        second.table.cancel(remaining.id)
        #expect(await second.eventsSoFar() == ["cancelled"] && second.recordNames.isEmpty)
    }

    @Test func sessionsHaveTheirOwnFolders() throws {
        let folder = try TemporaryFolder()
        let first = try TransferRecords(identifier: "a", in: folder.path)
        let second = try TransferRecords(identifier: "A", in: folder.path)
        #expect(first.folder != second.folder)
    }
}

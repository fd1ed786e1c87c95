// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import CumulusBackground

@Suite(.timeLimit(.minutes(10))) struct RelaunchTests {
    @Test func nextProcessFinishesTheDownload() async throws {
        let first = try TransferBench()
        let transfer = try await first.start(FakeTask(7))
        let second = try TransferBench(after: first)
        #expect(second.table.running == [transfer])
        let task = FakeTask(7, transfer.id)
        // Killed before it was resumed.
        second.table.attach([task])
        #expect(task.counts == .init(resumed: 1))
        second.table.arrived(task, try second.write("hello"), .ok())
        #expect(await second.eventsSoFar() == ["downloaded"])
        #expect(try second.folder.bytes("file.bin") == Array("hello".utf8) && second.recordNames.isEmpty)
    }

    @Test func callbacksMayComeBeforeTheListOfTasks() async throws {
        let first = try TransferBench()
        let transfer = try await first.start(FakeTask(7))
        let second = try TransferBench(after: first)
        let task = FakeTask(7, transfer.id)
        second.table.progressed(task, completed: 3, total: 5)
        second.table.arrived(task, try second.write("hello"), .ok())
        second.table.attach([])
        second.table.completed(task, .ok(), nil, at: nil)
        #expect(await second.eventsSoFar() == ["progress 3", "downloaded"])
    }

    @Test func recordWithoutATaskIsIncomplete() async throws {
        let first = try TransferBench()
        let transfer = try await first.start(FakeTask(7))
        let second = try TransferBench(after: first)
        let unrelated = FakeTask(8)
        let other = try await second.start(unrelated)
        second.table.attach([unrelated])
        #expect(await second.eventsSoFar() == ["failed incomplete"])
        #expect(second.table.running == [other] && second.recordNames == ["\(other.id).transfer"])
        // Too late.
        second.table.arrived(FakeTask(7, transfer.id), try second.write("hello"), .ok())
        #expect(await second.eventsSoFar().isEmpty && !second.folder.names.contains("file.bin"))
    }

    @Test func sessionMayUseTheNumberOfALostTaskAgain() async throws {
        let first = try TransferBench()
        let lost = try await first.start(FakeTask(1))
        let second = try TransferBench(after: first)
        second.table.attach([])
        #expect(await second.eventsSoFar() == ["failed incomplete"])
        let task = FakeTask(1)
        let transfer = try await second.start(task)
        // A late callback of the lost task.
        second.table.progressed(FakeTask(1, lost.id), completed: 1, total: 5)
        second.table.progressed(task, completed: 2, total: 5)
        second.table.arrived(task, try second.write("hello"), .ok())
        #expect(transfer.id != lost.id && task.counts == .init(resumed: 1))
        #expect(await second.eventsSoFar() == ["progress 2", "downloaded"])
        #expect(try second.folder.bytes("file.bin") == Array("hello".utf8) && second.table.running.isEmpty)
    }

    @Test func taskWithoutARecordIsCancelledAndReportedOnce() async throws {
        let bench = try TransferBench()
        let task = FakeTask(3, "nothing")
        bench.table.attach([task])
        bench.table.arrived(task, try bench.write("hello"), .ok())
        bench.table.completed(task, .ok(), nil, at: nil)
        #expect(await bench.eventsSoFar() == ["unknown incomplete"] && task.counts == .init(cancelled: 1))
    }

    @Test func taskWithAnotherNumberIsNotTheRecords() async throws {
        let first = try TransferBench()
        let transfer = try await first.start(FakeTask(7))
        let second = try TransferBench(after: first)
        let task = FakeTask(9, transfer.id)
        second.table.attach([task])
        #expect(await second.eventsSoFar() == ["unknown incomplete", "failed incomplete"])
        #expect(task.counts == .init(cancelled: 1))
    }

    @Test func unreadableRecordIsReadAgainAtTheNextCallback() async throws {
        final class DeviceLock: Sendable { let isOn = Mutex(true) }
        let first = try TransferBench()
        let transfer = try await first.start(FakeTask(7))
        let lock = DeviceLock()
        let second = try TransferBench(after: first) { (file: PrivateFile) throws(FileFailure) -> [UInt8]? in
            if lock.isOn.withLock({ $0 }) { throw FileFailure("read", file.path.text, errorNumber: EPERM) }
            return try file.read()
        }
        let task = FakeTask(7, transfer.id)
        second.table.attach([task])
        second.table.progressed(task, completed: 1, total: 5)
        #expect(await second.eventsSoFar().isEmpty && task.counts == .init() && second.table.running.isEmpty)
        lock.isOn.withLock { $0 = false }
        second.table.progressed(task, completed: 2, total: 5)
        #expect(await second.eventsSoFar() == ["progress 2"] && second.table.running == [transfer])
        #expect(second.recordNames == ["\(transfer.id).transfer"] && task.counts == .init())
    }

    @Test func damagedRecordIsRemovedAndItsTaskCancelled() async throws {
        let first = try TransferBench()
        let transfer = try await first.start(FakeTask(7))
        let path = "\(first.records.folder)/\(transfer.id).transfer"
        var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        bytes[bytes.count - 3] ^= 1
        let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
        try handle.write(contentsOf: bytes)
        try handle.close()
        let second = try TransferBench(after: first)
        let task = FakeTask(7, transfer.id)
        second.table.attach([task])
        second.table.arrived(task, try second.write("hello"), .ok())
        #expect(await second.eventsSoFar() == ["unknown incomplete"] && task.counts == .init(cancelled: 1))
        #expect(second.recordNames.isEmpty && !second.folder.names.contains("file.bin"))
    }
}

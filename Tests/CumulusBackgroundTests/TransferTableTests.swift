// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives
import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import CumulusBackground

@Suite(.timeLimit(.minutes(10))) struct TransferTableTests {
    @Test func downloadIsRecordedBeforeItsTaskIsResumed() async throws {
        let bench = try TransferBench()
        let task = FakeTask(1)
        let transfer = try await bench.start(task)
        #expect(bench.recordNames == ["\(transfer.id).transfer"] && task.taskDescription == transfer.id)
        #expect(task.counts == .init(resumed: 1) && bench.table.running == [transfer])
        #expect(transfer.url.description == "https://api.example.com/data" && transfer.file == bench.file)
    }

    @Test func completeDownloadIsMovedAndReportedOnce() async throws {
        let bench = try TransferBench()
        let task = FakeTask(1)
        let transfer = try await bench.start(task)
        bench.table.progressed(task, completed: 2, total: 5)
        bench.table.progressed(task, completed: 5, total: 5)
        let arrived = try bench.write("hello")
        bench.table.arrived(task, arrived, .ok(headers: [.contentLength: "5"]))
        #expect(try bench.folder.bytes("file.bin") == Array("hello".utf8) && bench.recordNames.isEmpty)
        // Late and repeated callbacks.
        bench.table.completed(task, .ok(), nil, at: nil)
        bench.table.completed(task, .ok(), nil, at: nil)
        bench.table.progressed(task, completed: 5, total: 5)
        bench.table.arrived(task, try bench.write("other"), .ok())
        bench.table.cancel(transfer.id)
        #expect(await bench.eventsSoFar() == ["progress 5", "downloaded"])
        #expect(try bench.folder.bytes("file.bin") == Array("hello".utf8) && task.counts == .init(resumed: 1))
        #expect(bench.table.running.isEmpty)
    }

    @Test(arguments: [HTTPResponse.Status.notFound, .found, .internalServerError, .notModified])
    func errorBodyNeverReplacesTheDestination(_ status: HTTPResponse.Status) async throws {
        let bench = try TransferBench()
        _ = try bench.folder.write("old", to: "file.bin")
        let task = FakeTask(1)
        _ = try await bench.start(task, options: .init(existing: .replace))
        bench.table.arrived(task, try bench.write("no such page"), .ok(status))
        guard case .failed(_, let error as CumulusError)? = await bench.table.events.next() else {
            Issue.record("the download didn't fail")
            return
        }
        #expect(error.code == (status == .notModified ? .notModified : .status) && error.statusCode == status.code)
        #expect(error.response?.text == "no such page")
        #expect(try bench.folder.bytes("file.bin") == Array("old".utf8) && bench.recordNames.isEmpty)
    }

    @Test func cancelledTransferEndsOnce() async throws {
        let bench = try TransferBench()
        let task = FakeTask(1)
        let transfer = try await bench.start(task)
        bench.table.cancel(transfer.id)
        bench.table.cancel(transfer.id)
        let cancelled = NSError(domain: NSURLErrorDomain, code: NSURLErrorCancelled)
        bench.table.completed(task, nil, cancelled, at: nil)
        #expect(await bench.eventsSoFar() == ["cancelled"])
        #expect(task.counts == .init(resumed: 1, cancelled: 1) && bench.recordNames.isEmpty)
    }

    @Test func failedTransferReportsARedirectToAnotherOrigin() async throws {
        let bench = try TransferBench()
        let task = FakeTask(1)
        let options = BackgroundTransferOptions(allowsCredentialsOnRedirects: true)
        _ = try await bench.start(task, options: options, headers: ["Authorization": "Bearer s3cret"])
        let failure = NSError(domain: NSURLErrorDomain, code: NSURLErrorTimedOut)
        bench.table.completed(task, nil, failure, at: URL(string: "https://other.example.com/data"))
        #expect(await bench.eventsSoFar() == ["failed redirectRefused"])
    }

    @Test func transferThatTheSystemCancelsIsIncomplete() async throws {
        let bench = try TransferBench()
        let task = FakeTask(1)
        _ = try await bench.start(task)
        bench.table.completed(task, nil, NSError(domain: NSURLErrorDomain, code: NSURLErrorCancelled), at: nil)
        #expect(await bench.eventsSoFar() == ["failed incomplete"])
    }

    @Test func uploadReportsTheResponse() async throws {
        let bench = try TransferBench()
        let task = FakeTask(1)
        let transfer = try await bench.start(task, isUpload: true)
        bench.table.received(task, Data("sa".utf8))
        bench.table.received(task, Data("ved".utf8))
        bench.table.completed(task, .ok(.created, headers: [.contentType: "text/plain"]), nil, at: nil)
        #expect(await bench.eventsSoFar() == ["uploaded saved"])
        #expect(transfer.kind == .upload && transfer.file == "\(bench.folder.path)/source.bin")
    }

    @Test func longResponseToAnUploadIsAnError() async throws {
        let bench = try TransferBench()
        let task = FakeTask(1)
        _ = try await bench.start(task, isUpload: true)
        for _ in 0..<3 { bench.table.received(task, Data(count: 500_000)) }
        bench.table.completed(task, .ok(), nil, at: nil)
        #expect(await bench.eventsSoFar() == ["failed bodyTooLarge"])
    }

    @Test func unwritableRecordFailsTheStart() async throws {
        let bench = try TransferBench()
        try FileManager.default.removeItem(atPath: bench.records.folder)
        _ = try bench.folder.write("a file", to: "records/\(FilePath(bench.records.folder).name)")
        let task = FakeTask(1)
        let error = await #expect(throws: CumulusError.self) { try await bench.start(task) }
        #expect(error?.code == .disk && task.counts == .init(cancelled: 1))
        #expect(await bench.eventsSoFar().isEmpty && bench.table.running.isEmpty)
    }
}

// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTesting
import CumulusUploads
import Foundation
import HTTPTypes
import Synchronization
import TestSupport
import Testing

@Suite struct S3UploadTests {
    private static let part = 5 << 20

    /// A file of two whole parts and a short one.
    private func bench() throws -> UploadBench { try UploadBench(2 * S3UploadTests.part + 1_000) }

    private func options(_ bench: UploadBench) -> UploadOptions { bench.options(chunkSize: 1) }

    /// An upload whose second part is refused for a reason that may pass.
    private func interrupt(_ bench: UploadBench, _ store: ObjectStore) async throws {
        store.change { state in
            state.intercept = { request, _ in
                if request.queryValue("partNumber") == "2" { throw TransportFailure(.connectionClosed, "lost") }
                return nil
            }
        }
        let error = try await failure {
            let object = store.object { $0.retry = .never }
            return try await object.upload(bench.file, by: .s3(concurrency: 1), options: options(bench))
        }
        #expect(error.code == .connectionClosed)
        store.change { $0.intercept = nil }
    }

    @Test(arguments: [0, 1, 5 << 20])
    func smallFileIsOneRequest(count: Int) async throws {
        let (bench, store) = (try UploadBench(count), ObjectStore())
        let upload = try await store.object().upload(bench.file, by: .s3, options: options(bench))
        #expect(store.bytes == bench.bytes)
        #expect(store.transport.requests.count == 1)
        #expect(store.transport.lastRequest?.field("Content-Type") == "video/quicktime")
        #expect(upload.url.description == "https://store.test/bucket/film.mov")
        #expect((upload.byteCount, upload.sentByteCount) == (Int64(count), Int64(count)))
        #expect(bench.recordNames.isEmpty)
    }

    @Test func largeFileIsSentInParts() async throws {
        let (bench, store) = (try bench(), ObjectStore())
        let upload = try await store.object().upload(bench.file, by: .s3, options: options(bench))
        #expect(store.bytes == bench.bytes)
        #expect(store.partRequests == 3)
        #expect(store.transport.requests.first?.query == "uploads")
        #expect(upload.sentByteCount == upload.byteCount)
        #expect(store.unfinished.isEmpty && bench.recordNames.isEmpty)
    }

    @Test func interruptedPartIsRepeated() async throws {
        let (bench, store) = (try bench(), ObjectStore())
        let cuts = Mutex(2)
        store.change { state in
            state.intercept = { request, _ in
                guard request.queryValue("partNumber") == "2" else { return nil }
                let isCut = cuts.withLock { left in
                    left -= 1
                    return left >= 0
                }
                if isCut { throw TransportFailure(.connectionClosed, "lost") }
                return nil
            }
        }
        _ = try await store.object().upload(bench.file, by: .s3, options: options(bench))
        #expect(store.bytes == bench.bytes)
        #expect(store.partRequests == 5)
    }

    @Test(arguments: [true, false])
    func nextRunSendsTheMissingParts(reportsChecksums: Bool) async throws {
        let bench = try bench()
        let store = ObjectStore {
            $0.page = 1
            $0.reportsChecksums = reportsChecksums
        }
        try await interrupt(bench, store)
        #expect(store.unfinished.first?.value.keys.sorted() == [1])
        store.change { $0.uploads["id/1+="]?[3] = Array(bench.bytes.suffix(1_000)) }
        let before = store.partRequests
        let upload = try await store.object().upload(bench.file, by: .s3, options: options(bench))
        #expect(store.bytes == bench.bytes)
        #expect(store.partRequests == before + 1)
        #expect(upload.resumedByteCount == Int64(S3UploadTests.part + 1_000))
        #expect(bench.recordNames.isEmpty)
    }

    @Test(arguments: [true, false])
    func partWithOtherBytesIsSentAgain(reportsChecksums: Bool) async throws {
        let bench = try bench()
        let store = ObjectStore { $0.reportsChecksums = reportsChecksums }
        try await interrupt(bench, store)
        store.change { $0.uploads["id/1+="]?[1]?[17] ^= 1 }
        _ = try await store.object().upload(bench.file, by: .s3, options: options(bench))
        #expect(store.bytes == bench.bytes)
    }

    @Test func changedFileStartsOverAndRemovesTheParts() async throws {
        let (bench, store) = (try bench(), ObjectStore())
        try await interrupt(bench, store)
        let handle = try #require(FileHandle(forWritingAtPath: bench.file))
        try handle.truncate(atOffset: UInt64(bench.bytes.count - 1))
        try handle.close()
        let upload = try await store.object().upload(bench.file, by: .s3, options: options(bench))
        #expect(store.bytes == bench.bytes.dropLast())
        #expect(upload.restartReason?.hasPrefix("the file has changed") == true)
        #expect(store.unfinished.isEmpty)
    }

    @Test func uploadThatTheStoreLostStartsOver() async throws {
        let (bench, store) = (try bench(), ObjectStore())
        try await interrupt(bench, store)
        store.change { $0.uploads = [:] }
        let upload = try await store.object().upload(bench.file, by: .s3, options: options(bench))
        #expect(store.bytes == bench.bytes)
        #expect(upload.restartReason == "the store no longer has the upload")
    }

    @Test func refusedUploadRemovesItsParts() async throws {
        let (bench, store) = (try bench(), ObjectStore())
        store.change { state in
            state.intercept = { request, _ in
                request.queryValue("partNumber") == "3" ? .response(.badRequest) : nil
            }
        }
        let error = try await failure {
            try await store.object().upload(bench.file, by: .s3, options: options(bench))
        }
        #expect(error.statusCode == 400)
        #expect(store.unfinished.isEmpty && store.bytes == nil && bench.recordNames.isEmpty)
    }

    @Test func abandonedUploadRemovesItsParts() async throws {
        let (bench, store) = (try bench(), ObjectStore())
        try await interrupt(bench, store)
        #expect(try await store.object().abandonUpload(of: bench.file, by: .s3, options: options(bench)))
        #expect(store.unfinished.isEmpty && bench.recordNames.isEmpty)
    }

    /// Loses the response of the first completion.
    private func loseCompletion(at store: ObjectStore, isMade: Bool) {
        let isFirst = Mutex(true)
        store.change { state in
            state.intercept = { request, state in
                guard request.method == .post, let id = request.queryValue("uploadId"),
                    isFirst.withLock({ first in
                        defer { first = false }
                        return first
                    })
                else { return nil }
                if isMade {
                    let parts = state.uploads.removeValue(forKey: id) ?? [:]
                    state.objects[request.path] = parts.sorted { $0.key < $1.key }.flatMap(\.value)
                    state.tags[request.path] = ObjectStore.tag(of: parts)
                }
                throw TransportFailure(.connectionClosed, "lost")
            }
        }
    }

    @Test("An object that is still being made is waited for, up to 1.75 s in a run", arguments: [2, 6])
    func objectThatIsStillMade(lastHead: Int) async throws {
        let (bench, store) = (try bench(), ObjectStore())
        let heads = Mutex(0)
        let taken = Mutex<[Int: [UInt8]]>([:])
        store.change { state in
            state.intercept = { request, state in
                if request.method == .post, let id = request.queryValue("uploadId") {
                    taken.withLock { $0 = state.uploads.removeValue(forKey: id) ?? [:] }
                    throw TransportFailure(.connectionClosed, "lost")
                }
                // Each run checks four times.
                if request.method == .head,
                    heads.withLock({
                        $0 += 1; return $0
                    }) == lastHead
                {
                    let parts = taken.withLock(\.self)
                    state.objects[request.path] = parts.sorted { $0.key < $1.key }.flatMap(\.value)
                    state.tags[request.path] = ObjectStore.tag(of: parts)
                }
                return nil
            }
        }
        guard lastHead > 4 else {
            _ = try await store.object().upload(bench.file, by: .s3, options: options(bench))
            #expect(store.bytes == bench.bytes && bench.recordNames.isEmpty)
            return
        }
        let error = try await failure {
            try await store.object().upload(bench.file, by: .s3, options: options(bench))
        }
        #expect(error.code == .remoteChanged)
        let before = store.partRequests
        let upload = try await store.object().upload(bench.file, by: .s3, options: options(bench))
        #expect(upload.resumedByteCount == Int64(bench.bytes.count) && store.partRequests == before)
        #expect(store.bytes == bench.bytes && bench.recordNames.isEmpty)
    }

    @Test(arguments: [true, false])
    func lostResponseOfTheCompletionIsNotTakenForAFailure(isMade: Bool) async throws {
        let (bench, store) = (try bench(), ObjectStore())
        loseCompletion(at: store, isMade: isMade)
        _ = try await store.object().upload(bench.file, by: .s3, options: options(bench))
        #expect(store.bytes == bench.bytes)
        #expect(bench.recordNames.isEmpty)
    }

    @Test(arguments: [true, false])
    func nextRunAfterALostCompletionListsThePartsOnce(isMade: Bool) async throws {
        let (bench, store) = (try bench(), ObjectStore())
        loseCompletion(at: store, isMade: isMade)
        let error = try await failure {
            let object = store.object { $0.retry = .never }
            return try await object.upload(bench.file, by: .s3, options: options(bench))
        }
        #expect(error.code == .connectionClosed)
        let (parts, lists) = (store.partRequests, store.transport.requests.count { $0.method == .get })
        let upload = try await store.object().upload(bench.file, by: .s3, options: options(bench))
        #expect(upload.resumedByteCount == upload.byteCount)
        #expect(store.partRequests == parts)
        #expect(store.transport.requests.count { $0.method == .get } == lists + 1)
        #expect(store.bytes == bench.bytes && bench.recordNames.isEmpty)
    }

    @Test func objectOfOtherBytesIsNotReportedAsComplete() async throws {
        let (bench, store) = (try bench(), ObjectStore())
        store.change { state in
            state.intercept = { request, state in
                guard request.method == .post, request.queryValue("uploadId") != nil else { return nil }
                state.uploads = [:]
                state.objects[request.path] = [UInt8](repeating: 7, count: bench.bytes.count)
                state.tags[request.path] = "\"00000000000000000000000000000000-3\""
                throw TransportFailure(.connectionClosed, "lost")
            }
        }
        let error = try await failure {
            try await store.object().upload(bench.file, by: .s3, options: options(bench))
        }
        #expect(error.code == .remoteChanged)
    }

    @Test func errorWithStatus200IsAnError() async throws {
        let (bench, store) = (try bench(), ObjectStore())
        store.change { state in
            state.intercept = { request, _ in
                guard request.method == .post, request.queryValue("uploadId") != nil else { return nil }
                return .response(body: Array("<Error><Code>InternalError</Code></Error>".utf8))
            }
        }
        let error = try await failure {
            try await store.object().upload(bench.file, by: .s3, options: options(bench))
        }
        #expect(error.message.contains("InternalError"))
        #expect(store.bytes == nil)
        // The parts remain for another attempt.
        #expect(store.unfinished.count == 1 && bench.recordNames.count == 2)
    }

    @Test func fileThatChangesMeanwhileIsNotCompleted() async throws {
        let (bench, store) = (try bench(), ObjectStore())
        store.change { state in
            state.intercept = { request, _ in
                if request.queryValue("partNumber") == "3" {
                    let later = Date(timeIntervalSince1970: 2_000_000_000)
                    try FileManager.default.setAttributes([.modificationDate: later], ofItemAtPath: bench.file)
                }
                return nil
            }
        }
        let error = try await failure {
            try await store.object().upload(bench.file, by: .s3, options: options(bench))
        }
        #expect(error.code == .requestBody)
        #expect(store.bytes == nil && store.unfinished.isEmpty && bench.recordNames.isEmpty)
    }

    private func failure(_ call: () async throws -> UploadedFile) async throws -> CumulusError {
        try await TestSupport.failure(of: call)
    }
}

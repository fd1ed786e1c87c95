// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTesting
import CumulusUploads
import Foundation
import HTTPTypes
import Synchronization
import TestSupport
import Testing

/// Responses of a store, and states of the file, that must neither complete an upload nor remove its parts.
@Suite struct S3RefusalTests {
    private func bench() throws -> UploadBench { try UploadBench(2 * (5 << 20) + 1_000) }

    private func upload(
        _ bench: UploadBench,
        to store: ObjectStore,
        _ concurrency: Int = 1,
        _ edit: (inout Resource.Settings) -> Void = { _ in }
    ) async throws -> UploadedFile {
        try await store.object(edit).upload(
            bench.file,
            by: .s3(concurrency: concurrency),
            options: bench.options(chunkSize: 1)
        )
    }

    /// Whether a request completes a multipart upload.
    private static func completes(_ request: StubRequest) -> Bool {
        request.method == .post && request.queryValue("uploadId") != nil
    }

    // MARK: Success

    @Test(arguments: [
        "<html><body>Welcome</body></html>", "<Other/>", "Welcome", "", "<CompleteMultipartUploadResult>",
    ])
    func successWithoutAResultIsAnError(body: String) async throws {
        let (bench, store) = (try bench(), ObjectStore())
        store.change { state in
            state.intercept = { request, _ in
                S3RefusalTests.completes(request) ? .response(body: Array(body.utf8)) : nil
            }
        }
        let error = try await failure(of: { try await upload(bench, to: store) })
        #expect(error.code == .malformedResponse)
        #expect(store.unfinished.count == 1 && bench.recordNames.count == 2)
        store.change { $0.intercept = nil }
        #expect(try await upload(bench, to: store).sentByteCount == 0)
        #expect(store.bytes == bench.bytes)
    }

    @Test(arguments: [10, 2 * (5 << 20) + 1_000])
    func statusThatTheTreeAcceptsDoesNotCompleteAnUpload(count: Int) async throws {
        let (bench, store) = (try UploadBench(count), ObjectStore())
        store.change { state in
            state.intercept = { request, _ in
                request.method == .put ? .response(.internalServerError, headers: ["ETag": "\"1\""]) : nil
            }
        }
        let error = try await failure(of: {
            try await upload(bench, to: store) { $0.acceptableStatuses = .range(200...599) }
        })
        #expect(error.statusCode == 500)
        #expect(store.bytes == nil)
    }

    @Test func responseWithoutAnETagDoesNotCompleteASmallUpload() async throws {
        let (bench, store) = (try UploadBench(10), ObjectStore())
        store.change { state in
            state.intercept = { request, _ in request.method == .put ? .response(body: Array("Welcome".utf8)) : nil }
        }
        let error = try await failure(of: { try await upload(bench, to: store) })
        #expect(error.code == .malformedResponse)
    }

    // MARK: Parts that stay

    @Test(
        arguments: [
            "RequestTimeout", "ExpiredToken", "InvalidToken", "TokenRefreshRequired", "OperationAborted",
            "RequestTimeTooSkewed", "SlowDown",
        ]
    )
    func refusalOfTheMomentKeepsTheParts(code: String) async throws {
        try await expectKeptParts(after: 400, body: "<Error><Code>\(code)</Code></Error>")
    }

    @Test(arguments: [401, 403, 408, 409, 423, 425, 429])
    func statusOfTheMomentKeepsTheParts(status: Int) async throws { try await expectKeptParts(after: status) }

    private func expectKeptParts(after status: Int, body: String = "") async throws {
        let (bench, store) = (try bench(), ObjectStore())
        store.change { state in
            state.intercept = { request, _ in
                guard request.queryValue("partNumber") == "3" else { return nil }
                return .response(HTTPResponse.Status(code: status), body: Array(body.utf8))
            }
        }
        let error = try await failure(of: { try await upload(bench, to: store) { $0.retry = .never } })
        #expect(error.statusCode == status)
        #expect(store.unfinished.first?.value.count == 2 && bench.recordNames.count == 2)
    }

    @Test func fileThatCanNotBeReadKeepsTheParts() async throws {
        let (bench, store) = (try bench(), ObjectStore())
        let other = "\(bench.folder.path)/moved"
        store.change { state in
            state.intercept = { request, _ in
                if request.queryValue("partNumber") == "2" {
                    try FileManager.default.moveItem(atPath: bench.file, toPath: other)
                }
                return nil
            }
        }
        let error = try await failure(of: { try await upload(bench, to: store) })
        #expect(error.code == .requestBody)
        #expect(error.message.contains("can't be read"))
        #expect(store.unfinished.count == 1 && bench.recordNames.count == 2)
        store.change { $0.intercept = nil }
        try FileManager.default.moveItem(atPath: other, toPath: bench.file)
        #expect(try await upload(bench, to: store).resumedByteCount == 2 * (5 << 20))
        #expect(store.bytes == bench.bytes)
    }

    // MARK: Lists and ends

    @Test(arguments: [["1", "2"], ["5", "5"], ["2", "1"], ["-1"], ["99999999999999999999"], ["10001"]])
    func listThatDoesNotEndIsAnError(markers: [String]) async throws {
        let (bench, store) = (try bench(), ObjectStore())
        store.change { state in
            state.intercept = { request, _ in
                if request.queryValue("partNumber") == "2" { throw TransportFailure(.connectionClosed, "lost") }
                return nil
            }
        }
        _ = try await failure(of: { try await upload(bench, to: store) { $0.retry = .never } })
        let lists = Mutex(0)
        store.change { state in
            state.intercept = { request, _ in
                guard request.method == .get else { return nil }
                let number = lists.withLock { lists in
                    lists += 1
                    return lists - 1
                }
                let marker = "<NextPartNumberMarker>\(markers[number % markers.count])</NextPartNumberMarker>"
                let list = "<ListPartsResult><IsTruncated>true</IsTruncated>\(marker)</ListPartsResult>"
                return .response(body: Array(list.utf8))
            }
        }
        let error = try await failure(of: { try await upload(bench, to: store) })
        #expect(error.code == .malformedResponse)
        #expect(lists.withLock { $0 } <= 3)
        #expect(store.unfinished.count == 1)
    }

    @Test func completionWithoutAResponseIsFoundByTheNextRun() async throws {
        let (bench, store) = (try bench(), ObjectStore())
        store.change { state in
            state.intercept = { request, state in
                guard S3RefusalTests.completes(request), let id = request.queryValue("uploadId") else { return nil }
                let parts = state.uploads.removeValue(forKey: id) ?? [:]
                state.objects[request.path] = parts.sorted { $0.key < $1.key }.flatMap(\.value)
                state.tags[request.path] = ObjectStore.tag(of: parts)
                throw TransportFailure(.connectionClosed, "lost")
            }
        }
        _ = try await failure(of: { try await upload(bench, to: store) { $0.retry = .never } })
        let before = store.partRequests
        let file = try await upload(bench, to: store)
        #expect((file.resumedByteCount, file.sentByteCount) == (Int64(bench.bytes.count), 0))
        #expect(store.partRequests == before && bench.recordNames.isEmpty)
    }

    @Test func partsAreSentAtOnceWithoutALimit() async throws {
        let (bench, store) = (try bench(), ObjectStore())
        _ = try await upload(bench, to: store, .max)
        #expect(store.bytes == bench.bytes)
    }
}

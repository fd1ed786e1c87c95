// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTesting
import CumulusUploads
import HTTPTypes
import TestSupport
import Testing

@Suite struct TusStreamTests {
    /// Bytes in chunks of another size than that of the pieces.
    private func stream(_ bytes: [UInt8], by size: Int = 70) -> AsyncStream<[UInt8]> {
        AsyncStream { feed in
            for start in stride(from: 0, to: bytes.count, by: size) {
                feed.yield(Array(bytes[start..<min(start + size, bytes.count)]))
            }
            feed.finish()
        }
    }

    private func bytes(_ count: Int) -> [UInt8] { (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) } }

    @Test(arguments: [0, 1, 299, 300, 301, 600, 1_000])
    func lengthIsSentWithTheLastPiece(count: Int) async throws {
        let service = TusService()
        let upload = try await service.files().upload(
            stream(bytes(count)),
            by: .tus,
            options: UploadOptions(chunkSize: 300)
        )
        #expect(service.bytes == bytes(count))
        #expect(service.uploads["1"]?.length == count)
        #expect(upload.byteCount == Int64(count))
        #expect(service.transport.requests[1].field("Upload-Defer-Length") == "1")
        #expect(service.transport.requests[1].field("Upload-Length") == nil)
        let lengths = service.transport.requests.dropFirst(2).map { $0.field("Upload-Length") }
        #expect(lengths.last == "\(count)" && lengths.dropLast().allSatisfy { $0 == nil })
    }

    @Test func interruptedStreamContinues() async throws {
        let service = TusService { $0.cuts = [nil, 100, 20] }
        let upload = try await service.files().upload(
            stream(bytes(1_000)),
            by: .tus,
            options: UploadOptions(chunkSize: 300)
        )
        #expect(service.bytes == bytes(1_000))
        #expect(upload.byteCount == 1_000)
    }

    @Test(arguments: [0, 50, 100])
    func lengthIsSentAgainUnlessTheServerHasIt(cut: Int) async throws {
        let service = TusService { $0.cuts = [cut] }
        // The server doesn't note the length of a request that broke off.
        service.change { state in
            state.intercept = { request, state in
                if request.method == .head { state.uploads["1"]?.length = nil }
                return nil
            }
        }
        try await service.files().upload(stream(bytes(100)), by: .tus, options: UploadOptions(chunkSize: 300))
        #expect(service.bytes == bytes(100))
        #expect(service.uploads["1"]?.length == 100)
    }

    @Test func serverThatNeedsTheLengthIsNotUsed() async throws {
        let service = TusService { $0.extensions = "creation" }
        let error = try await failure(of: { try await service.files().upload(stream(bytes(10)), by: .tus) })
        #expect(error.code == .unsupported)
        #expect(service.methods == ["OPTIONS"])
    }

    @Test func acknowledgedBytesThatTheServerLosesAreAnError() async throws {
        let service = TusService { $0.cuts = [nil, nil, 100] }
        service.change { state in
            state.intercept = { request, state in
                if request.method == .head { state.uploads["1"]?.bytes.removeLast(500) }
                return nil
            }
        }
        let error = try await failure(of: {
            try await service.files().upload(stream(bytes(1_000)), by: .tus, options: UploadOptions(chunkSize: 300))
        })
        #expect(error.code == .remoteChanged)
    }

    @Test func refusedPathIsTheErrorOfTheCall() async throws {
        let service = TusService()
        let climbing = service.files()["\("..")"]
        let error = try await failure(of: { try await climbing.upload(stream(bytes(10)), by: .tus) })
        #expect(error.code == .invalidPath)
        #expect(service.methods.isEmpty)
    }
}

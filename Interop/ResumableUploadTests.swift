// SPDX-License-Identifier: Apache-2.0

import CumulusAWS
import CumulusCore
import CumulusUploads
import Foundation
import HTTPTypes
import Synchronization
import Testing

/// Uploads to third-party servers that are interrupted and continued, byte for byte.
@Suite(
    .serialized,
    .enabled(if: InteropServers.tussi != nil && InteropServers.store != nil, "\(InteropServers.reason)")
)
struct ResumableUploadTests {
    enum Server: String, CaseIterable, Sendable {
        case tuspyserver
        case tussi

        var url: String? { self == .tussi ? InteropServers.tussi : InteropServers.tuspyserver }

        /// The bytes of a complete upload.
        func bytes(of upload: UploadedFile) throws -> Data {
            let folder = URL(filePath: try #require(InteropServers.uploads)).appending(path: rawValue)
            let name = try #require(upload.url.path.split(separator: "/").last.map(String.init))
            let complete = folder.appending(path: "completed").appending(path: name)
            let isMoved = FileManager.default.fileExists(atPath: complete.path(percentEncoded: false))
            return try Data(contentsOf: isMoved ? complete : folder.appending(path: name))
        }
    }

    private func withFile(_ body: (String, Data, UploadOptions) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "cumulus-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let bytes = Data((0..<20_000_003).map { UInt8(truncatingIfNeeded: $0 &* 167 &+ $0 >> 9) })
        let file = folder.appending(path: "film.mov")
        try bytes.write(to: file)
        let records = folder.appending(path: "records").path(percentEncoded: false)
        try await body(file.path(percentEncoded: false), bytes, UploadOptions(chunkSize: 1 << 20, records: records))
    }

    /// Starts an upload and cancels it once the server has some of its bytes.
    private func interrupt(_ call: Call<UploadedFile>) async throws {
        let running = call.start()
        for await event in running.progress where event.completed > 3 << 20 { running.cancel() }
        await #expect(throws: CancellationError.self) { _ = try await running.value }
    }

    @Test(arguments: Server.allCases, InteropTransport.allCases)
    func interruptedUploadIsContinued(server: Server, transport: InteropTransport) async throws {
        try await withFile { file, bytes, options in
            let files = try transport.resource(server.url).with { $0.trailingSlash = .kept }
            try await interrupt(files.prepareUpload(file, by: .tus, options: options))
            let upload = try await files.upload(file, by: .tus, options: options)
            #expect(upload.resumedByteCount >= 3 << 20)
            #expect(upload.resumedByteCount + upload.sentByteCount == Int64(bytes.count))
            #expect(try server.bytes(of: upload) == bytes)
        }
    }

    @Test(arguments: InteropTransport.allCases)
    func interruptedObjectIsContinued(transport: InteropTransport) async throws {
        let store = try transport.resource(InteropServers.store)
        let keys = AWSCredentialSource.keys(
            id: InteropServers.storeKey ?? "",
            secret: Secret(InteropServers.storeSecret ?? "")
        )
        store.setRules { $0.authorizers = [.aws(keys, region: "us-east-1", service: "s3")] }
        let bucket = store["uploads-\(UUID().uuidString.lowercased())"]
        try await bucket.put().requireSuccess()
        try await withFile { file, bytes, options in
            let object = bucket["film.mov"]
            try await interrupt(object.prepareUpload(file, by: .s3(concurrency: 1), options: options))
            let upload = try await object.upload(file, by: .s3, options: options)
            #expect(upload.resumedByteCount >= 5 << 20)
            #expect(try await object.get().requireSuccess().bytes.data == bytes)
        }
    }

    @Test func abandonedUploadIsRemoved() async throws {
        try await withFile { file, _, options in
            let files = try InteropTransport.nio.resource(InteropServers.tuspyserver).with { $0.trailingSlash = .kept }
            try await interrupt(files.prepareUpload(file, by: .tus, options: options))
            #expect(try await files.abandonUpload(of: file, by: .tus, options: options))
            #expect(try await !files.abandonUpload(of: file, by: .tus, options: options))
        }
    }

    @Test func streamIsSentWithItsLengthAtTheEnd() async throws {
        let (chunks, feed) = AsyncStream.makeStream(of: [UInt8].self)
        for number in 0..<50 { feed.yield([UInt8](repeating: UInt8(number), count: 70_001)) }
        feed.finish()
        let files = try InteropTransport.nio.resource(InteropServers.tuspyserver).with { $0.trailingSlash = .kept }
        // Without a type, tuspyserver refuses to continue.
        let tus = UploadProtocol.tus(metadata: ["filename": "stream", "filetype": "application/octet-stream"])
        let upload = try await files.upload(chunks, by: tus, options: UploadOptions(chunkSize: 1 << 20))
        #expect(try Server.tuspyserver.bytes(of: upload).count == 50 * 70_001)
    }
}

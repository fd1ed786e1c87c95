// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives
import CumulusTesting
import CumulusUploads
import Foundation
import HTTPTypes
import TestSupport
import Testing

@Suite struct TusUploadTests {
    @Test func fileIsSentInPieces() async throws {
        let (bench, service) = (try UploadBench(), TusService())
        let upload = try await service.files().upload(bench.file, by: .tus, options: bench.options())
        #expect(service.bytes == bench.bytes)
        #expect(service.methods == ["OPTIONS", "POST", "PATCH", "PATCH", "PATCH", "PATCH"])
        let offsets = service.transport.requests.dropFirst(2).map { $0.field("Upload-Offset") }
        #expect(offsets == ["0", "300", "600", "900"])
        #expect(service.transport.requests.allSatisfy { $0.method == .options || $0.field("Tus-Resumable") == "1.0.0" })
        #expect(service.transport.requests[2].field("Content-Type") == "application/offset+octet-stream")
        #expect(upload.url.description == "https://tus.test/files/1")
        #expect((upload.byteCount, upload.sentByteCount, upload.resumedByteCount) == (1_000, 1_000, 0))
        #expect(upload.restartReason == nil)
        #expect(bench.recordNames.isEmpty)
    }

    @Test func metadataNamesFileAndMediaType() async throws {
        let (bench, service) = (try UploadBench(10), TusService())
        let tus = UploadProtocol.tus(metadata: ["title": "Ünï", "flag": ""])
        try await service.files().upload(bench.file, by: tus, options: bench.options())
        let title = Data("Ünï".utf8).base64EncodedString()
        let type = Data("video/quicktime".utf8).base64EncodedString()
        #expect(
            service.uploads["1"]?.metadata == "filename ZmlsbS5tb3Y=,filetype \(type),flag,title \(title)"
        )
    }

    @Test(arguments: ["a b", "a,b", "", "é", "a\nb"])
    func metadataNameThatCannotBeSentIsRefused(name: String) async throws {
        let (bench, service) = (try UploadBench(10), TusService())
        let error = try await failure {
            try await service.files().upload(bench.file, by: .tus(metadata: [name: "x"]), options: bench.options())
        }
        #expect(error.code == .invalidRequest)
        #expect(!service.methods.contains("POST"))
        #expect(bench.recordNames.isEmpty)
    }

    @Test func emptyFileNeedsNoPiece() async throws {
        let (bench, service) = (try UploadBench(0), TusService())
        let upload = try await service.files().upload(bench.file, by: .tus, options: bench.options())
        #expect(service.methods == ["OPTIONS", "POST"])
        #expect((service.bytes, upload.byteCount) == ([], 0))
    }

    @Test func smallFileIsSentWithTheCreation() async throws {
        let bench = try UploadBench(200)
        let service = TusService { $0.extensions += ",creation-with-upload" }
        let upload = try await service.files().upload(bench.file, by: .tus, options: bench.options())
        #expect(service.methods == ["OPTIONS", "POST"])
        #expect(service.bytes == bench.bytes)
        #expect(upload.sentByteCount == 200)
    }

    @Test func serverWithoutOptionsIsUsedWithItsCore() async throws {
        let (bench, service) = (try UploadBench(), TusService())
        service.change { state in
            state.intercept = { request, _ in request.method == .options ? .response(.methodNotAllowed) : nil }
        }
        try await service.files().upload(bench.file, by: .tus, options: bench.options())
        #expect(service.bytes == bench.bytes)
    }

    @Test func otherVersionOfTusIsRefused() async throws {
        let (bench, service) = (try UploadBench(), TusService())
        service.change { state in
            state.intercept = { request, _ in
                request.method == .options ? .response(.noContent, headers: ["Tus-Version": "0.2.2"]) : nil
            }
        }
        let error = try await failure {
            try await service.files().upload(bench.file, by: .tus, options: bench.options())
        }
        #expect(error.code == .unsupported)
        #expect(service.methods == ["OPTIONS"])
    }

    @Test func fileThatIsTooLargeIsRefusedBeforeItIsCreated() async throws {
        let (bench, service) = (try UploadBench(), TusService { $0.maxSize = 999 })
        let error = try await failure {
            try await service.files().upload(bench.file, by: .tus, options: bench.options())
        }
        #expect(error.code == .refused)
        #expect(error.message.contains("1000 bytes") && error.message.contains("999"))
        #expect(service.methods == ["OPTIONS"])
    }

    @Test(arguments: [("sha1", "sha1"), ("md5,sha1,sha256", "sha256"), ("crc32", nil)])
    func piecesHaveTheStrongestKnownChecksum(announced: String, used: String?) async throws {
        let (bench, service) = (try UploadBench(), TusService { $0.checksums = announced })
        try await service.files().upload(bench.file, by: .tus, options: bench.options())
        let sent = service.transport.requests.filter { $0.method == .patch }.map { $0.field("Upload-Checksum") }
        #expect(sent.count == 4)
        #expect(sent.allSatisfy { $0?.split(separator: " ").first.map(String.init) == used })
        #expect(service.bytes == bench.bytes)
    }

    @Test func expirationIsReported() async throws {
        let (bench, service) = (try UploadBench(0), TusService())
        let upload = try await service.files().upload(bench.file, by: .tus, options: bench.options())
        #expect(upload.expires == Date(timeIntervalSince1970: 2_014_879_777))
    }

    @Test func headersOfTheCallAreSentWithEveryRequest() async throws {
        let (bench, service) = (try UploadBench(), TusService())
        var call = service.files().prepareUpload(bench.file, by: .tus, options: bench.options())
        call.headers["X-Tenant"] = "7"
        call.query["folder"] = "a"
        _ = try await call.send()
        #expect(service.transport.requests.allSatisfy { $0.field("X-Tenant") == "7" })
        #expect(service.transport.requests.map(\.query) == ["folder=a", "folder=a", nil, nil, nil, nil])
    }

    @Test func missingFileIsAnErrorBeforeTheFirstRequest() async throws {
        let (bench, service) = (try UploadBench(), TusService())
        let error = try await failure {
            try await service.files().upload(bench.file + "x", by: .tus, options: bench.options())
        }
        #expect(error.code == .requestBody)
        #expect(service.methods.isEmpty && bench.recordNames.isEmpty)
        let folder = try await failure {
            try await service.files().upload(bench.folder.path, by: .tus, options: bench.options())
        }
        #expect(folder.message.contains("is not a regular file"))
    }

    private func failure(_ call: () async throws -> UploadedFile) async throws -> CumulusError {
        try await TestSupport.failure(of: call)
    }
}

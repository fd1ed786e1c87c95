// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTesting
import CumulusUploads
import Foundation
import HTTPTypes
import Synchronization
import TestSupport
import Testing

/// Servers and surroundings that could make an upload wrong: none is reported as complete.
@Suite struct UploadAttackTests {
    // MARK: Offsets

    @Test(arguments: ["1000", "901", "2000", "9223372036854775808", "-1", "+300", "300.0", "", "0x12C", "300, 600"])
    func offsetThatWasNotSentIsRefused(offset: String) async throws {
        let (bench, service) = (try UploadBench(), TusService())
        service.change { state in
            state.intercept = { request, _ in
                request.method == .patch ? .response(.noContent, headers: ["Upload-Offset": offset]) : nil
            }
        }
        let error = try await failure {
            try await service.files().upload(bench.file, by: .tus, options: bench.options())
        }
        #expect([.remoteChanged, .malformedResponse].contains(error.code))
        #expect(service.methods.count { $0 == "PATCH" } == 1)
    }

    @Test func smallerOffsetIsSentAgainAFewTimes() async throws {
        let (bench, service) = (try UploadBench(), TusService())
        service.change { state in
            state.intercept = { request, _ in
                request.method == .patch || request.method == .head
                    ? .response(.ok, headers: ["Upload-Offset": "1"]) : nil
            }
        }
        let error = try await failure {
            try await service.files().upload(bench.file, by: .tus, options: bench.options())
        }
        #expect(error.code == .incomplete)
        #expect(service.methods.count { $0 == "PATCH" } == 3)
    }

    @Test func offsetThatGrowsWithoutBytesIsRefused() async throws {
        let (bench, service) = (try UploadBench(), TusService { $0.cuts = [nil, 10] })
        let asked = Mutex(300)
        service.change { state in
            state.intercept = { request, _ in
                guard request.method == .head else { return nil }
                let offset = asked.withLock { asked in
                    asked += 400
                    return asked
                }
                return .response(.ok, headers: ["Upload-Offset": "\(offset)"])
            }
        }
        let error = try await failure {
            try await service.files().upload(bench.file, by: .tus, options: bench.options())
        }
        #expect(error.code == .remoteChanged)
        #expect(error.message.contains("reports 700 bytes") && error.message.contains("600 were sent"))
    }

    /// The server leads to another user's unfinished upload: its bytes must not become the beginning of this one.
    @Test func otherUploadOfTheSameLengthIsNotContinued() async throws {
        let (bench, service) = (try UploadBench(), TusService())
        service.change { state in
            state.uploads["99"] = TusService.Upload(length: 1_000, bytes: [UInt8](repeating: 7, count: 200))
            state.intercept = { request, _ in
                request.method == .post ? .response(.created, headers: ["Location": "/files/99"]) : nil
            }
        }
        let error = try await failure {
            try await service.files().upload(bench.file, by: .tus, options: bench.options())
        }
        #expect(error.code == .remoteChanged)
        #expect(service.uploads["99"]?.bytes.count == 200)
    }

    @Test(arguments: [2_000, 600])
    func earlierUploadWithOtherBytesStartsOver(length: Int) async throws {
        let (bench, service) = (try UploadBench(), TusService { $0.cuts = [nil, 50] })
        let broken = service.files { $0.retry = .never }
        _ = try await failure { try await broken.upload(bench.file, by: .tus, options: bench.options()) }
        // The server has another upload at this URL: of another length, or with more bytes than were sent.
        service.change { state in
            state.uploads["1"] = TusService.Upload(
                length: length == 600 ? 1_000 : length,
                bytes: [UInt8](repeating: 7, count: length == 600 ? 601 : 100)
            )
        }
        let upload = try await service.files().upload(bench.file, by: .tus, options: bench.options())
        #expect(service.uploads["2"]?.bytes == bench.bytes)
        #expect(upload.url.path == "/files/2")
        #expect(upload.restartReason != nil)
        // It may be another user's.
        #expect(!service.methods.contains("DELETE"))
    }

    // MARK: Origins

    @Test(arguments: ["https://other.test/1", "http://tus.test/files/1", "//other.test/1", "https://tus.test:444/1"])
    func uploadAtAnotherOriginIsRefused(location: String) async throws {
        let (bench, service) = (try UploadBench(), TusService())
        service.change { state in
            state.intercept = { request, _ in
                request.method == .post ? .response(.created, headers: ["Location": "\(location)"]) : nil
            }
        }
        let error = try await failure {
            try await service.files().upload(bench.file, by: .tus, options: bench.options())
        }
        #expect(error.code == .redirectRefused)
        #expect(service.methods == ["OPTIONS", "POST"])
    }

    @Test func uploadAtAnAllowedOriginHasNoCredentials() async throws {
        let (bench, service) = (try UploadBench(), TusService())
        service.change { state in
            state.intercept = { request, state in
                guard request.method == .post else { return nil }
                state.uploads["1"] = TusService.Upload(length: 1_000)
                return .response(.created, headers: ["Location": "https://other.test/files/1"])
            }
        }
        let files = service.files {
            $0.redirects.sendsBodiesToOtherOrigins = true
            $0.headers[.authorization] = "Bearer secret"
        }
        var call = files.prepareUpload(bench.file, by: .tus, options: bench.options())
        call.headers["X-Key"] = "secret"
        _ = try await call.send()
        #expect(service.bytes == bench.bytes)
        let elsewhere = service.transport.requests.filter { $0.url.hasPrefix("https://other.test") }
        #expect(elsewhere.count == 4)
        #expect(elsewhere.allSatisfy { $0.field("Authorization") == nil && $0.field("X-Key") == nil })
    }

    @Test(arguments: [301, 302, 303, 307, 308], [HTTPRequest.Method.post, .patch])
    func redirectToAnotherOriginIsRefused(code: Int, method: HTTPRequest.Method) async throws {
        let (bench, service) = (try UploadBench(), TusService())
        service.change { state in
            state.intercept = { request, _ in
                if request.url.hasPrefix("https://other.test") {
                    return .response(.created, headers: ["Upload-Offset": "300", "Location": "/files/1"])
                }
                guard request.method == method else { return nil }
                return .response(
                    HTTPResponse.Status(code: code),
                    headers: ["Location": "https://other.test\(request.path)"]
                )
            }
        }
        let error = try await failure {
            try await service.files().upload(bench.file, by: .tus, options: bench.options())
        }
        #expect(error.code == .redirectRefused)
        let elsewhere = service.transport.requests.filter { $0.url.hasPrefix("https://other.test") }
        #expect(elsewhere.allSatisfy { $0.body.isEmpty })
    }

    @Test func offsetFromAnotherOriginIsRefused() async throws {
        let (bench, service) = (try UploadBench(), TusService { $0.cuts = [100] })
        service.change { state in
            state.intercept = { request, _ in
                if request.url.hasPrefix("https://other.test") {
                    return .response(.ok, headers: ["Upload-Offset": "100"])
                }
                guard request.method == .head else { return nil }
                return .response(.temporaryRedirect, headers: ["Location": "https://other.test/files/1"])
            }
        }
        let error = try await failure {
            try await service.files().upload(bench.file, by: .tus, options: bench.options())
        }
        #expect(error.code == .redirectRefused)
    }

    private func failure(_ call: () async throws -> UploadedFile) async throws -> CumulusError {
        try await TestSupport.failure(of: call)
    }
}

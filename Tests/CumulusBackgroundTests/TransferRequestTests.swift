// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusURLSession
import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import CumulusBackground

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite(.timeLimit(.minutes(10))) struct TransferRequestTests {
    private let site = Resource("https://api.example.com/files", transport: URLSessionTransport())

    /// Adds a field and declares it a secret.
    private struct HiddenCode: Authorizer {
        func authorize(_ request: inout EncodedRequest) async throws {
            try request.setHeader("X-Visitor", to: "4711")
            request.hide("X-Visitor")
        }
    }

    private func download(_ call: Call<Response>, allowsCredentials: Bool = false) async throws -> TransferRequest {
        try await TransferRequest(call, destination: "/tmp/x", allowsCredentials: allowsCredentials)
    }

    private func code(_ call: Call<Response>, isUpload: Bool = false) async -> CumulusError.Code? {
        let destination = isUpload ? nil : "/tmp/x"
        let error = await #expect(throws: CumulusError.self) {
            _ = try await TransferRequest(call, destination: destination, allowsCredentials: false)
        }
        return error?.code
    }

    @Test func requestIsTheResources() async throws {
        let call = site["a b"].call(.get, query: ["v": "1"], headers: ["Accept": "application/zip"])
        let request = try await download(call)
        #expect(request.urlRequest.url?.absoluteString == "https://api.example.com/files/a%20b?v=1")
        #expect(request.urlRequest.value(forHTTPHeaderField: "Accept") == "application/zip")
        #expect(request.urlRequest.value(forHTTPHeaderField: "Accept-Encoding") == "identity")
        #expect(!request.urlRequest.httpShouldHandleCookies && !request.hasCredentials && request.kind == .download)
    }

    @Test(arguments: ["Authorization", "Cookie", "X-API-Key", "X-Auth-Token"])
    func credentialsAreRefusedUnlessAllowed(_ name: String) async throws {
        let call = site.call(.get, headers: Headers([name: "s3cret"]))
        let error = await #expect(throws: CumulusError.self) { try await download(call) }
        #expect(error?.code == .refused && error?.message.contains(name) == true)
        #expect(error.map { "\($0)".contains("s3cret") } == false)
        let request = try await download(call, allowsCredentials: true)
        #expect(request.hasCredentials && request.urlRequest.value(forHTTPHeaderField: name) == "s3cret")
    }

    @Test func credentialsOfAuthorizersAreRefused() async {
        #expect(await code(site.with { $0.authorizers = [.bearer("s3cret")] }.call(.get)) == .refused)
        #expect(await code(site.with { $0.authorizers = [.custom(HiddenCode())] }.call(.get)) == .refused)
    }

    @Test func presignedURLNeedsNoPermission() async throws {
        let request = try await download(site.call(.get, query: ["X-Amz-Signature": "0a1b", "X-Amz-Expires": "60"]))
        #expect(!request.hasCredentials && request.urlRequest.url?.query?.contains("X-Amz-Signature=0a1b") == true)
    }

    @Test func idempotencyKeyIsNotACredential() async throws {
        #expect(try await !download(site.call(.get, headers: ["Idempotency-Key": "1"])).hasCredentials)
    }

    @Test func plainHTTPIsOnlyForThisMachine() async throws {
        let far = Resource("http://api.example.com/files", transport: URLSessionTransport())
        #expect(await code(far.call(.get)) == .refused)
        let near = Resource("http://127.0.0.1:8080/files", transport: URLSessionTransport())
        _ = try await download(near.call(.get))
    }

    @Test func requestsThatTheSystemCannotSendAreRefused() async throws {
        #expect(await code(site.call(.get, headers: ["Range": "bytes=0-9"])) == .unsupported)
        #expect(await code(site.call(.get, headers: ["Host": "other.example.com"])) == .unsupported)
        #expect(await code(site.call(.post, .text("x"))) == .unsupported)
        #expect(await code(site.call(.put, .text("x")), isUpload: true) == .unsupported)
        #expect(await code(site.call(.put), isUpload: true) == .unsupported)
        #expect(await code(site.with { $0.allowedAddresses = .publicOnly }.call(.get)) == .unsupported)
    }

    @Test func uploadIsAWholeFile() async throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("{}", to: "data.json")
        let call = site.call(.put, .file(URL(filePath: path)))
        let request = try await TransferRequest(call, destination: nil, allowsCredentials: false)
        #expect(request.kind == .upload && request.file == path && request.urlRequest.httpMethod == "PUT")
        #expect(request.urlRequest.value(forHTTPHeaderField: "Content-Type") == "application/json")
        #expect(request.urlRequest.httpBody == nil)
        let error = await #expect(throws: CumulusError.self) {
            let call = site.call(.put, .file("\(folder.path)/missing"))
            _ = try await TransferRequest(call, destination: nil, allowsCredentials: false)
        }
        #expect(error?.code == .encoding)
    }

    @Test func uploadOfAFileThatHasChangedIsRefused() async throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("sent", to: "source.bin")
        let call = site.call(.put, .file(path))
        let request = try await TransferRequest(call, destination: nil, allowsCredentials: false)
        try request.checkFile()
        _ = try folder.write("changed", to: "source.bin")
        let error = #expect(throws: CumulusError.self) { try request.checkFile() }
        #expect(error?.code == .encoding && (error?.cause as? UploadProblem)?.kind == .changed)
    }
}

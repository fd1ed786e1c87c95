// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusURLSession
import HTTPTypes
import Testing

@testable import CumulusBackground

@Suite(.timeLimit(.minutes(10))) struct ResponseCheckTests {
    private func check(hasCredentials: Bool = false, isUpload: Bool = false) async throws -> ResponseCheck {
        let bench = try TransferBench()
        let headers: Headers = hasCredentials ? ["Authorization": "Bearer s3cret"] : [:]
        let options = BackgroundTransferOptions(allowsCredentialsOnRedirects: true)
        _ = try await bench.start(FakeTask(1), isUpload: isUpload, options: options, headers: headers)
        return ResponseCheck(record: try #require(try bench.records.all().first?.record.get()))
    }

    private func response(_ url: String) -> TaskResponse {
        TaskResponse(status: .ok, headers: [:], origin: try? RequestURL(url).origin)
    }

    private func code(_ check: ResponseCheck, _ response: TaskResponse?, size: Int64? = 5) -> CumulusError.Code? {
        check.problem(with: response, body: [], size: size)?.code
    }

    @Test func successIsAnyStatusOf200To299() async throws {
        let check = try await check()
        for status in 100...599 where ![304].contains(status) {
            let code = code(check, .ok(HTTPResponse.Status(code: status)))
            #expect(code == (200..<300 ~= status ? nil : .status))
        }
        #expect(code(check, .ok(.notModified)) == .notModified && code(check, nil) == .malformedResponse)
    }

    @Test func shortFileIsTruncated() async throws {
        let check = try await check()
        #expect(code(check, .ok(headers: [.contentLength: "5"])) == nil)
        #expect(code(check, .ok(headers: [.contentLength: "6"])) == .truncatedBody)
        #expect(code(check, .ok(headers: [.contentLength: "6", .contentEncoding: "gzip"])) == nil)
        // The system continued an interrupted download.
        let part: HTTPFields = [.contentLength: "2", .contentRange: "bytes 3-4/5"]
        #expect(code(check, .ok(.partialContent, headers: part)) == nil)
        #expect(code(check, .ok(.partialContent, headers: part), size: 2) == .truncatedBody)
    }

    @Test func redirectToAnotherOriginIsRefusedIfItMayHaveLeaked() async throws {
        let (near, far) = (response("https://api.example.com/moved"), response("https://other.example.com/data"))
        let plain = try await check()
        #expect(code(plain, near) == nil && code(plain, far) == nil)
        #expect(code(plain, response("http://other.example.com/data")) == .redirectRefused)
        #expect(code(plain, response("file:///etc/passwd")) == .redirectRefused)
        let authorized = try await check(hasCredentials: true)
        #expect(code(authorized, near) == nil && code(authorized, far) == .redirectRefused)
        #expect(code(authorized, response("https://api.example.com:8443/data")) == .redirectRefused)
        let upload = try await check(isUpload: true)
        #expect(code(upload, near, size: nil) == nil && code(upload, far, size: nil) == .redirectRefused)
    }

    @Test func errorsShowNoQuery() async throws {
        let error = try #require(try await check().problem(with: .ok(.notFound), body: Array("no".utf8), size: 2))
        #expect("\(error)".contains("GET https://api.example.com/data") && error.response?.text == "no")
    }
}

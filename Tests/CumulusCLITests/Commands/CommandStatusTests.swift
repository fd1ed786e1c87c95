// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTesting
import HTTPTypes
import Testing

@testable import CumulusCLI

@Suite(.serialized) struct CommandStatusTests {
    @Test(arguments: [
        (200, CommandStatus.success), (204, .success), (299, .success), (301, .redirection), (304, .redirection),
        (400, .clientError), (404, .clientError), (499, .clientError), (500, .serverError), (599, .serverError),
        (600, .serverError), (999, .serverError), (100, .failure), (101, .failure), (199, .failure),
    ])
    func aStatusHasItsCode(status: Int, expected: CommandStatus) {
        #expect(CommandStatus(statusCode: status) == expected)
    }

    private static let codes: [(code: CumulusError.Code, expected: Int32)] = [
        (CumulusError.Code.timeout, 2), (.tooManyRedirects, 6), (.lookup, 7), (.connect, 8), (.tls, 9),
        (.invalidURL, 64), (.invalidPath, 64), (.invalidHeader, 64), (.encoding, 64), (.malformedResponse, 1),
        (.truncatedBody, 15), (.checksum, 11), (.remoteChanged, 12), (.disk, 13), (.fileInUse, 13), (.fileExists, 14),
        (.incomplete, 15),
        (.redirectRefused, 1), (.connectionClosed, 1), (.notModified, 3),
    ]

    @Test(arguments: codes)
    func anErrorHasItsCode(code: CumulusError.Code, expected: Int32) {
        #expect(CommandStatus(CumulusError(code, stage: .transmission, "why")).rawValue == expected)
    }

    /// An error with a response, as for an interrupted body.
    private func broken(_ code: CumulusError.Code, _ status: HTTPResponse.Status) async throws -> CumulusError {
        let stub = StubTransport { _ in .text("", status: status) }
        let response = try await Resource("http://x.y/", transport: stub).get()
        let request = EncodedRequest(method: .get, url: try RequestURL("http://x.y/"))
        return CumulusError(code, stage: .transmission, "it broke off", request: request, response: response)
    }

    @Test(arguments: [
        CumulusError.Code.truncatedBody, .connectionClosed, .malformedResponse, .contentCoding, .incomplete,
    ])
    func anErrorStatusWhoseBodyBreaksOffCounts(code: CumulusError.Code) async throws {
        #expect(CommandStatus(try await broken(code, .notFound)) == .clientError)
        #expect(CommandStatus(try await broken(code, .badGateway)) == .serverError)
        let line = ErrorLine.text(for: try await broken(code, .notFound))
        #expect(line.hasPrefix("cumulus: status: http://x.y/: 404 Not Found: "), "\(line)")
        #expect(line.hasSuffix(": it broke off"))
    }

    private static let everyCode: [CumulusError.Code] = [
        .invalidURL, .invalidPath, .invalidHeader, .invalidRequest, .refused, .encoding, .authorization, .interception,
        .lookup, .connect, .addressRefused, .proxy, .tls, .timeout, .connectionClosed, .truncatedBody,
        .malformedResponse, .headerTooLarge, .bodyTooLarge, .contentCoding, .requestBody, .tooManyRedirects,
        .redirectRefused, .status, .service, .validation, .decoding, .postProcessing, .unsupported, .shutdown,
        .wouldDeadlock, .fixture, .notModified, .checksum, .remoteChanged, .disk, .fileExists, .fileInUse, .incomplete,
        .paging, .conflict, .transport,
    ]

    @Test("an error is never exit 0, whatever the status of its response", arguments: everyCode)
    func errorIsNeverSuccess(code: CumulusError.Code) async throws {
        #expect(CommandStatus(CumulusError(code, stage: .transmission, "why")) != .success)
        for status in [200, 201, 202, 204, 207, 226, 299] {
            let error = try await broken(code, HTTPResponse.Status(code: status))
            #expect(CommandStatus(error) != .success, "\(code) with \(status)")
        }
    }

    @Test func cancellationAndMistakesHaveTheirCodes() {
        #expect(CommandStatus(CancellationError()).rawValue == 130)
        #expect(CommandStatus(UsageMistake("why")).rawValue == 64)
        #expect(CommandStatus(SystemProblem(description: "why")).rawValue == 1)
        #expect(CommandStatus(OutputProblem(path: "f", reason: "why")).rawValue == 13)
    }
}

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
        (600, .serverError), (999, .serverError),
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
        let refusal = await #expect(throws: CumulusError.self) {
            _ = try await Resource("http://x.y/", transport: stub).call(.get).stream()
        }
        let request = EncodedRequest(method: .get, url: try RequestURL("http://x.y/"))
        return CumulusError(code, stage: .transmission, "it broke off", request: request, response: refusal?.response)
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

    @Test func cancellationAndMistakesHaveTheirCodes() {
        #expect(CommandStatus(CancellationError()).rawValue == 130)
        #expect(CommandStatus(UsageMistake("why")).rawValue == 64)
        #expect(CommandStatus(SystemProblem(description: "why")).rawValue == 1)
        #expect(CommandStatus(OutputProblem(path: "f", reason: "why")).rawValue == 13)
    }
}

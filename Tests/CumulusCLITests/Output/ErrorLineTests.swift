// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTesting
import HTTPTypes
import TestSupport
import Testing

@testable import CumulusCLI

@Suite(.serialized) struct ErrorLineTests {
    private func error(_ code: CumulusError.Code, _ message: String, url: String) throws -> CumulusError {
        let request = EncodedRequest(method: .get, url: try RequestURL(url))
        return CumulusError(code, stage: .transmission, message, request: request)
    }

    @Test func anErrorIsOneLineWithItsKindAndURL() throws {
        let error = try error(
            .connect,
            "can't connect to http://127.0.0.1:1: Connection refused",
            url: "http://127.0.0.1:1/"
        )
        #expect(ErrorLine.text(for: error) == "cumulus: connect: http://127.0.0.1:1/: Connection refused")
    }

    @Test func `T-62 an error shows no query value`() throws {
        let error = try error(.timeout, "no answer", url: "https://x.y/a?token=hunter2")
        #expect(ErrorLine.text(for: error) == "cumulus: timeout: https://x.y/a?token=<redacted>: no answer")
    }

    @Test func `T-61 an error stays on its line`() throws {
        let error = try error(.malformedResponse, "got \u{1B}[2J\nHTTP", url: "http://x.y/")
        #expect(ErrorLine.text(for: error) == "cumulus: response: http://x.y/: got \\u001b[2J\\u000aHTTP")
    }

    @Test(
        "the hint for a coding fits what went wrong",
        arguments: [
            ("the coding br, which was not asked for", "; try Accept-Encoding:gzip, or --compressed for br and zstd"),
            ("the compressed body is cut short", "; try Accept-Encoding:identity"),
            ("the body inflates to more than 12 MiB", ""),
        ]
    )
    func codings(message: String, hint: String) throws {
        let error = try error(.contentCoding, message, url: "http://x.y/")
        #expect(ErrorLine.text(for: error).hasSuffix(message + hint))
    }

    @Test func aPageElsewhereIsAllowedByAnOption() throws {
        let message = "the next page is at another origin, http://b.example/; `leading(to:)` of the rule allows it"
        let error = try error(.paging, message, url: "http://x.y/")
        #expect(ErrorLine.text(for: error).hasSuffix("http://b.example/; origins=ORIGIN in --paging allows it"))
    }

    @Test func theProblemOfADownloadHasItsTitleAndDetail() async throws {
        let folder = try TemporaryFolder()
        let transport = StubTransport { _ in
            .response(
                .forbidden,
                headers: [.contentType: "application/problem+json"],
                body: Array(#"{"title": "Quota spent", "detail": "come back"}"#.utf8)
            )
        }
        let console = MemoryConsole()
        _ = await console.run(["download", "http://x.y/f", "-o", "\(folder.path)/f"], over: transport)
        #expect(console.notes.joined().contains("the server answered 403 Forbidden: Quota spent: come back"))
    }

    @Test func aMistakeHasItsHintBelow() {
        #expect(ErrorLine.text(for: UsageMistake("why", hint: "how")) == "cumulus: usage: why\n  hint: how")
        #expect(ErrorLine.text(for: UsageMistake("why")) == "cumulus: usage: why")
        #expect(ErrorLine.text(for: CancellationError()) == "cumulus: interrupted")
    }
}

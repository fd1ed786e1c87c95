// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import HTTPTypes
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

    @Test func aMistakeHasItsHintBelow() {
        #expect(ErrorLine.text(for: UsageMistake("why", hint: "how")) == "cumulus: usage: why\n  hint: how")
        #expect(ErrorLine.text(for: UsageMistake("why")) == "cumulus: usage: why")
        #expect(ErrorLine.text(for: CancellationError()) == "cumulus: interrupted")
    }
}

// SPDX-License-Identifier: Apache-2.0

import CumulusTesting
import HTTPTypes
import Testing

@testable import CumulusCore

/// T-62: multipart forms show their secrets no more than other forms do.
@Suite struct MultipartRedactionTests {
    @Test("T-62: the content of a part with a secret name is redacted, and the rest is unchanged")
    func parts() async throws {
        let site = Resource("http://a.example", transport: StubTransport { _ in .text("ok") })
        var form: MultipartForm = ["title": "Clouds", "password": "hunter2\r\n\r\nhunter3", "token": "hunter4"]
        form.boundary = "xyz"
        let text = try await site["up"].curl(.post, .multipart(form))
        #expect(!text.contains("hunter") && text.contains("Clouds"))
        let shown = try await site["up"].curl(.post, .multipart(form), revealingSecrets: true)
        #expect(shown.contains("hunter2") && shown.contains("hunter4"))
    }

    @Test("T-62: a form that is truncated, or has no parts, shows no more")
    func broken() {
        let cut = "--x\r\nContent-Disposition: form-data; name=\"password\"\r\n\r\nhunter2"
        let shown = MultipartRedaction.redacted(Array(cut.utf8), boundary: "x")
        #expect(String(decoding: shown, as: UTF8.self).hasSuffix("\r\n\r\n<redacted>\r\n"))
        for text in ["", "--x", "--x--\r\n", "plain"] {
            #expect(MultipartRedaction.redacted(Array(text.utf8), boundary: "x") == Array(text.utf8))
        }
    }
}

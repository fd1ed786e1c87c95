// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives
import CumulusTesting
import HTTPTypes
import TestSupport
import Testing

@testable import CumulusCore

/// Multipart forms show their secrets no more than other forms do.
@Suite struct MultipartRedactionTests {
    @Test("the content of a part with a secret name is redacted, and the rest is unchanged")
    func parts() async throws {
        let site = Resource("http://a.example", transport: StubTransport { _ in .text("ok") }.watched)
        var form: MultipartForm = ["title": "Clouds", "password": "hunter2\r\n\r\nhunter3", "token": "hunter4"]
        form.boundary = "xyz"
        let text = try await site["up"].call(.post, .multipart(form)).curl()
        #expect(!text.contains("hunter") && text.contains("Clouds"))
        let shown = try await site["up"].call(.post, .multipart(form)).curl(includingSecrets: true)
        #expect(shown.contains("hunter2") && shown.contains("hunter4"))
    }

    @Test("a form that is truncated, or has no parts, shows no more")
    func broken() {
        let cut = "--x\r\nContent-Disposition: form-data; name=\"password\"\r\n\r\nhunter2"
        let shown = MultipartRedaction.redacted(Array(cut.utf8), boundary: "x")
        #expect(String(decoding: shown, as: UTF8.self).hasSuffix("\r\n\r\n<redacted>\r\n"))
        for text in ["", "--x", "--x--\r\n", "plain"] {
            #expect(MultipartRedaction.redacted(Array(text.utf8), boundary: "x") == Array(text.utf8))
        }
    }

    @Test(
        "a field's name is read as servers read it",
        arguments: [
            "form-data; name=\"password\"", "form-data; NAME=\"password\"", "form-data; name = \"password\"",
            "form-data; name*=UTF-8''p%61ssword", "form-data; name=\"pass\\word\"", "form-data; name=password",
            "form-data; name*0=\"pass\"; name*1=\"word\"", "form-data;\r\n name=\"password\"",
        ]
    )
    func names(disposition: String) throws {
        let types = [
            "multipart/form-data; boundary=B", "multipart/form-data; boundary=C", "multipart/mixed", "text/plain",
        ]
        for type in types {
            let type = try #require(MediaType(parsing: type))
            let text = "--B\r\nContent-Disposition: \(disposition)\r\n\r\nhunter2\r\n--B--\r\n"
            for text in [text, String(decoding: text.utf8.filter { $0 != 0x0D }, as: UTF8.self)] {
                let shown = Self.shown(text, type)
                #expect(shown == text.replacingOccurrence(of: "hunter2", with: "<redacted>"), "\(type)")
            }
        }
    }

    @Test("a part's head loses its secrets, and its content is judged whatever its label says")
    func heads() throws {
        let type = try #require(MediaType(parsing: "multipart/mixed; boundary=B"))
        let part = { (head: String, body: String) in "--B\r\n\(head)\r\n\r\n\(body)\r\n--B--\r\n" }
        #expect(
            Self.shown(part("Content-ID: 1\r\nAuthorization: Bearer\r\n hunter2\r\nX: y", "z"), type)
                == part("Content-ID: 1\r\nAuthorization: Bearer <redacted>\r\nX: y", "z")
        )
        #expect(
            Self.shown(part("Content-Type: image/png", #"{"password":"hunter2"}"#), type)
                == part("Content-Type: image/png", #"{"password":"<redacted>"}"#)
        )
        let batch = part(
            "Content-Type: application/http",
            "GET /x?token=hunter2 HTTP/1.1\r\nAuthorization: Bearer hunter3\r\n"
        )
        let shown = Self.shown(batch, type)
        #expect(!shown.contains("hunter") && shown.contains("/x?token=<redacted> HTTP/1.1"))
        let around = "password: hunter2\r\n\(part("Content-ID: 1", "z"))password: hunter3\r\n"
        #expect(!Self.shown(around, type).contains("hunter"))
    }

    @Test("a line within a secret part that only looks like a delimiter doesn't reveal the rest")
    func falseDelimiters() throws {
        let type = try #require(MediaType(parsing: "multipart/form-data; boundary=B"))
        let secret = "x--B\r\n--Bhunter2\r\n--C\r\nContent-ID: 1\r\n\r\nhunter3"
        let text = "--B\r\nContent-Disposition: form-data; name=token\r\n\r\n\(secret)\r\n--B--\r\n"
        #expect(Self.shown(text, type) == text.replacingOccurrence(of: secret, with: "<redacted>"))
    }

    private static func shown(_ text: String, _ type: MediaType) -> String {
        String(decoding: SecretRedaction.body(ByteChunk(text), of: type), as: UTF8.self)
    }
}

extension String {
    /// The text with another instead of the only occurrence of a part.
    fileprivate func replacingOccurrence(of part: String, with other: String) -> String {
        guard let place = place(of: part) else { return self }
        return self[..<place.lowerBound] + other + self[place.upperBound...]
    }
}

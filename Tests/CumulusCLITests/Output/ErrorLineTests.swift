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

    @Test func `an error shows no query value`() throws {
        let error = try error(.timeout, "no answer", url: "https://x.y/a?token=hunter2")
        #expect(ErrorLine.text(for: error) == "cumulus: timeout: https://x.y/a?token=<redacted>: no answer")
    }

    @Test("numbers of pages and items are shown, and nothing else of a query")
    func pageNumbers() throws {
        let url = "https://x.y/a?page=2&offset=40&per_page=9&cursor=hunter2&pin=1234&page=x&token=12&b&limit="
        let error = try error(.timeout, "no answer", url: url)
        let shown =
            "page=2&offset=40&per_page=9&cursor=<redacted>&pin=<redacted>&page=<redacted>&token=<redacted>"
            + "&<redacted>&limit=<redacted>"
        #expect(ErrorLine.text(for: error) == "cumulus: timeout: https://x.y/a?\(shown): no answer")
    }

    @Test func `an error stays on its line`() throws {
        let error = try error(.malformedResponse, "got \u{1B}[2J\nHTTP", url: "http://x.y/")
        #expect(ErrorLine.text(for: error) == "cumulus: response: http://x.y/: got \\u001b[2J\\u000aHTTP")
    }

    @Test(
        "the hint for a content coding depends on the kind of problem, not on its text",
        arguments: [
            (.unrequested("br"), "does not accept; try Accept-Encoding:gzip, or --compressed for br and zstd"),
            (.unrequested("zstd"), "does not accept; try Accept-Encoding:gzip, or --compressed for br and zstd"),
            (.unrequested("x-mine"), "does not accept; Accept-Encoding:x-mine shows the body as it was sent"),
            (.unrequested("a b"), "does not accept; try Accept-Encoding:gzip, or --compressed for br and zstd"),
            (.unrequested("a\u{1b}[31m"), "does not accept; try Accept-Encoding:gzip, or --compressed for br and zstd"),
            (.other, "coding: http://x.y/: it can't be decoded; try Accept-Encoding:identity"),
            (.truncated, "coding: http://x.y/: it can't be decoded; try Accept-Encoding:identity"),
            (.disproportionate, "coding: http://x.y/: it can't be decoded"),
        ] as [(ContentCodingProblem.Kind, String)]
    )
    func codings(kind: ContentCodingProblem.Kind, hint: String) throws {
        let request = EncodedRequest(method: .get, url: try RequestURL("http://x.y/"))
        let problem = ContentCodingProblem("it can't be decoded", kind: kind)
        let error = CumulusError(.contentCoding, stage: .decoding, "problem", request: request, cause: problem)
        #expect(ErrorLine.text(for: error).hasSuffix(hint), "\(ErrorLine.text(for: error))")
    }

    @Test func hintForUnrequestedCodingNamesTheServersCoding() async throws {
        let transport = StubTransport { _ in .response(.ok, headers: ["Content-Encoding": "x-mine"], body: [1]) }
        let error = await #expect(throws: CumulusError.self) {
            _ = try await Resource("http://x.y/", transport: transport).get(as: String.self)
        }
        let text = ErrorLine.text(for: try #require(error))
        #expect(text.hasSuffix("; Accept-Encoding:x-mine shows the body as it was sent"), "\(text)")
    }

    @Test(
        "a service's message explains a status, in each form that services use",
        arguments: [
            #"{"error": {"message": "no model", "type": "invalid"}}"#, #"{"errors": [{"message": "no model"}]}"#,
            #"{"error": "invalid", "error_description": "no model"}"#, #"{"message": "no model"}"#,
            #"{"detail": "no model"}"#, #"{"error": "no model"}"#,
        ]
    )
    func messages(body: String) async throws {
        let transport = StubTransport { _ in
            .response(.badRequest, headers: [.contentType: "application/json"], body: Array(body.utf8))
        }
        for line in [["x.y"], ["-q", "x.y"], ["events", "x.y"], ["--pages", "all", "x.y"]] {
            let console = MemoryConsole()
            #expect(await console.run(line, over: transport) == .clientError)
            #expect(console.notes.joined().contains("400 Bad Request: no model"), "\(line) \(console.notes)")
        }
    }

    @Test(
        "the XML error of an object store explains a status",
        arguments: ["application/xml", "text/xml; charset=utf-8"]
    )
    func storeErrors(type: String) async {
        let body = "<?xml version=\"1.0\"?><Error><Code>NoSuchBucket</Code><Message>no bucket</Message></Error>"
        for (body, end) in [
            (body, "404 Not Found: NoSuchBucket: no bucket"), ("<a><Code>x</Code></a>", "404 Not Found"),
        ] {
            let transport = StubTransport { _ in
                .response(.notFound, headers: [.contentType: type], body: Array(body.utf8))
            }
            let console = MemoryConsole()
            #expect(await console.run(["x.y"], over: transport) == .clientError)
            #expect(console.notes.joined().hasSuffix(end), "\(console.notes)")
        }
    }

    @Test(
        "JSON without a message, and that of another type, explains nothing",
        arguments: ["{\"error\": 5}", "[]", "{"]
    )
    func noMessages(body: String) async throws {
        let console = MemoryConsole()
        let transport = StubTransport { _ in
            .response(.badRequest, headers: [.contentType: "application/json"], body: Array(body.utf8))
        }
        #expect(await console.run(["-q", "x.y"], over: transport) == .clientError)
        #expect(console.notes.joined().hasSuffix("400 Bad Request"), "\(console.notes)")
    }

    @Test func aPathIntoAListHasAHint() {
        let mismatch = JSONFilter.TypeMismatch(step: ".name", kind: "an array")
        #expect(
            mismatch.description.hasSuffix("--filter can't apply .name to an array; [].name reads it from each element")
        )
        let number = JSONFilter.TypeMismatch(step: ".0", kind: "an array")
        #expect(number.description == "--filter can't apply .0 to an array; [0] reads one element")
        let nameless = JSONFilter.TypeMismatch(step: ".", kind: "an array")
        #expect(!nameless.description.hasSuffix("reads one element"))
        #expect(!JSONFilter.TypeMismatch(step: ".name", kind: "a number").description.contains("[]"))
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
        #expect(console.notes.joined().contains("the server responded with 403 Forbidden: Quota spent: come back"))
    }

    @Test func problemInAnotherCharsetIsShown() async {
        let transport = StubTransport { _ in
            .response(
                .forbidden,
                headers: [.contentType: "application/problem+json; charset=iso-8859-1"],
                body: Array(#"{"title":"Caf"#.utf8) + [0xE9] + Array(#""}"#.utf8)
            )
        }
        let console = MemoryConsole()
        #expect(await console.run(["http://x.y/f"], over: transport) == .clientError)
        #expect(console.notes.joined().contains("403 Forbidden: Caf"), "\(console.notes)")
    }

    @Test func aMistakeHasItsHintBelow() {
        #expect(ErrorLine.text(for: UsageMistake("why", hint: "how")) == "cumulus: usage: why\n  hint: how")
        #expect(ErrorLine.text(for: UsageMistake("why")) == "cumulus: usage: why")
        #expect(ErrorLine.text(for: CancellationError()) == "cumulus: interrupted")
    }
}

// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTesting
import Foundation
import HTTPTypes
import Synchronization
import TestSupport
import Testing

@Suite struct MultipartWritingTests {
    /// Writes to a file after the request was encoded and before it is sent.
    private struct Writing: Sendable {
        let bytes: [UInt8]
        let file: TemporaryFile
        func intercept(_ request: EncodedRequest, next: InterceptorChain) async throws -> TransportResponse {
            try file.write(bytes)
            return try await next(request)
        }
    }

    private let transport = StubTransport { _ in .text("ok") }
    private var site: Resource { Resource("http://a.example", transport: transport.watched) }

    private func sent(_ payload: Payload, headers: Headers = [:]) async throws -> StubRequest {
        try await site.post(payload, headers: headers).requireSuccess()
        return try #require(transport.lastRequest)
    }

    private func sentText(_ form: MultipartForm) async throws -> String {
        var form = form
        form.boundary = "XX"
        return String(decoding: try await sent(.multipart(form)).body, as: UTF8.self)
    }

    private func problem(_ payload: Payload) async throws -> MultipartProblem? {
        let error = await #expect(throws: CumulusError.self) { try await site.post(payload) }
        if error?.code == .encoding { return error?.cause as? MultipartProblem }
        #expect(error?.code == .requestBody)
        return (error?.cause as? TransportFailure)?.cause as? MultipartProblem
    }

    private static func random(_ count: Int) -> [UInt8] { (0..<count).map { _ in UInt8.random(in: 0...255) } }

    @Test func fieldsFilesAndValuesKeepTheirOrder() async throws {
        let file = try TemporaryFile(Array("PNG\r\n--XX".utf8), named: "cloud.png")
        var form: MultipartForm = ["title": "Größe", "photo": .file(file.path), "n": .json([1, 2])]
        form.append(.bytes([0, 255], fileName: "a.zip", headers: ["X-Part": "yes"]), name: "title")
        form.boundary = "XX"
        let request = try await sent(.multipart(form))
        var expected: [UInt8] = []
        expected += Array("--XX\r\nContent-Disposition: form-data; name=\"title\"\r\n\r\nGröße\r\n".utf8)
        expected += Array("--XX\r\nContent-Disposition: form-data; name=\"photo\"; filename=\"cloud.png\"\r\n".utf8)
        expected += Array("Content-Type: image/png\r\n\r\nPNG\r\n--XX\r\n".utf8)
        expected += Array("--XX\r\nContent-Disposition: form-data; name=\"n\"\r\n".utf8)
        expected += Array("Content-Type: application/json\r\n\r\n[1,2]\r\n".utf8)
        expected += Array("--XX\r\nContent-Disposition: form-data; name=\"title\"; filename=\"a.zip\"\r\n".utf8)
        expected += Array("Content-Type: application/zip\r\nX-Part: yes\r\n\r\n".utf8) + [0, 255]
        expected += Array("\r\n--XX--\r\n".utf8)
        #expect(request.body == expected)
        #expect(request.headers[.contentType] == "multipart/form-data; boundary=XX")
        #expect(request.request.body.length == Int64(expected.count))
        #expect(request.request.body.isReplayable)
    }

    @Test func boundariesAreLongAndNeverTheSame() async throws {
        var seen: Set<String> = []
        for _ in 0..<20 {
            let type = try await sent(.multipart(["a": "b"])).headers[.contentType].flatMap { MediaType(parsing: $0) }
            let boundary = try #require(type?["boundary"])
            #expect(boundary.hasPrefix("cumulus-") && boundary.count == 48)
            seen.insert(boundary)
        }
        #expect(seen.count == 20)
    }

    @Test(
        arguments: [
            ("a\"b", "a%22b"), ("a\r\nb", "a%0D%0Ab"), ("\rx", "%0Dx"), ("naïve 日本.txt", "naïve 日本.txt"),
            ("a\\\"", "a\\%22"),
            ("50%", "50%"), ("e\u{301}\"", "e\u{301}%22"), ("", ""), ("\r\n", "%0D%0A"),
            (
                "\"; filename=\"x\r\nContent-Type: text/html\r\n\r\n<script>",
                "%22; filename=%22x%0D%0AContent-Type: text/html%0D%0A%0D%0A<script>"
            ),
        ]
    )
    func `names and file names can't add a header or a parameter`(name: String, shown: String) async throws {
        let text = try await sentText([name: .bytes([1], fileName: name)])
        #expect(text.contains("\r\nContent-Disposition: form-data; name=\"\(shown)\"; filename=\"\(shown)\"\r\n"))
        #expect(text.split(separator: "\r\n", omittingEmptySubsequences: false).count == 7)
    }

    @Test(arguments: ["a\0b", "a\u{7F}", "\u{1B}[2J"]) func `names with control characters are refused`(
        name: String
    ) async throws {
        #expect(try await problem(.multipart([name: "x"]))?.kind == .header)
        #expect(try await problem(.multipart(["x": .bytes([1], fileName: name)]))?.kind == .header)
        #expect(transport.requests.isEmpty)
    }

    @Test(arguments: ["a\r\nb", "a\nb", "a\0b", " a"]) func `part headers that can't be sent are refused`(
        value: String
    ) async throws {
        let problem = try await problem(.multipart(["a": "1", "b": .text("x", headers: ["X-Y": value])]))
        #expect(problem?.kind == .header)
        #expect(problem?.part == 1)
    }

    @Test func aPartsOwnHeadersWin() async throws {
        let part = MultipartPart.bytes(
            [65],
            headers: ["Content-Type": nil, "Content-Disposition": "form-data; name=z"]
        )
        #expect(
            try await sentText(["a": part]) == "--XX\r\nContent-Disposition: form-data; name=z\r\n\r\nA\r\n--XX--\r\n"
        )
    }

    @Test(arguments: ["", "a b ", String(repeating: "x", count: 71), "a\"b", "a;b", "ü"])
    func boundariesThatAreNoneAreRefused(boundary: String) async throws {
        var form: MultipartForm = ["a": "b"]
        form.boundary = boundary
        #expect(try await problem(.multipart(form))?.kind == .boundary)
    }

    @Test func anEmptyFormIsOneLine() async throws { #expect(try await sentText([:]) == "--XX--\r\n") }

    @Test func aRangeOfAFileIsSent() async throws {
        let file = try TemporaryFile(Array("0123456789".utf8))
        #expect(try await sentText(["f": .file(file.path, range: 3..<7)]).contains("\r\n\r\n3456\r\n--XX--"))
        #expect(try await problem(.multipart(["f": .file(file.path, range: 3..<11)]))?.kind == .file)
    }

    @Test func aFileThatIsNotThereIsNamed() async throws {
        let problem = try await problem(.multipart(["f": .file("/nowhere/x.txt")]))
        #expect(problem?.kind == .file)
        #expect(problem?.description.contains("/nowhere/x.txt") == true)
        #expect(transport.requests.isEmpty)
    }

    @Test func whatIsNoPlainFileIsRefused() async throws {
        let file = try TemporaryFile([1])
        #expect(try await problem(.multipart(["f": .file(file.path + "\0", fileName: "x")]))?.kind == .file)
        let pipe = file.path + ".pipe"
        #expect(mkfifo(pipe, 0o600) == 0)
        #expect(try await problem(.multipart(["f": .file(pipe)]))?.kind == .file)
        #expect(try await problem(.multipart(["f": .file("/tmp")]))?.kind == .file)
    }

    @Test(arguments: [4, 6]) func aFileThatChangesItsLengthFailsTheRequest(length: Int) async throws {
        let file = try TemporaryFile([UInt8](repeating: 7, count: 5))
        let site = site
        site.setRules { $0.interceptors = [Writing(bytes: [UInt8](repeating: 8, count: length), file: file).intercept] }
        let error = await #expect(throws: CumulusError.self) {
            try await site.post(.multipart(["f": .file(file.path)]))
        }
        #expect(error?.code == .requestBody)
        let problem = (error?.cause as? TransportFailure)?.cause as? MultipartProblem
        #expect(problem?.kind == .fileChanged)
    }

    @Test func aStreamIsCountedWhereItsLengthIsKnown() async throws {
        func stream(_ announced: Int64?) -> Payload {
            let body = StreamBody(length: announced, replay: .restartable) { _, writer in
                try await writer.write(ByteChunk("abc"))
                try await writer.write(ByteChunk("de"))
            }
            return .multipart(["s": .stream(body, fileName: "s.txt")])
        }
        let known = try await sent(stream(5))
        #expect(known.request.body.length == Int64(known.body.count))
        let unknown = try await sent(stream(nil))
        #expect(unknown.request.body.length == nil)
        #expect(String(decoding: unknown.body, as: UTF8.self).contains("abcde"))
        #expect(try await problem(stream(4))?.kind == .length)
        #expect(try await problem(stream(6))?.kind == .length)
        #expect(try await problem(stream(-1))?.kind == .length)
    }

    @Test func aSequenceCanBeSentOnce() async throws {
        let chunks = AsyncStream<[UInt8]> { continuation in
            continuation.yield([1, 2])
            continuation.finish()
        }
        let request = try await sent(.multipart(["s": .stream(chunks), "t": "x"]))
        #expect(!request.request.body.isReplayable)
        #expect(request.request.body.length == nil)
    }

    @Test func aLongBodyIsProducedFromAnyOffset() async throws {
        let bytes = Self.random(700_000)
        let file = try TemporaryFile(bytes)
        let form: MultipartForm = ["a": .file(file.path), "b": .bytes(Self.random(600_000)), "c": "text"]
        let body = try await sent(.multipart(form))
        guard case .stream(let stream) = body.request.body else {
            Issue.record("a long body is not streamed")
            return
        }
        #expect(stream.replay == .seekable)
        #expect(stream.length == Int64(body.body.count))
        for offset in [0, 1, 100, 300_000, 700_200, 1_300_400, body.body.count - 1, body.body.count] {
            let got = Mutex<[UInt8]>([])
            try await stream.contents(Int64(offset), BodyWriter { chunk in got.withLock { $0 += chunk.bytes } })
            let rest = got.withLock { $0 }
            #expect(rest == Array(body.body[offset...]), "from \(offset)")
        }
    }

    @Test(arguments: [true, false]) func aRedirectSendsTheSameBodyAgainIfItCan(isReplayable: Bool) async throws {
        let file = try TemporaryFile(Self.random(100_000))
        let transport = StubTransport { request in
            request.path == "/" ? .response(.temporaryRedirect, headers: [.location: "/there"]) : .text("ok")
        }
        var form: MultipartForm = ["f": .file(file.path), "n": "1"]
        if !isReplayable { form.append(.stream(AsyncStream<[UInt8]> { $0.finish() }), name: "s") }
        let response = try await Resource("http://a.example", transport: transport.watched).post(.multipart(form))
        #expect(response.status == (isReplayable ? .ok : .temporaryRedirect))
        #expect(transport.requests.count == (isReplayable ? 2 : 1))
        #expect(transport.requests.last?.body == transport.requests.first?.body)
        #expect(transport.requests.last?.headers[.contentType] == transport.requests.first?.headers[.contentType])
    }

    @Test func aRequestThatNamesItsTypeKeepsIt() async throws {
        let mixed = try await sent(.multipart(["a": "b"]), headers: [.contentType: "multipart/mixed"])
        let type = mixed.headers[.contentType].flatMap { MediaType(parsing: $0) }
        #expect(type?.essence == "multipart/mixed" && type?["boundary"] != nil)
        let own = try await sent(.multipart(["a": "b"]), headers: [.contentType: "multipart/mixed; boundary=own"])
        #expect(own.headers[.contentType] == "multipart/mixed; boundary=own")
        #expect(String(decoding: own.body, as: UTF8.self).hasPrefix("--own\r\n"))
        let site = site
        site.setRules { $0.contentType = .json }
        try await site.post(.multipart(["a": "b"])).requireSuccess()
        #expect(transport.lastRequest?.headers[.contentType]?.hasPrefix("multipart/form-data; boundary=") == true)
    }

    @Test func otherMultipartsHaveNoDisposition() async throws {
        let parts: [MultipartPart] = [.json(["a": 1]), .text("hi", type: "text/plain")]
        let type = MediaType("multipart", "related", parameters: [.init(name: "type", value: "application/json")])
        let request = try await sent(.multipart(parts, type: type, boundary: "b"))
        #expect(request.headers[.contentType] == "multipart/related; type=\"application/json\"; boundary=b")
        let text = String(decoding: request.body, as: UTF8.self)
        #expect(
            text
                == "--b\r\nContent-Type: application/json\r\n\r\n{\"a\":1}\r\n--b\r\nContent-Type: text/plain\r\n\r\nhi\r\n--b--\r\n"
        )
    }

    @Test func valuesAreEncodedByTheResourcesCoders() async throws {
        struct Event: Encodable, Sendable { var startsAt = 1 }
        let site = site
        var coder = JSONCoder()
        coder.encoding.keys = .convertToSnakeCase
        site.setRules { $0.coders.registerJSON(coder) }
        try await site.post(.multipart(["e": .json(Event())])).requireSuccess()
        #expect(
            transport.lastRequest.map { String(decoding: $0.body, as: UTF8.self) }?.contains("{\"starts_at\":1}")
                == true
        )
    }

    @Test(arguments: [
        ("a/b.PNG", "image/png"), ("x.tar.gz", "application/gzip"), (".json", nil), ("x", nil), ("x.unknown", nil),
        ("notes.md", "text/markdown"), ("dir.png/x", nil),
    ])
    func extensionsTellMediaTypes(path: String, expected: String?) async throws {
        let text = try await sentText(["f": .bytes([1], fileName: path)])
        #expect(text.contains("Content-Type: \(expected ?? "application/octet-stream")\r\n"))
    }
}

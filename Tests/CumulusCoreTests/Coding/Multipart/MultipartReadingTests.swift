// SPDX-License-Identifier: Apache-2.0

import CumulusTesting
import HTTPTypes
import Synchronization
import TestSupport
import Testing

@testable import CumulusCore

@Suite struct MultipartReadingTests {
    private func parts(_ text: String, boundary: String = "b", limits: MultipartLimits = .init()) throws
        -> [ReceivedPart]
    {
        let type = MediaType("multipart", "mixed", parameters: [.init(name: "boundary", value: boundary)])
        return try ReceivedPart.parts(of: ByteChunk(text), type, limits: limits)
    }

    private func problem(_ text: String, limits: MultipartLimits = .init()) -> MultipartProblem.Kind? {
        #expect(throws: MultipartProblem.self) { try parts(text, limits: limits) }?.kind
    }

    @Test(arguments: [
        ("--b\r\nA: 1\r\n\r\nx\r\n--b--", ["x"]),
        ("preamble\r\n--b\r\n\r\nx\r\n--b--\r\nepilogue\r\n--b\r\n\r\nno", ["x"]),
        ("\r\n--b \t\r\n\r\nx\r\n--b\t--no\r\n--b-- \r\n", ["x\r\n--b\t--no"]),
        ("--b\r\n\r\n\r\n--b\r\n\r\n\r\n\r\n--b--", ["", "\r\n"]),
        ("--b\r\nA: 1\r\n\r\n--b--", [""]),
        ("--b\r\n\r\n--bx\r\n--b--x\r\n--b-\r\n-b\r--b\n--b\r\n--b--", ["--bx\r\n--b--x\r\n--b-\r\n-b\r--b\n--b"]),
        ("--b--\r\n", []),
        ("--b\r\n\r\nx\r\r\n--b--", ["x\r"]),
    ]) func boundariesAreToldFromContent(text: String, expected: [String]) throws {
        #expect(try parts(text).map(\.text) == expected)
    }

    @Test(
        arguments: [
            ("", .missingStart), ("--c\r\n\r\nx\r\n--c--", .missingStart), ("x--b\r\n\r\nx", .missingStart),
            ("--b\n\nx\n--b--", .missingStart), ("--b\r\n\r\nx", .missingEnd), ("--b\r\n\r\nx\r\n--b", .missingEnd),
            ("--c\r\n\r\nx\r\n--b--", .missingStart), ("--b\r\n\r\nx\r\n--b-", .missingEnd),
            ("--b\r\nA: 1", .missingEnd),
            ("--b\r\n\r\nx\r\n--b\r\n", .missingEnd),
            ("--b\r\nA 1\r\n\r\nx\r\n--b--", .header), ("--b\r\n: 1\r\n\r\nx\r\n--b--", .header),
            ("--b\r\nA: 1\0\r\n\r\nx\r\n--b--", .header), ("--b\r\nA: 1\rB: 2\r\n\r\nx\r\n--b--", .header),
            ("--b\r\nA: 1\nB: 2\r\n\r\nx\r\n--b--", .header), ("--b\r\nA b: 1\r\n\r\nx\r\n--b--", .header),
        ] as [(String, MultipartProblem.Kind)]
    )
    func brokenBodiesAreRefused(text: String, kind: MultipartProblem.Kind) {
        #expect(problem(text) == kind)
    }

    @Test func headersAreRead() throws {
        let part = try #require(
            try parts(
                "--b\r\ncontent-type:text/plain;\r\n\tcharset=iso-8859-1 \r\nX-A: 1\r\nx-a: 2\r\n"
                    + "Content-Range: bytes 2-3/10\r\n\r\nx\r\n--b--"
            ).first
        )
        #expect(part.mediaType?["charset"] == "iso-8859-1")
        #expect(part.headers[values: HTTPField.Name("X-A") ?? .accept] == ["1", "2"])
        #expect(part.contentRange == ContentRange(2...3, of: 10))
        #expect(part.name == nil)
    }

    @Test(arguments: [
        ("form-data; name=\"a\"; filename=\"b\"", "a", "b"), ("form-data; filename=b ; name=a", "a", "b "),
        ("form-data; NAME=\"a;b%22%0d%0A%41\"", "a;b\"\r\n%41", nil),
        ("form-data; name=\"a\\\"; filename=\"x\"", "a\\", "x"),
        ("form-data", nil, nil), ("form-data; name", nil, nil), ("form-data; name=\"open", "open", nil),
        ("form-data; filename*=UTF-8''x; name=日本", "日本", nil),
    ]) func dispositionsAreRead(value: String, name: String?, fileName: String?) throws {
        let part = try #require(try parts("--b\r\nContent-Disposition: \(value)\r\n\r\nx\r\n--b--").first)
        #expect(part.name == name)
        #expect(part.fileName == fileName)
    }

    @Test func everyLimitHolds() {
        let three = "--b\r\n\r\nx\r\n--b\r\n\r\nx\r\n--b\r\n\r\nx\r\n--b--"
        var limits = MultipartLimits()
        limits.parts = 3
        #expect(throws: Never.self) { try parts(three, limits: limits) }
        limits.parts = 2
        #expect(problem(three, limits: limits) == .tooLarge)
        limits = MultipartLimits()
        limits.headerSize = 20
        #expect(problem("--b\r\nA: 12345678901234567890\r\n\r\nx\r\n--b--", limits: limits) == .tooLarge)
        #expect(problem("--b\r\nA: 12345678901234567890", limits: limits) == .tooLarge)
        limits = MultipartLimits()
        limits.partSize = 2
        #expect(problem("--b\r\n\r\nxyz\r\n--b--", limits: limits) == .tooLarge)
    }

    @Test func everyByteBoundaryReadsTheSame() throws {
        let text = "pre\r\n--b\r\nA: 1\r\n\r\nx\r\n--bad\r\n-\r\n\r\n--b \r\n\r\n\r\n--b\r\n\r\n\r\r\n--b--\r\nepi"
        let whole = try parts(text).map(\.text)
        #expect(whole == ["x\r\n--bad\r\n-\r\n", "", "\r"])
        let bytes = Array(text.utf8)
        for step in 1...9 {
            var parser = MultipartParser(boundary: "b", limits: MultipartLimits())
            var texts: [[UInt8]] = []
            for start in stride(from: 0, to: bytes.count, by: step) {
                parser.take(ByteChunk(Array(bytes[start..<min(bytes.count, start + step)])))
                try drain(&parser, into: &texts)
            }
            parser.finish()
            try drain(&parser, into: &texts)
            #expect(texts.map { String(decoding: $0, as: UTF8.self) } == whole, "in steps of \(step)")
        }
    }

    private func drain(_ parser: inout MultipartParser, into texts: inout [[UInt8]]) throws {
        while let event = try parser.next() {
            switch event {
            case .begin: texts.append([])
            case .bytes(let bytes): texts[texts.count - 1] += bytes
            case .end: break
            }
        }
    }

    @Test func contentThatIsFullOfLineEndsIsReadInTime() throws {
        for piece in ["\r", "\r\n", "\r\n-", "\r\n--", "--b"] {
            let content = String(repeating: piece, count: SlowTests.rounds(1 << 17, of: 1 << 19))
            #expect(try parts("--b\r\n\r\n\(content)\r\n--b--").first?.bytes.count == content.utf8.count)
        }
    }

    @Test func whateverComesIsReadOrRefused() throws {
        var generator = SystemRandomNumberGenerator()
        let pieces = ["--b", "\r\n", "--", "A: 1", "\r", "\n", "x", " ", "b", "-", ":"]
        for _ in 0..<SlowTests.rounds(1_000, of: 5_000) {
            let count = Int.random(in: 0..<24, using: &generator)
            let text = "--b\r\n" + (0..<count).map { _ in pieces.randomElement(using: &generator) ?? "" }.joined()
            let whole = Result { try parts(text).map(\.bytes.bytes) }
            let apart = Result { () -> [[UInt8]] in
                var parser = MultipartParser(boundary: "b", limits: MultipartLimits())
                var texts: [[UInt8]] = []
                for byte in text.utf8 {
                    parser.take(ByteChunk([byte]))
                    try drain(&parser, into: &texts)
                }
                parser.finish()
                try drain(&parser, into: &texts)
                return texts
            }
            #expect((try? whole.get()) == (try? apart.get()), "\(text.debugDescription)")
        }
    }

    @Test func whatIsWrittenIsReadAgain() async throws {
        let transport = StubTransport { request in
            .response(headers: [.contentType: request.headers[.contentType] ?? ""], body: request.body)
        }
        let content: [UInt8] = (0..<100_000).map { _ in [13, 10, 45, 98][Int.random(in: 0..<4)] }
        let form: MultipartForm = [
            "a \"quoted\"\r\n": .bytes(content, fileName: "naïve \"日本\".bin"), "b": "text", "": .json([1]), "b": "",
        ]
        let site = Resource("http://a.example", transport: transport.watched)
        let parts = try await site.post(.multipart(form)).parts()
        #expect(parts.map(\.name) == ["a \"quoted\"\r\n", "b", "", "b"])
        #expect(parts.first?.fileName == "naïve \"日本\".bin")
        #expect(parts.first?.bytes.bytes == content)
        #expect(try parts[2].json() == [1])
        #expect(parts[1].text == "text" && parts[3].text == "")
    }

    @Test func byteRangesComeAsTheyAreRead() async throws {
        let body =
            "--b\r\nContent-Range: bytes 0-1/9\r\n\r\nab\r\n--b\r\nContent-Range: bytes 4-8/9\r\n\r\nefghi\r\n--b--\r\n"
        let steps = body.utf8.map { StubResponse.Step.chunk([$0]) }
        let transport = StubTransport { _ in
            .script(steps, status: .partialContent, headers: [.contentType: "multipart/byteranges; boundary=\"b\""])
        }
        let site = Resource("http://a.example", transport: transport.watched)
        var seen: [String] = []
        for try await part in try await site.call(.get).stream().parts() {
            let content = try await part.collect()
            seen.append("\(part.contentRange?.description ?? "?") \(content.text ?? "")")
        }
        #expect(seen == ["bytes 0-1/9 ab", "bytes 4-8/9 efghi"])
        // Unread content is skipped, and the next part is still found.
        var ranges: [Int64?] = []
        for try await part in try await site.call(.get).stream().parts() { ranges.append(part.contentRange?.length) }
        #expect(ranges == [2, 5])
    }

    @Test func aPartIsReadBeforeTheNext() async throws {
        let transport = StubTransport { _ in
            .response(
                headers: [.contentType: "multipart/mixed; boundary=b"],
                body: Array("--b\r\n\r\nx\r\n--b\r\n\r\ny\r\n--b--".utf8)
            )
        }
        let stream = try await Resource("http://a.example", transport: transport.watched).call(.get).stream().parts()
        let iterator = stream.makeAsyncIterator()
        let first = try #require(try await iterator.next())
        let second = try #require(try await iterator.next())
        let error = await #expect(throws: MultipartProblem.self) { try await first.collect() }
        #expect(error?.kind == .invalidUse)
        // An error persists: reading doesn't continue as if nothing had happened.
        await #expect(throws: MultipartProblem.self) { try await second.collect() }
    }

    @Test(arguments: ["text/plain", "multipart/mixed", "multipart/mixed; boundary=\"\"", nil])
    func whatIsNotMultipartIsRefused(type: String?) async throws {
        let transport = StubTransport { _ in .response(headers: type.map { [.contentType: $0] } ?? [:], body: [1]) }
        let site = Resource("http://a.example", transport: transport.watched)
        let response = try await site.get()
        let error = #expect(throws: CumulusError.self) { try response.parts() }
        #expect(error?.code == .decoding)
        #expect(error?.cause is MultipartProblem)
        let stream = try await site.call(.get).stream()
        #expect(throws: CumulusError.self) { try stream.parts() }
    }
}

// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTestServer
import CumulusTesting
import HTTPTypes
import TestSupport
import Testing

/// Encoded request bodies.
@Suite struct CompressedPayloadTests {
    /// Echoes the body with the same coding, which the client decodes.
    private let transport = StubTransport { request in
        .response(headers: [.contentEncoding: request.headers[.contentEncoding]], body: request.body)
    }
    private var site: Resource { Resource("http://a.example", transport: transport.watched) }
    private let long = String(repeating: "clouds and rain, ", count: 20_000)

    private var sent: StubRequest? { transport.lastRequest }

    @Test(arguments: [ContentCoding.gzip, .deflate]) func valuesAreCompressed(coding: ContentCoding) async throws {
        let answer = try await site.post(.json(["text": long]).compressed(by: coding))
        #expect(try answer.json()["text"].string == long)
        #expect(sent?.headers[.contentEncoding] == coding.name)
        #expect(sent?.headers[.contentType] == "application/json")
        #expect((sent?.body.count ?? 0) < 5_000)
        #expect(sent?.request.body.length == sent.map { Int64($0.body.count) })
    }

    @Test("A body that doesn't get smaller is sent unchanged, unless that is turned off")
    func smallBodiesAreLeftAlone() async throws {
        try await site.post(.text("short").compressed()).requireSuccess()
        #expect(sent?.headers[.contentEncoding] == nil && sent?.text == "short")
        try await site.post(.bytes([UInt8]()).compressed()).requireSuccess()
        #expect(sent?.headers[.contentEncoding] == nil)
        let answer = try await site.post(.text("short").compressed(keepingSmaller: false))
        #expect(sent?.headers[.contentEncoding] == "gzip" && answer.text == "short")
        try await site.post(Payload.none.compressed(keepingSmaller: false)).requireSuccess()
        #expect(sent?.headers[.contentEncoding] == nil && sent?.body == [])
    }

    @Test func bytesThatHaveACodingGetAnother() async throws {
        let answer = try await site.put(
            .bytes(CodedSample.gzip).compressed(by: .deflate, keepingSmaller: false),
            headers: [.contentEncoding: "gzip"]
        )
        #expect(sent?.headers[.contentEncoding] == "gzip, deflate")
        #expect(answer.text == CodedSample.text)
    }

    @Test func streamsAreCompressedWhileTheyAreSent() async throws {
        let long = long
        let chunks = AsyncStream<[UInt8]> { continuation in
            for _ in 0..<3 { continuation.yield(Array(long.utf8)) }
            continuation.finish()
        }
        let answer = try await site.put(.stream(chunks, length: Int64(3 * long.utf8.count)).compressed())
        #expect(answer.text == long + long + long)
        #expect(sent?.headers[.contentEncoding] == "gzip")
        #expect(sent?.request.body.length == nil && sent?.request.body.isReplayable == false)
    }

    @Test func aStreamOfAnotherLengthIsAnError() async throws {
        let chunks = AsyncStream<[UInt8]> { continuation in
            continuation.yield([1, 2, 3])
            continuation.finish()
        }
        let error = try await failure { try await site.put(.stream(chunks, length: 4).compressed()) }
        #expect(error.code == .requestBody)
    }

    @Test("A file can be sent again, also compressed")
    func filesAreCompressedAndReplayed() async throws {
        let transport = StubTransport { request in
            guard request.path == "/b" else { return .response(.temporaryRedirect, headers: [.location: "/b"]) }
            return .response(headers: [.contentEncoding: request.headers[.contentEncoding]], body: request.body)
        }
        let file = try TemporaryFile(Array(long.utf8))
        let body = RequestBody.file(FileBody(path: file.path, length: Int64(long.utf8.count)))
        let answer = try await Resource("http://a.example", transport: transport.watched)["a"].put(
            .body(body).compressed()
        )
        #expect(answer.text == long && answer.history.count == 1)
    }

    @Test("A digest of the body covers the compressed one")
    func digestsAreOfTheCompressedBody() async throws {
        var options = DigestSpace.Options()
        options.protections = ["auth-int"]
        let space = DigestSpace(user: "ada", password: "love", options: options)
        let site = Resource("http://a.example", transport: StubTransport.digest(space).watched) {
            $0.authorizers = [.digest(user: "ada", password: "love", protectsBodies: true)]
        }
        let answer = try await site["x"].post(.text(long).compressed())
        let size = try #require(answer.text?.split(separator: " ").last.flatMap { Int($0) })
        #expect(size > 0 && size < 5_000)
    }

    @Test("A curl command doesn't show a compressed body, which may contain secrets")
    func curlLeavesTheBodyOut() async throws {
        let payload = Payload.json(["password": long]).compressed()
        let shown = try await site.call(.post, payload).curl()
        #expect(shown.contains("Content-Encoding: gzip") && shown.contains("--data-binary @-"))
        #expect(!shown.contains("printf"))
        #expect(try await site.call(.post, payload).curl(includingSecrets: true).contains("printf %b"))
    }

    @Test func aCodingThatIsOnlyUndoneIsAnError() async throws {
        let coding = ContentCoding(
            name: "odd",
            decoder: { () throws(ContentCodingProblem) in throw ContentCodingProblem("never") }
        )
        let error = try await failure { try await site.post(.text(long).compressed(by: coding)) }
        #expect(error.code == .encoding && error.stage == .encoding)
        #expect("\(error)".contains("odd can be decoded, but not encoded"))
        #expect(transport.requests.isEmpty)
    }

    @Test func aPayloadSaysWhatItIs() {
        #expect("\(Payload.text("x").compressed())" == "text of 1 bytes, compressed by gzip")
    }
}

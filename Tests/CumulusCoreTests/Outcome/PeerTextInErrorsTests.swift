// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives
import CumulusTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import CumulusCore

/// A peer's text in errors and logs contains no terminal controls.
@Suite struct PeerTextInErrorsTests {
    private static let evil = "\u{1B}[2J\u{9B}31m\u{202E}x\u{200D}\u{2800}\u{FEFF}\r\n\u{7F}"

    private func expectHarmless(_ text: String) {
        #expect(!text.unicodeScalars.contains { PeerText.steers($0) || PeerText.hides($0) }, "\(text.debugDescription)")
        #expect(text.unicodeScalars.count < 3_000)
    }

    private func failure(
        _ body: String,
        type: String = "application/json",
        status: HTTPResponse.Status = .ok,
        _ run: (Resource) async throws -> Void
    ) async throws {
        let transport = StubTransport { _ in
            .response(status, headers: [.contentType: type], body: Array(body.utf8))
        }
        let site = Resource("http://a.example", transport: transport.watched)
        let error = await #expect(throws: CumulusError.self) { try await run(site) }
        let shown = try #require(error)
        expectHarmless(shown.message)
        expectHarmless(shown.description)
        if let cause = shown.cause { expectHarmless("\(cause)") }
    }

    @Test("a service's own texts have no controls", arguments: [evil, String(repeating: "long ", count: 10_000)])
    func services(text: String) async throws {
        let json = JSON.string(text).description
        try await failure("{\"error\":{\"code\":\(json),\"message\":\(json)}}", status: .badRequest) {
            _ = try await $0.get(as: JSON.self)
        }
        try await failure(
            "{\"title\":\(json),\"detail\":\(json)}",
            type: "application/problem+json",
            status: .badRequest
        ) {
            _ = try await $0.get(as: JSON.self)
        }
        try await failure("{\"error\":\(json)}", status: .internalServerError) { _ = try await $0.get(as: JSON.self) }
        var details = ProblemDetails()
        (details.title, details.detail) = (text, text)
        expectHarmless(details.description)
        details = ProblemDetails()
        details.type = text
        expectHarmless(details.description)
    }

    @Test("names of members and media types contain no controls")
    func bodies() async throws {
        let key = JSON.string(Self.evil).description
        try await failure("{\(key):\"x\"}") { _ = try await $0.get(as: [String: Int].self) }
        try await failure("{\"a\":{\(key):[{}]}}") { _ = try await $0.get(as: [String: [String: [Int]]].self) }
        try await failure(String(repeating: "9", count: 50_000)) { _ = try await $0.get(as: Int.self) }
        try await failure("x", type: "multipart/mixed; boundary=\"\u{9B}\u{202E}\"") { _ = try await $0.get().parts() }
    }

    @Test("quotations in problems contain no controls")
    func problems() {
        let evil = Self.evil
        expectHarmless(CodingProblem(evil).description)
        expectHarmless(MultipartProblem(.header, evil).description)
        expectHarmless(FieldProblem(.path, key: evil, path: evil, evil).description)
        expectHarmless(FileProblem("move \(evil) to", "/tmp/\(evil)", because: "it is odd").description)
        expectHarmless(LineProblem(line: 1, cause: CodingProblem(evil), in: .empty).description)
        expectHarmless(CumulusError(.transport, stage: .delivery, evil).description)
        expectHarmless(PeerText.quoted(evil))
        expectHarmless("\(TransportFailure(.other, evil))")
        expectHarmless(LoggedBody(ByteChunk(Array(evil.utf8)), limit: 100).description)
        struct Odd: Error, CustomStringConvertible { let description: String }
        expectHarmless(
            DecodingProblem(Odd(description: evil), type: Int.self, bytes: .empty, mediaType: nil).description
        )
        expectHarmless(EncodingProblem(Odd(description: evil), type: Int.self, mediaType: nil).description)
    }

    @Test("a secret's name is recognized even if a combining mark follows it")
    func secretsAreKnownByTheirBytes() {
        #expect(Redaction.isSecret("access_token\u{301}"))
        #expect(BodyRedaction.redactedPairs("token\u{301}=hunter2&a=b") == "token\u{301}=<redacted>&a=b")
        #expect(BodyRedaction.redactedPairs("a=b&\u{301}token=hunter2") == "a=b&\u{301}token=<redacted>")
    }
}

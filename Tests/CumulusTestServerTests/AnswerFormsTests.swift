// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTestServer
import CumulusTesting
import HTTPTypes
import Testing

/// Fixtures and stubs' responses have the same factories; the loopback server's, too (`GuessedFormsTests`).
@Suite(.timeLimit(.minutes(10))) struct AnswerFormsTests {
    struct Post: Codable, Sendable { var id: Int }

    private static let post = Post(id: 1)
    private static let headers: Headers = ["X-Total": "3"]

    /// The same responses of each kind: by value, dynamic, unchanged, as text, as bytes, without a body.
    private static let stubs: [StubResponse] = [
        .json(post, status: .created, headers: headers), .json(["a": [1, "b"]] as JSON), .json(#"{"a":1}"#),
        .text("hi", headers: headers), .bytes([1, 2], type: .bytes), .status(.noContent, headers: headers),
    ]
    private static let fixtures: [Fixture] = [
        .json(post, status: .created, headers: headers), .json(["a": [1, "b"]] as JSON), .json(#"{"a":1}"#),
        .text("hi", headers: headers), .bytes([1, 2], type: .bytes), .status(.noContent, headers: headers),
    ]

    private func check(_ answers: [Response]) {
        #expect(answers.map(\.statusCode) == [201, 200, 200, 200, 200, 204])
        let texts = [#"{"id":1}"#, #"{"a":[1,"b"]}"#, #"{"a":1}"#, "hi", "\u{1}\u{2}", ""]
        #expect(answers.map { String(decoding: $0.data, as: UTF8.self) } == texts)
        #expect(answers.map { $0.headers["X-Total"] } == ["3", nil, nil, "3", nil, "3"])
        #expect(answers.prefix(3).allSatisfy { $0.mediaType?.essence == "application/json" })
        #expect(answers[3].mediaType?.essence == "text/plain")
    }

    private func answers(of site: Resource) async throws -> [Response] {
        var answers: [Response] = []
        for number in 0..<6 { answers.append(try await site[number].get()) }
        return answers
    }

    @Test func stubsAnswer() async throws {
        let transport = StubTransport { request in Self.stubs[Int(request.path.dropFirst()) ?? 0] }
        check(try await answers(of: Resource("http://a.example", transport: transport)))
    }

    @Test func fixturesAnswer() async throws {
        let site = Resource("http://a.example", transport: StubTransport { _ in .failure(CancellationError()) })
        var set = FixtureSet()
        for (number, fixture) in Self.fixtures.enumerated() {
            set[try FixtureSignature(parsing: "GET /\(number)")] = fixture
        }
        site.setRules { $0.fixtures = set }
        check(try await answers(of: site))
    }

    @Test("values of several types and variables may be mixed") func mixed() async throws {
        let (name, missing): (String, Int?) = ("Ada", nil)
        let text = #"{"name":"Ada","count":7,"at":null}"#
        let stub = StubTransport { _ in .json(["name": name, "count": 7, "at": missing], status: .created) }
        let stubbed = try await Resource("http://a.example", transport: stub).get()
        #expect(stubbed.text == text && stubbed.status == .created && stubbed.mediaType?.essence == "application/json")
        let site = Resource("http://a.example", transport: stub)
        var set = FixtureSet()
        set[try FixtureSignature(parsing: "GET /x")] = .json(["name": name, "count": 7, "at": missing])
        site.setRules { $0.fixtures = set }
        #expect(try await site["x"].get().text == text)
        guard case .bytes(let served) = ServerResponse.json(["name": name, "count": 7, "at": missing]).content else {
            Issue.record("no bytes")
            return
        }
        #expect(String(decoding: served, as: UTF8.self) == text)
        let moved = ServerResponse.redirect(to: "/b", headers: ["Set-Cookie": "a=1", "Set-Cookie": "b=2"])
        #expect(moved.headers[.location] == "/b" && moved.headers[values: .setCookie] == ["a=1", "b=2"])
    }

    @Test func answersAreLate() {
        #expect(StubResponse.text("", delay: .seconds(1)).delayed(by: .seconds(1)).delay == .seconds(2))
        #expect(ServerResponse.text("", delay: .seconds(1)).delayed(by: .seconds(1)).delay == .seconds(2))
        #expect(Fixture.text("", delay: .seconds(1)).delayed(by: .seconds(1)).delay == .seconds(2))
    }

    @Test func aFieldThatCannotBeSentIsTold() async throws {
        let bad: Headers = ["no token": "v"]
        let stub = Resource("http://a.example", transport: StubTransport { _ in .text("", headers: bad) })
        await #expect(throws: (any Error).self) { try await stub.get() }
        stub.setRules { $0.fixtures = ["GET /": .text("", headers: bad)] }
        await #expect(throws: CumulusError.self) { try await stub.get() }
        #expect(ServerResponse(headers: bad).status == .internalServerError)
    }
}

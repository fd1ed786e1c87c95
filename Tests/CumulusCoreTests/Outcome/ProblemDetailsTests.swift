// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTesting
import HTTPTypes
import TestSupport
import Testing

@Suite struct ProblemDetailsTests {
    /// The example of RFC 9457 section 3.
    private let text = """
        {"type":"https://example.com/probs/out-of-credit","title":"You do not have enough credit.",
        "detail":"Your current balance is 30, but that costs 50.","instance":"/account/12345/msgs/abc",
        "balance":30,"accounts":["/account/12345","/account/67890"]}
        """

    private func site(_ body: String, type: String = "application/problem+json") -> Resource {
        let transport = StubTransport { _ in
            .response(.forbidden, headers: [.contentType: type], body: Array(body.utf8))
        }
        return Resource("http://a.example", transport: transport.watched)
    }

    @Test func membersAndExtensionsAreRead() async throws {
        let problem = try #require(try await site(text).get().problem)
        #expect(problem.type == "https://example.com/probs/out-of-credit")
        #expect(problem.title == "You do not have enough credit.")
        #expect(problem.detail == "Your current balance is 30, but that costs 50.")
        #expect(problem.instance == "/account/12345/msgs/abc")
        #expect(problem.status == nil)
        #expect(problem["balance"] == 30)
        #expect(problem["accounts"][1] == "/account/67890")
        #expect(problem["none"].isNull)
        #expect(try problem.json == JSON(parsing: text))
        #expect(try JSON(encoding: problem).decode(as: ProblemDetails.self) == problem)
    }

    @Test func anyErrorWithAResponseHasIt() async throws {
        let error = await #expect(throws: CumulusError.self) { try await site(text).get(as: JSON.self) }
        #expect(error?.code == .status)
        #expect(error?.problem?["balance"] == 30)
        #expect(error.map { "\($0)".contains("credit") } == false)
    }

    @Test func itCanBeTheServicesError() async throws {
        let site = site(text)
        site.setRules { $0.errorDecoders = [.problemDetails] }
        let error = await #expect(throws: CumulusError.self) { try await site.get().requireSuccess() }
        #expect(error?.serviceError(as: ProblemDetails.self)?.title == "You do not have enough credit.")
    }

    @Test("RFC 9457 section 3.1: members of the wrong type are ignored")
    func wrongTypes() async throws {
        let body = #"{"type":1,"title":["x"],"status":"403","detail":null,"instance":{},"more":null}"#
        let problem = try #require(try await site(body).get().problem)
        #expect(problem.type == "about:blank")
        #expect(problem.title == nil && problem.status == nil && problem.detail == nil && problem.instance == nil)
        #expect(problem.extensions["more"]?.isNull == true)
        #expect("\(problem)" == "about:blank")
    }

    @Test(arguments: [
        ("[]", "application/problem+json"), ("{", "application/problem+json"), ("{}", "application/json"),
    ])
    func whatIsNoneIsNil(body: String, type: String) async throws {
        #expect(try await site(body, type: type).get().problem == nil)
    }

    @Test func parametersOfTheMediaTypeDoNotMatter() async throws {
        let problem = try await site("{\"status\":404}", type: "Application/Problem+JSON; charset=utf-8").get().problem
        #expect(problem?.status == 404)
    }

    @Test func whatIsNoObjectDoesNotDecode() {
        #expect(throws: DecodingError.self) { try JSON.array([]).decode(as: ProblemDetails.self) }
    }
}

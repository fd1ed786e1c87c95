// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTesting
import HTTPTypes
import TestSupport
import Testing

/// Errors that a service reports in its bodies.
@Suite struct ServiceErrorTests {
    private struct Refusal: Error, Decodable, Equatable, Sendable {
        var reason: String
    }

    private func site(
        _ body: String,
        status: HTTPResponse.Status = .ok,
        type: String = "application/json"
    ) -> Resource {
        let transport = StubTransport { _ in .response(status, headers: [.contentType: type], body: Array(body.utf8)) }
        return Resource("http://a.example", transport: transport.watched)
    }

    private func error(_ call: () async throws -> Void) async throws -> CumulusError {
        try #require(await #expect(throws: CumulusError.self) { try await call() })
    }

    @Test(
        "the message of an error without one is the one next to it",
        arguments: [
            #"{"message":"The given data was invalid.","errors":{"email":["is taken"]}}"#,
            #"{"error":{"code":7},"message":"The given data was invalid."}"#,
            #"{"errors":[],"message":"The given data was invalid."}"#,
            #"{"error":{"message":"The given data was invalid."},"message":"no"}"#,
        ]
    )
    func messageNextToTheError(body: String) throws {
        let body = try JSON(parsing: body)
        let error = try #require(ServiceError(in: body, members: ["error", "errors", "message"]))
        #expect(error.message == "The given data was invalid.")
    }

    @Test func anEmptyListOfErrorsIsNoError() throws {
        #expect(ServiceError(in: try JSON(parsing: #"{"errors":[],"data":1}"#), members: ["errors"]) == nil)
        #expect(ServiceError(in: try JSON(parsing: "[1]"), members: ["errors"]) == nil)
    }

    @Test("a 200 body can be an error, for every call that requires success")
    func everyKindOfCall() async throws {
        let site = site(#"{"error":"no_such_user","message":"Who?"}"#)
        site.setRules { $0.errorDecoders = [.jsonMember("error", "error_code")] }
        let calls: [() async throws -> Void] = [
            { _ = try await site.get(as: JSON.self) }, { try await site.post(body: "x").requireSuccess() },
            { _ = try await site.put(body: "x", as: String.self) },
            { _ = try await site.patch(body: "x", as: JSON.self) },
            { try await site.delete().requireSuccess() }, { try await site.options().requireSuccess() },
            { try await site.get().requireSuccess() },
        ]
        for call in calls {
            let error = try await error(call)
            #expect(error.code == .service)
            #expect(error.stage == .validation)
            #expect(error.statusCode == 200)
            #expect(error.serviceError()?.code == "no_such_user")
            #expect(error.serviceError()?.message == "Who?")
            #expect(error.serviceError()?.body["message"] == "Who?")
            #expect(error.message.contains("\"no_such_user: Who?\""))
        }
        #expect(try await site.get().status == .ok)
        #expect(try await site.get().failure?.code == .service)
    }

    @Test func aStreamsBadStatusIsReadToo() async throws {
        let bad = site(#"{"error":"down"}"#, status: .serviceUnavailable)
        bad.setRules { $0.errorDecoders = [.jsonMember("error")] }
        let error = try await error { _ = try await bad.call(.get).stream() }
        #expect(error.code == .service && error.statusCode == 503)
        // A body that is read as it arrives is not examined.
        let good = site(#"{"error":"down"}"#)
        good.setRules { $0.errorDecoders = [.jsonMember("error")] }
        var count = 0
        for try await chunk in try await good.call(.get).stream() { count += chunk.count }
        #expect(count == 16)
    }

    @Test(arguments: [
        (#"{"error":"invalid_grant","error_description":"expired"}"#, "invalid_grant", "expired"),
        (#"{"error_code":190,"error_msg":"token"}"#, "190", "token"),
        (#"{"error":{"code":"rate","message":"slow down","type":"x"}}"#, "rate", "slow down"),
        (#"{"error":"Not authorized"}"#, "Not authorized", "Not authorized"),
        (#"{"error":true,"detail":"d"}"#, nil, "d"), (#"{"error":{}}"#, nil, nil), (#" {"error":[1]}"#, nil, nil),
        (#"{"error":null,"error_code":3}"#, "3", nil),
    ]) func membersAreRead(body: String, code: String?, message: String?) async throws {
        let site = site(body, status: .badRequest)
        site.setRules { $0.errorDecoders = [.jsonMember("error", "error_code")] }
        let error = try await error { try await site.get().requireSuccess() }
        let found = try #require(error.serviceError())
        #expect(found.code == code)
        #expect(found.message == message)
    }

    @Test(arguments: [
        #"{"error":null}"#, #"{"error":false}"#, "[]", #"[{"error":1}]"#, "", "{", #""error""#,
        #"{"data":{"error":1}}"#,
    ]) func whatHasNoSuchMemberIsNoError(body: String) async throws {
        let site = site(body)
        site.setRules { $0.errorDecoders = [.jsonMember("error")] }
        try await site.get().requireSuccess()
        let bad = self.site(body, status: .notFound)
        bad.setRules { $0.errorDecoders = [.jsonMember("error")] }
        #expect(try await error { try await bad.get().requireSuccess() }.code == .status)
    }

    @Test func onlyJSONIsLookedAt() async throws {
        let site = site(#"{"error":1}"#, type: "text/html")
        site.setRules { $0.errorDecoders = [.jsonMember("error")] }
        try await site.get().requireSuccess()
    }

    @Test func yourOwnTypeIsThrown() async throws {
        let bad = site(#"{"reason":"tired"}"#, status: .conflict)
        bad.setRules { $0.errorDecoders = [.decoding(Refusal.self)] }
        let error = try await error { try await bad["child"].get().requireSuccess() }
        #expect(error.serviceError(as: Refusal.self) == Refusal(reason: "tired"))
        #expect(error.serviceError() == nil)
        let other = site("<html>", status: .conflict, type: "text/html")
        other.setRules { $0.errorDecoders = [.decoding(Refusal.self)] }
        #expect(try await self.error { try await other.get().requireSuccess() }.code == .status)
        let good = site(#"{"reason":"tired"}"#)
        good.setRules { $0.errorDecoders = [.decoding(Refusal.self)] }
        try await good.get().requireSuccess()
        good.setRules { $0.errorDecoders = [.decoding(Refusal.self, where: { $0.status == .ok })] }
        #expect(try await self.error { try await good.get().requireSuccess() }.code == .service)
    }

    @Test func theNearestDecoderIsAskedFirst() async throws {
        struct Named: Error { let name: String }
        let site = site("{}")
        site.setRules { $0.errorDecoders = [ErrorDecoder { _ in Named(name: "root") }] }
        let child = site["child"]
        child.setRules { $0.errorDecoders = [ErrorDecoder { $0.status == .ok ? Named(name: "child") : nil }] }
        #expect(
            try await error { try await child.get().requireSuccess() }.serviceError(as: Named.self)?.name == "child"
        )
        child.setRules { $0.errorDecoders = [ErrorDecoder { _ in nil }] }
        #expect(try await error { try await child.get().requireSuccess() }.serviceError(as: Named.self)?.name == "root")
        child.setRules { $0.errorDecoders = .replacing([]) }
        try await child.get().requireSuccess()
        child.setRules { $0.inherit(\.errorDecoders) }
        #expect(try await error { try await child.get().requireSuccess() }.code == .service)
    }

    @Test func aValidatorSeesNoServiceError() async throws {
        let site = site(#"{"error":1}"#)
        site.setRules {
            $0.errorDecoders = [.jsonMember("error")]
            $0.validators = [{ _ in throw Refusal(reason: "validator") }]
        }
        #expect(try await error { _ = try await site.get(as: JSON.self) }.code == .service)
    }

    @Test func aCutOffBodyIsNoServiceError() async throws {
        let body = #"{"error":"x","padding":""# + String(repeating: "y", count: 70_000) + "\"}"
        let site = site(body, status: .badGateway)
        site.setRules { $0.errorDecoders = [.jsonMember("error")] }
        let error = try await error { try await site.get().requireSuccess() }
        #expect(error.code == .status)
        #expect(error.response?.bytes.count == 65_536)
    }

    @Test("GraphQL's errors keep their code and message; an empty list is none")
    func graphQL() async throws {
        let body =
            #"{"data":null,"errors":[{"message":"Sign in","extensions":{"code":"UNAUTHENTICATED"}},{"message":"x"}]}"#
        let site = site(body)
        site.setRules { $0.errorDecoders = [.jsonMember("errors")] }
        let error = try await error { _ = try await site.get(as: JSON.self) }
        let cause = try #require(error.cause as? ServiceError)
        #expect(cause.code == "UNAUTHENTICATED" && cause.message == "Sign in")
        #expect("\(error)".contains("UNAUTHENTICATED: Sign in"))
        let empty = self.site(#"{"data":{},"errors":[]}"#)
        empty.setRules { $0.errorDecoders = [.jsonMember("errors")] }
        _ = try await empty.get(as: JSON.self)
        let texts = self.site(#"{"errors":["first","second"]}"#)
        texts.setRules { $0.errorDecoders = [.jsonMember("errors")] }
        let other = try await self.error { _ = try await texts.get(as: JSON.self) }
        #expect((other.cause as? ServiceError)?.message == "first")
    }
}

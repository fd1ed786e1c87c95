// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTesting
import HTTPTypes
import TestSupport
import Testing

@testable import CumulusOAuth

/// The answers of token endpoints, including hostile ones.
@Suite struct TokenResponseTests {
    private func error(answering answer: StubResponse) async throws -> OAuth2Error {
        let transport = StubTransport { routes in
            routes.on(.post, "/token", answer)
            routes.on(nil, "*", .text("never"))
        }
        let site = Resource("https://api.example.com", transport: transport.watched) {
            $0.authorizers.append(
                .oauth2(.clientCredentials(id: "atlas", secret: "s3cret"), tokens: "https://id.example.com/token")
            )
        }
        let error = try await failure { try await site.get() }
        #expect(error.code == .authorization && error.stage == .authorization)
        #expect(transport.requests.count == 1)
        return try #require(error.cause as? OAuth2Error)
    }

    private static func token(_ rest: String) -> String { #"{"access_token":"t","token_type":"Bearer"\#(rest)}"# }

    @Test(
        "Invalid answers are refused",
        arguments: [
            "", "null", "[]", "1", "{", "{}", #"{"access_token":"t","token_type":1}"#,
            #"{"access_token":1,"token_type":"Bearer"}"#,
            #"{"access_token":"","token_type":"Bearer"}"#, #"{"access_token":"a b","token_type":"Bearer"}"#,
            #"{"access_token":"a\r\nX: y","token_type":"Bearer"}"#, #"{"access_token":"ü","token_type":"Bearer"}"#,
            token(#","refresh_token":1"#),
            String(repeating: "[", count: 10_000),
        ]
    )
    func badAnswers(text: String) async throws {
        #expect(try await error(answering: .json(text)).code == .malformedResponse)
    }

    @Test(
        "a token without a type is a Bearer token",
        arguments: [
            "", #","token_type":null"#, #","token_type":"""#, #","expires_in":5184000"#, #","token_type":"bearer""#,
        ]
    )
    func missingType(rest: String) async throws {
        let transport = StubTransport { routes in
            routes.on(.post, "/token", .json(#"{"access_token":"t"\#(rest)}"#))
            routes.on(nil, "*", .text("fine"))
        }
        let site = Resource("https://api.example.com", transport: transport.watched) {
            $0.authorizers.append(
                .oauth2(.clientCredentials(id: "atlas", secret: "s3cret"), tokens: "https://id.example.com/token")
            )
        }
        try await site.get().requireSuccess()
        #expect(transport.lastRequest?.headers[.authorization] == "Bearer t")
    }

    @Test func otherKindsOfTokensAreRefused() async throws {
        let text = #"{"access_token":"t","token_type":"mac"}"#
        #expect(try await error(answering: .json(text)).code == .unsupported)
    }

    @Test func longAnswersAreCutOff() async throws {
        let transport = StubTransport { routes in
            routes.on(.post, "/token", .json(#"{"a":""# + String(repeating: "x", count: 70_000) + #""}"#))
        }
        let site = Resource("https://api.example.com", transport: transport.watched) {
            $0.authorizers.append(
                .oauth2(.clientCredentials(id: "atlas", secret: "s3cret"), tokens: "https://id.example.com/token")
            )
        }
        let error = try await failure { try await site.get() }
        #expect((error.cause as? CumulusError)?.code == .bodyTooLarge)
    }

    @Test("the server's texts are escaped and truncated, and never repeat the secret")
    func refusalsAreFitToPrint() async throws {
        let long = String(repeating: "x", count: 5_000)
        let text = #"{"error":"invalid_request","error_description":"\u001b[31m\u202e\#(long)"}"#
        let refused = try await error(answering: .json(text, status: .badRequest))
        #expect(refused.code == .refused && refused.error == "invalid_request" && refused.status == 400)
        let said = try #require(refused.errorDescription)
        #expect(said.hasPrefix("\\u001b[31m\\u202e") && said.count < 300)
        let echo = #"{"error":"invalid_client","error_description":"the secret s3cret is wrong"}"#
        let leaked = try await error(answering: .json(echo, status: .unauthorized))
        #expect(leaked.errorDescription == "<redacted>" && !"\(leaked)".contains("s3cret"))
    }

    @Test("A meaningless status is not a refusal", arguments: [200, 400, 401, 404, 500, 503])
    func otherStatuses(code: Int) async throws {
        let answer = StubResponse.text("<html>", status: .init(code: code))
        #expect(try await error(answering: answer).code == .malformedResponse)
    }

    @Test("A token endpoint's redirects are not followed", arguments: ["https://evil.example/t", "/other"])
    func redirectsAreRefused(location: String) async throws {
        for code in [301, 302, 303, 307, 308] {
            let answer = StubResponse.response(.init(code: code), headers: [.location: location])
            let refused = try await error(answering: answer)
            #expect(refused.code == .malformedResponse && refused.status == code)
        }
    }

    @Test(
        "Lifetimes are whole seconds, from numbers or digits; anything else is no lifetime",
        arguments: [
            ("3600", 3_600), (#""3600""#, 3_600), ("0", 0), ("60.0", 60), ("1.5", 1), ("3599.5", 3_599),
            (#""3599.5""#, 3_599), ("-1", nil), (#""-1""#, nil), ("true", nil), (#"" 1""#, nil), (#""""#, nil),
            (#"".""#, nil), (#""1e9""#, nil), ("[1]", nil), ("null", nil),
        ]
    )
    func lifetimes(text: String, seconds: Int?) throws {
        let answer = try TokenResponse(JSON(parsing: TokenResponseTests.token(#","expires_in":\#(text)"#)))
        #expect(answer.lifetime == seconds.map { .seconds($0) })
    }

    @Test(arguments: ["9223372036854775807", "1e30", "1e400", "99999999999999999999", #""99999999999999999999""#])
    func aLifetimeBeyondAllMeasureIsBounded(text: String) throws {
        let json = try JSON(parsing: TokenResponseTests.token(#","expires_in":\#(text)"#))
        #expect(try TokenResponse(json).lifetime == TokenResponse.longestLife)
    }

    @Test("The type is case-insensitive", arguments: ["bearer", "BEARER", "Bearer"])
    func typesInAnyCase(type: String) throws {
        let json = try JSON(parsing: #"{"access_token":"t","token_type":"\#(type)"}"#)
        #expect(try TokenResponse(json).access == "t")
    }

    @Test func anExchangeMustSayWhatItIssued() throws {
        let json = try JSON(parsing: TokenResponseTests.token(""))
        #expect(throws: OAuth2Error.self) { try TokenResponse(json, isExchange: true) }
    }

    @Test("RFC 6749 2.3.1: identifier and secret are form-encoded before they are joined")
    func clientsProveWhoTheyAre() async throws {
        let client = OAuth2Client(id: "s6BhdRkqt3", secret: "7Fjfp0ZBr1KtDRbnfVdmIw")
        #expect(TokenChannel.basic(client) == "Basic czZCaGRSa3F0Mzo3RmpmcDBaQnIxS3REUmJuZlZkbUl3")
        // "a%3Ab:c%20%2B%C3%BC"
        #expect(TokenChannel.basic(OAuth2Client(id: "a:b", secret: "c +ü")) == "Basic YSUzQWI6YyUyMCUyQiVDMyVCQw==")
    }

    @Test("RFC 7636 appendix B: the challenge for a verifier")
    func proofKeys() {
        let key = CodeVerifier(verifier: "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk")
        #expect(key.challenge == "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM")
    }

    @Test("options show the names of additional fields, and none of their values")
    func printedOptions() {
        let options = OAuth2Options(
            scope: "read",
            resources: ["https://ada:hunter2@a.example/?token=hunter2"],
            parameters: ["audience": "hunter2", "shared": "hunter2"]
        )
        let shown = ["\(options)", String(reflecting: options), "\([options])", "\(Optional(options) as Any)"]
        #expect(shown.allSatisfy { !$0.contains("hunter2") && $0.contains("audience") && $0.contains("scope read") })
        var dumped = ""
        dump(options, to: &dumped)
        #expect(!dumped.contains("hunter2"))
    }

    @Test("nothing prints a token or a secret")
    func nothingPrintsASecret() {
        let token = OAuth2Token(access: "at-1", refresh: "rt-1", scope: "s")
        let client = OAuth2Client(id: "atlas", secret: "s3cret")
        let authorizer = OAuth2Authorizer(.clientCredentials(client), server: .issuer("https://id.example.com"))
        let printed = Printed()
        printed.add("\(token)", token)
        printed.add("\(client)", client)
        printed.add("\(authorizer)", authorizer)
        for secret in ["at-1", "rt-1", "s3cret"] { #expect(!printed.text.contains(secret), "\(printed.text)") }
    }

    @Test func optionsShowResourcesWithoutTheirSecrets() {
        let options = OAuth2Options(
            resources: [
                "https://a.example/x?k=s3cret", "urn:atlas:notes", "api://notes?k=s3cret", "api://ada:s3cret@x",
            ]
        )
        let shown = "https://a.example/x?k=<redacted>, urn:atlas:notes, api://notes, <redacted>"
        #expect("\(options)" == "OAuth 2 options: for \(shown)")
    }
}

// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTestServer
import CumulusTesting
import HTTPTypes
import Synchronization
import TestSupport
import Testing

@testable import CumulusOAuth

/// Refusals by the server that issues tokens, whatever they quote and with whatever status, and by the service.
@Suite(.timeLimit(.minutes(10))) struct TokenRefusalTests {
    private static let secret = "s/e+c=r e%t&\u{E4}"

    /// The error of a request whose token request was refused with a text about it.
    private func refusal(
        _ grant: OAuth2Grant,
        status: Int = 400,
        _ quote: @escaping @Sendable (StubRequest) -> String
    ) async throws -> OAuth2Error {
        let transport = StubTransport { routes in
            routes.on(.post, "/token") { request in
                let text = JSON.string(quote(request))
                let members: [(String, JSON)] = [("error", "invalid_request"), ("error_description", text)]
                return .json(JSON.object(JSON.Object(members)).description, status: .init(code: status))
            }
        }
        let site = Resource("https://api.example.com", transport: transport.watched) {
            $0.authorizers.append(.oauth2(grant, tokens: "https://id.example.com/token"))
        }
        return try #require(try await failure { try await site.get() }.cause as? OAuth2Error)
    }

    private static let grants: [OAuth2Grant] = [
        .clientCredentials(id: "a:b", secret: Secret(secret)),
        .clientCredentials(OAuth2Client(id: "a:b", secret: Secret(secret), authentication: .body)),
        .password(user: "ada", Secret(secret), client: "cli"), .refreshToken(Secret(secret), client: "cli"),
        .exchange(TokenExchange(subject: Secret(secret)), client: "cli"),
    ]

    private static let echoes: [@Sendable (String) -> String] = [
        { $0 }, { $0.lowercased() }, { $0.replacing("%20", with: "+") }, { PercentEncoding.encode($0) },
        { PercentEncoding.decode($0) }, { "in \"\($0)\"" },
    ]

    @Test("A server that quotes the request's form doesn't put secrets into errors", arguments: 1..<5, 0..<6)
    func quotedForms(grant: Int, echo: Int) async throws {
        let error = try await refusal(Self.grants[grant]) { "bad: \(Self.echoes[echo]($0.text))" }
        #expect(error.errorDescription == "<redacted>")
        #expect(!"\(error)".contains("s/e") && !"\(error)".lowercased().contains("s%2fe"))
    }

    @Test("A server that quotes Basic authentication doesn't put the client's secret into errors", arguments: 0..<4)
    func quotedProofs(echo: Int) async throws {
        let error = try await refusal(Self.grants[0]) { request in
            let field = request.headers[.authorization] ?? ""
            let forms = [
                field, String(field.dropFirst(6)).replacing("=", with: ""), PercentEncoding.encode(field),
                "a%3Ab:" + PercentEncoding.encode(Self.secret),
            ]
            return "bad client: \(forms[echo])"
        }
        #expect(error.errorDescription == "<redacted>")
        #expect(!"\(error)".contains("YSUzQWI6") && !"\(error)".contains("s%2Fe"))
    }

    @Test func textsWithoutASecretAreShown() async throws {
        let error = try await refusal(Self.grants[0]) { "bad: \($0.text), 100% + more" }
        #expect(error.errorDescription == "bad: grant_type=client_credentials, 100% + more")
    }

    @Test(
        "Codes, verifiers and assertions are found in their escaped forms",
        arguments: [
            "code", "device_code", "code_verifier", "assertion", "client_assertion", "refresh_token", "subject_token",
        ]
    )
    func escapedFields(name: String) {
        let secrets = QuotedSecrets(in: [(name, "x/1+y"), ("scope", "read")], of: "cli")
        #expect(secrets.areQuoted(in: "no \(name)=x%2f1%2By here") && secrets.areQuoted(in: "x/1+y"))
        #expect(!secrets.areQuoted(in: "scope=read is unknown to cli"))
    }

    @Test("A known code decides and is shown, even if a secret is a part of it")
    func codesDecideUnredacted() {
        let secrets = QuotedSecrets(["grant", "n"])
        let error = OAuth2Error(refusal: "invalid_grant", "the grant", status: 400, hiding: secrets)
        #expect(error.isInvalidGrant && error.error == "invalid_grant")
        #expect(error.errorDescription == "<redacted>")
        #expect(OAuth2Error(refusal: "no grant", nil, status: 400, hiding: secrets).error == "<redacted>")
        #expect(OAuth2Error(refusal: "access_denied", nil, status: nil, hiding: secrets).code == .denied)
    }

    @Test("An error decides, even with status 200")
    func refusalsWithSuccess() async throws {
        let error = try await refusal(Self.grants[2], status: 200) { _ in "no" }
        #expect(error.code == .refused && error.error == "invalid_request" && error.status == 200)
        #expect(error.errorDescription == "no")
    }

    @Test("A device code is polled further if the server says with status 200 that it must wait, as GitHub does")
    func pendingWithSuccess() async throws {
        let bench = OAuth2Bench()
        let answers = Mutex([
            #"{"error":"authorization_pending"}"#, #"{"error":"slow_down","interval":10}"#,
            #"{"access_token":"t","token_type":"bearer"}"#,
        ])
        let transport = StubTransport { routes in
            routes.on(.post, "/oauth/token") { _ in .json(answers.withLock { $0.removeFirst() }) }
            bench.service.install(in: &routes)
            routes.on(nil, "*") { .text($0.headers[.authorization] ?? "") }
        }
        let site = Resource("https://api.example.com", transport: transport.watched) {
            $0.clock = bench.clock
            $0.authorizers.append(bench.authorizer(.deviceCode(client: "cli") { _ in }))
        }
        let call = Task { try await site.get() }
        for wait in [5, 5, 10] {
            try await eventually { bench.clock.timeToNextSleeper == .seconds(wait) }
            bench.clock.advance(by: .seconds(wait))
        }
        #expect(try await call.value.text == "Bearer t")
    }

    @Test("A service that always answers 401 costs one renewal in five seconds, not one for each request")
    func serviceThatAlwaysRefuses() async throws {
        let bench = OAuth2Bench()
        let transport = StubTransport { routes in
            bench.service.install(in: &routes)
            routes.on(nil, "*", .response(.unauthorized))
        }
        let site = Resource("https://api.example.com", transport: transport.watched) {
            $0.clock = bench.clock
            $0.authorizers.append(bench.authorizer(OAuth2Bench.password))
        }
        for _ in 0..<5 { #expect(try await site.get().status.code == 401) }
        #expect(bench.service.count(of: "refresh_token") == 1)
        bench.clock.advance(by: TokenState.trial)
        for _ in 0..<5 { #expect(try await site.get().status.code == 401) }
        #expect(bench.service.count(of: "refresh_token") == 2)
        #expect(bench.service.count(of: "password") == 1)
    }

    @Test("Why no other token is tried is in the attempt and in the error: the new one was refused, or lacks a scope")
    func reasons() async throws {
        for (challenge, reason) in [
            ("Bearer error=\"invalid_token\"", "the server also refused a new token"),
            ("Bearer error=\"insufficient_scope\"", "the token lacks a scope that the server requires"),
        ] {
            func site() -> Resource {
                let bench = OAuth2Bench()
                let transport = StubTransport { routes in
                    bench.service.install(in: &routes)
                    routes.on(nil, "*") { _ in .response(.unauthorized, headers: [.wwwAuthenticate: challenge]) }
                }
                let site = Resource("https://api.example.com", transport: transport.watched) {
                    $0.clock = bench.clock
                    $0.authorizers.append(bench.authorizer(OAuth2Bench.password))
                }
                return site
            }
            let response = try await site().get()
            #expect(response.status == .unauthorized)
            #expect(response.attempts.last?.retry?.obstacle == .challenge(reason))
            let error = try await #require(throws: CumulusError.self) { _ = try await site().get(as: String.self) }
            #expect("\(error)".contains("(\(reason))"))
        }
    }

    @Test("A renewed token that the service took and then refuses is renewed at once")
    func renewedTokenThatIsRevoked() async throws {
        let bench = OAuth2Bench()
        let site = bench.site
        site.setRules { $0.authorizers.append(bench.authorizer(OAuth2Bench.password)) }
        for renewals in 0...4 {
            #expect(try await site.get().status == .ok)
            #expect(bench.service.count(of: "refresh_token") == renewals)
            bench.service.expireAccessTokens()
        }
    }
}

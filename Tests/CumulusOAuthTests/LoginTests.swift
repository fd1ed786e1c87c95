// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTestServer
import CumulusTesting
import HTTPTypes
import Synchronization
import TestSupport
import Testing

@testable import CumulusOAuth

/// Logins by a person: device codes and authorization codes; exchange, and logging out.
@Suite(.timeLimit(.minutes(10))) struct LoginTests {
    /// A browser that signs in immediately, and returns with a test's version of the redirect.
    private struct Browser: RedirectReceiver {
        let opened = Shown()
        var change: @Sendable (String) -> String = { $0 }
        let transport: StubTransport

        func receive(
            _ isExpected: @escaping @Sendable (Query) -> Bool,
            _ begin: @escaping @Sendable (String) async throws -> Void
        ) async throws -> Query {
            try await begin("http://127.0.0.1:9/callback")
            guard let url = opened.last else { throw CancellationError() }
            let site = Resource(url, transport: transport.watched) { $0.redirects = .none }
            let location = try await site.get().header("Location") ?? ""
            let query = Query(parsing: change(String(location.drop { $0 != "?" }.dropFirst())))
            guard isExpected(query) else { throw Unexpected() }
            return query
        }
    }

    private struct Unexpected: Error {}

    private final class Shown: Sendable {
        private let texts = Mutex<[String]>([])
        func add(_ text: String) { texts.withLock { $0.append(text) } }
        var last: String? { texts.withLock(\.last) }
        var count: Int { texts.withLock(\.count) }
    }

    private func code(
        _ bench: OAuth2Bench,
        _ change: @escaping @Sendable (String) -> String = { $0 }
    ) -> (OAuth2Grant, Shown) {
        let browser = Browser(change: change, transport: bench.transport)
        return (.authorizationCode(client: "cli", receiver: browser) { browser.opened.add($0) }, browser.opened)
    }

    @Test func anAuthorizationCodeIsFetchedWithItsVerifier() async throws {
        let bench = OAuth2Bench(scope: "read write")
        let (grant, opened) = code(bench)
        bench.site.setRules { $0.authorizers.append(bench.authorizer(grant)) }
        #expect(try await bench.site.get().isSuccessful)
        let url = try #require(opened.last)
        #expect(url.hasPrefix("https://id.example.com/oauth/authorize?response_type=code&client_id=cli"))
        #expect(url.contains("&code_challenge_method=S256") && url.contains("scope=read%20write"))
        let request = try #require(bench.tokenRequests.first)
        #expect(request.text.contains("code_verifier=") && request.headers[.authorization] == nil)
        #expect(request.text.contains("redirect_uri=http%3A%2F%2F127.0.0.1%3A9%2Fcallback"))
        bench.service.expireAccessTokens()
        #expect(try await bench.site.get().isSuccessful)
        #expect(bench.service.count(of: "authorization_code") == 1 && opened.count == 1)
    }

    @Test(
        "Redirects of other logins, refusals, and repeated codes yield no token",
        arguments: [
            "code=x&state=other", "code=x", "error=access_denied&error_description=no&KEEP", "KEEP",
            "code=x&code=y&KEEP", "code=&KEEP", "code=x&KEEP&KEEP",
        ]
    )
    func badRedirects(query: String) async throws {
        let bench = OAuth2Bench()
        let (grant, _) = code(bench) { redirect in
            let state = redirect.split(separator: "&").first { $0.hasPrefix("state=") } ?? ""
            return query.replacing("KEEP", with: state)
        }
        bench.site.setRules { $0.authorizers.append(bench.authorizer(grant)) }
        await #expect(throws: CumulusError.self) { _ = try await bench.site.get() }
        #expect(bench.tokenRequests.isEmpty)
    }

    @Test("RFC 9207: a redirect from another issuer is refused")
    func mixUp() throws {
        var endpoints = try OAuth2Endpoints(
            tokens: OAuth2Bench.tokens,
            authorization: nil,
            device: nil,
            revocation: nil
        )
        endpoints.issuer = "https://id.example.com"
        let options = OAuth2Options(random: { 7 })
        let state = options.nonce(24)
        let login = CodeLogin(endpoints, "cli", options)
        func query(_ issuer: String) -> Query { Query(parsing: "code=x&state=\(state)\(issuer)") }
        #expect(try login.code(query("&iss=https://id.example.com")) == "x")
        #expect(try login.code(query("")) == "x")
        #expect(throws: OAuth2Error.self) { try login.code(query("&iss=https://evil.example")) }
        endpoints.namesIssuer = true
        let strict = CodeLogin(endpoints, "cli", options)
        #expect(throws: OAuth2Error.self) { try strict.code(query("")) }
    }

    @Test func nobodyIsWaitedForForever() async throws {
        struct Nobody: RedirectReceiver {
            func receive(
                _ isExpected: @escaping @Sendable (Query) -> Bool,
                _ begin: @escaping @Sendable (String) async throws -> Void
            ) async throws -> Query {
                try await begin("http://127.0.0.1:9/")
                try await Gate().wait()
                return Query()
            }
        }
        let bench = OAuth2Bench()
        bench.site.setRules {
            $0.authorizers.append(
                bench.authorizer(.authorizationCode(client: "cli", receiver: Nobody()) { _ in })
            )
        }
        let call = Task { [site = bench.site] in try await site.get() }
        try await eventually { bench.clock.timeToNextSleeper == .seconds(300) }
        bench.clock.advance(by: .seconds(300))
        let error = try await failure { try await call.value }
        #expect((error.cause as? OAuth2Error)?.code == .expired)
    }

    @Test("RFC 8628: the device polls at its interval until someone has typed the code")
    func deviceCodes() async throws {
        let bench = OAuth2Bench()
        let shown = Shown()
        let grant = OAuth2Grant.deviceCode(client: "cli") { shown.add("\($0.code) \($0.url) \($0.lifetime)") }
        bench.site.setRules { $0.authorizers.append(bench.authorizer(grant)) }
        let call = Task { [site = bench.site] in try await site.get() }
        for _ in 0..<3 {
            try await eventually { bench.clock.timeToNextSleeper == .seconds(5) }
            bench.clock.advance(by: .seconds(5))
        }
        try await eventually { bench.clock.timeToNextSleeper == .seconds(5) }
        #expect(shown.last == "WDJB-1001 https://id.example.com/device 600.0 seconds" && shown.count == 1)
        bench.service.decide(true)
        bench.clock.advance(by: .seconds(5))
        #expect(try await call.value.isSuccessful)
        #expect(bench.tokenRequests.count == 4)
    }

    @Test("slow_down makes the interval five seconds longer, and a connection failure doubles it")
    func slowDown() async throws {
        let bench = OAuth2Bench()
        let answers = StubResponses([
            .json(#"{"error":"slow_down"}"#, status: .badRequest), .failure(TransportFailure(.connect, "no")),
            .json(#"{"error":"authorization_pending"}"#, status: .badRequest),
            .json(#"{"access_token":"t","token_type":"Bearer"}"#),
        ])
        let transport = StubTransport { routes in
            routes.on(.post, "/oauth/token") { _ in answers.next() }
            bench.service.install(in: &routes)
            routes.on(nil, "*", .text("in"))
        }
        let site = Resource("https://api.example.com", transport: transport.watched) {
            $0.clock = bench.clock
            $0.authorizers.append(bench.authorizer(.deviceCode(client: "cli") { _ in }))
        }
        let call = Task { try await site.get() }
        for wait in [5, 10, 20, 20] {
            try await eventually { bench.clock.timeToNextSleeper == .seconds(wait) }
            bench.clock.advance(by: .seconds(wait))
        }
        #expect(try await call.value.isSuccessful)
    }

    @Test func deviceCodesExpireAndAreRefused() async throws {
        let bench = OAuth2Bench()
        let authorizer = bench.authorizer(.deviceCode(client: "cli") { _ in })
        bench.site.setRules { $0.authorizers.append(authorizer) }
        let call = Task { [site = bench.site] in try await site.get() }
        for _ in 0..<119 {
            try await eventually { bench.clock.timeToNextSleeper == .seconds(5) }
            bench.clock.advance(by: .seconds(5))
        }
        let error = try await failure { try await call.value }
        #expect((error.cause as? OAuth2Error)?.code == .expired)
        bench.clock.advance(by: .seconds(2))
        let again = Task { [site = bench.site] in try await site.get() }
        try await eventually { bench.clock.timeToNextSleeper == .seconds(5) }
        bench.service.decide(false)
        bench.clock.advance(by: .seconds(5))
        let refusal = try await failure { try await again.value }
        #expect((refusal.cause as? OAuth2Error)?.code == .denied)
    }

    @Test(
        "The server's texts about a device code are checked before they are shown",
        arguments: [
            "{}",
            #"{"device_code":"d","user_code":"u\u001b[2J","verification_uri":"https://id.example.com","expires_in":9}"#,
            #"{"device_code":"d","user_code":"u","verification_uri":"javascript:alert(1)","expires_in":9}"#,
            #"{"device_code":"d","user_code":"u","verification_uri":"http://id.example.com","expires_in":9}"#,
            #"{"device_code":"d","user_code":"u","verification_uri":"https://id.example.com"}"#,
            #"{"device_code":"d","user_code":"u","verification_uri":"https://id.example.com","expires_in":-9}"#,
        ]
    )
    func badDevicePrompts(text: String) throws {
        let json = try JSON(parsing: text)
        #expect(throws: OAuth2Error.self) { try DeviceLogin(json) }
    }

    @Test("RFC 8693: a token in exchange for another")
    func exchange() async throws {
        let bench = OAuth2Bench()
        bench.site.setRules { $0.authorizers.append(bench.authorizer(OAuth2Bench.password)) }
        let other = Resource("https://other.example.com", transport: bench.transport.watched)
        let user = bench.authorizer(OAuth2Bench.password)
        let site = bench.site
        let exchange = TokenExchange(subject: { try await user.token(for: site) }, audience: "other")
        other.setRules {
            $0.authorizers.append(
                bench.authorizer(.exchange(exchange, client: OAuth2Client(id: "atlas", secret: "s3cret")))
            )
        }
        #expect(try await other.get().isSuccessful)
        let request = try #require(bench.tokenRequests.last)
        #expect(request.text.contains("subject_token=access-1&") && request.text.contains("audience=other"))
        #expect(bench.service.count(of: "exchange") == 1)
    }

    @Test("RFC 7009: logging out revokes the tokens, and requests fail until the next login")
    func loggingOut() async throws {
        let bench = OAuth2Bench()
        let store = MemoryTokenStore()
        let (grant, opened) = code(bench)
        let authorizer = bench.authorizer(grant, store: store)
        bench.site.setRules { $0.authorizers.append(authorizer) }
        try await authorizer.logIn(for: bench.site)
        try await bench.site.get().requireSuccess()
        try await authorizer.logOut(for: bench.site)
        #expect(bench.service.revocations == 1 && store.token() == nil)
        let revocation = try #require(bench.transport.requests.last)
        #expect(revocation.text == "token=refresh-2&token_type_hint=refresh_token&client_id=cli")
        let error = try await failure { try await bench.site.get() }
        #expect((error.cause as? OAuth2Error)?.code == .ended && opened.count == 1)
        try await authorizer.logIn(for: bench.site)
        #expect(try await bench.site.get().isSuccessful && opened.count == 2)
    }

    @Test func afterALogoutTheFirstRefreshTokenIsNotTriedAgain() async throws {
        let bench = OAuth2Bench()
        let store = MemoryTokenStore()
        bench.site.setRules { $0.authorizers.append(bench.authorizer(OAuth2Bench.password, store: store)) }
        try await bench.site.get().requireSuccess()
        let first = try #require(store.token()?.refresh)
        let site = Resource("https://api.example.com", transport: bench.transport.watched)
        let authorizer = bench.authorizer(.refreshToken(first, client: "cli"))
        site.setRules { $0.authorizers.append(authorizer) }
        try await site.get().requireSuccess()
        try await authorizer.logOut(for: site)
        let count = bench.tokenRequests.count
        let error = try await failure { try await site.get() }
        #expect((error.cause as? OAuth2Error)?.code == .ended)
        #expect(bench.tokenRequests.count == count && bench.service.reuses == 0)
    }

    @Test func aLoginReplacesTheTokenThatThereIs() async throws {
        let bench = OAuth2Bench()
        let authorizer = bench.authorizer(OAuth2Bench.password)
        bench.site.setRules { $0.authorizers.append(authorizer) }
        try await authorizer.logIn(for: bench.site)
        try await authorizer.logIn(for: bench.site)
        #expect(try await bench.site.get().text == "Bearer access-2")
        #expect(try await authorizer.token(for: bench.site) == "access-2")
    }

    @Test func clientsMayProveThemselvesInTheBody() async throws {
        let bench = OAuth2Bench()
        let client = OAuth2Client(id: "atlas", secret: "s3cret", authentication: .body)
        bench.site.setRules { $0.authorizers.append(bench.authorizer(.clientCredentials(client))) }
        try await bench.site.get().requireSuccess()
        let request = try #require(bench.tokenRequests.first)
        #expect(request.text == "grant_type=client_credentials&client_id=atlas&client_secret=s3cret")
        #expect(request.headers[.authorization] == nil)
    }

    /// Answers in order, repeating the last answer.
    private final class StubResponses: Sendable {
        private let rest: Mutex<[StubResponse]>
        init(_ answers: [StubResponse]) { rest = Mutex(answers) }
        func next() -> StubResponse {
            rest.withLock { $0.count > 1 ? $0.removeFirst() : $0.first ?? .response(.notFound) }
        }
    }
}

// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTesting
import HTTPTypes
import Testing

/// Basic and Bearer, their precedence, and their origin.
@Suite struct AuthorizationTests {
    private struct Signer: Authorizer {
        let name: String
        func authorize(_ request: inout EncodedRequest) async throws {
            request.headers[.cookie] = (request.headers[.cookie] ?? "") + name
            if request.headers[.authorization] == nil { request.headers[.authorization] = name }
        }
    }

    private let echo = Echo()
    private var site: Resource { echo.site }

    private func proof(_ resource: Resource) async throws -> String? {
        try await resource.get().requireSuccess()
        return echo.transport.lastRequest?.headers[.authorization]
    }

    @Test("credentials are sent with the first request")
    func credentialsAreSentWithTheFirstRequest() async throws {
        site.setRules { $0.credentials = Credentials(user: "foo", password: "bar") }
        #expect(try await proof(site["a"]) == "Basic Zm9vOmJhcg==")
    }

    @Test("credentials can be read back, and without them no proof is sent")
    func credentialsCanBeReadBackAndForgotten() async throws {
        site.setRules { $0.credentials = Credentials(user: "foo", password: "bar") }
        #expect(site["a"].credentials?.user == "foo")
        site.setRules { $0.credentials = Credentials(user: "baz", password: "bar") }
        #expect(site.authorizers.count == 1)
        site.setRules { $0.credentials = nil }
        #expect(site.credentials == nil)
        #expect(try await proof(site) == nil)
    }

    @Test("Basic is sent in UTF-8, with a name and a password of 128 characters")
    func basicSpeaksUTF8AndCarries128Characters() async throws {
        let long = String(repeating: "ü", count: 128)
        site.setRules { $0.authorizers = [.basic(user: long, password: Secret(long))] }
        let sent = try #require(try await proof(site))
        #expect(sent.hasPrefix("Basic w7zDvMO8"))
        #expect(!sent.contains("\n"))
    }

    /// As most people write one: without asking whether there is a proof already.
    private struct Insisting: Authorizer {
        func authorize(_ request: inout EncodedRequest) async throws {
            request.headers[.authorization] = "Insisting"
            request.headers[.cookie] = "seen"
        }
    }

    @Test("A child's credentials win over its parent's own authorizer, which still adds its other fields")
    func theNearestProofWins() async throws {
        site.setRules { $0.authorizers = [.custom(Insisting())] }
        let child = site["a"]
        child.setRules { $0.credentials = Credentials(user: "foo", password: "bar") }
        #expect(try await proof(child) == "Basic Zm9vOmJhcg==")
        #expect(echo.transport.lastRequest?.headers[.cookie] == "seen")
        #expect(try await proof(site["b"]) == "Insisting")
        let other = site["c"]
        other.setRules { $0.authorizers = [.custom(Signer(name: "nearer"))] }
        #expect(try await proof(other) == "nearer")
    }

    @Test func aColonInTheUserNameIsRefused() async {
        site.setRules { $0.credentials = Credentials(user: "a:b", password: "c") }
        do {
            _ = try await site.get()
            Issue.record("it was sent")
        } catch {
            #expect((error as? CumulusError)?.code == .authorization)
            #expect((error as? CumulusError)?.stage == .authorization)
        }
        #expect(echo.transport.requests.isEmpty)
    }

    @Test func bearerSendsItsToken() async throws {
        site.setRules { $0.authorizers = [.bearer("abc.def")] }
        #expect(try await proof(site) == "Bearer abc.def")
    }

    @Test("a token that no header can carry is refused", arguments: ["", "a b", "a\r\nX: y", "ü"])
    func badTokensAreRefused(token: String) async {
        site.setRules { $0.authorizers = [.bearer(Secret(token))] }
        await #expect(throws: CumulusError.self) { _ = try await site.get() }
    }

    @Test("a child's authorizer comes before its parent's, and the first to set the header wins")
    func theChildsComesFirst() async throws {
        site.setRules { $0.authorizers = [.custom(Signer(name: "root"))] }
        let child = site["a"]
        child.setRules { $0.authorizers = [.custom(Signer(name: "leaf"))] }
        #expect(try await proof(child) == "leaf")
        #expect(echo.transport.lastRequest?.headers[.cookie] == "leafroot")
        child.setRules { $0.authorizers = .replacing([.custom(Signer(name: "only"))]) }
        #expect(try await proof(child) == "only")
        #expect(echo.transport.lastRequest?.headers[.cookie] == "only")
    }

    @Test func aRequestsOwnHeaderWins() async throws {
        site.setRules { $0.credentials = Credentials(user: "foo", password: "bar") }
        try await site.get(headers: [.authorization: "Mine x"]).requireSuccess()
        #expect(echo.transport.lastRequest?.headers[.authorization] == "Mine x")
    }

    @Test func credentialsForOneRequestGoOverThoseBelow() async throws {
        site.setRules { $0.authorizers = [.bearer("abc")] }
        #expect(try await proof(site.with { $0.credentials = Credentials(user: "a", password: "b") }) == "Basic YTpi")
        #expect(try await proof(site) == "Bearer abc")
    }

    @Test func whatAnAncestorIsGivenLaterIsUsed() async throws {
        let child = site["a"]["b"]
        #expect(try await proof(child) == nil)
        site.setRules { $0.credentials = Credentials(user: "a", password: "b") }
        #expect(try await proof(child) == "Basic YTpi")
    }

    @Test("secrets print as a placeholder")
    func secretsDoNotPrint() {
        let credentials = Credentials(user: "ada", password: "hunter2")
        var dumped = ""
        dump(credentials, to: &dumped)
        let bearer = "\(BearerAuthorizer("hunter2"))"
        let basic = "\(BoundAuthorizer.basic(user: "ada", password: "hunter2"))"
        for text in ["\(credentials)", String(reflecting: credentials), dumped, bearer, basic] {
            #expect(!text.contains("hunter2"))
        }
        #expect(credentials.password.revealed == "hunter2")
    }
}

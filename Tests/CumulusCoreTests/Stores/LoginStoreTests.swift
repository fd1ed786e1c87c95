// SPDX-License-Identifier: Apache-2.0

import CumulusAWS
import CumulusOAuth
import CumulusTesting
import Foundation
import HTTPTypes
import Synchronization
import TestSupport
import Testing

@testable import CumulusCore

/// After a login, a logout or a replaced user, a store no longer serves the responses of the user before.
@Suite(.timeLimit(.minutes(10))) struct LoginStoreTests {
    /// A service that returns the user of a token, and a server that issues tokens for the present user.
    private final class Service: Sendable {
        private let state = Mutex((user: "ann", tokens: 0))

        var user: String {
            get { state.withLock(\.user) }
            set { state.withLock { $0.user = newValue } }
        }

        /// A new token of the present user.
        var token: String {
            state.withLock { state in
                state.tokens += 1
                return "\(state.user)-\(state.tokens)"
            }
        }

        /// The user of an `Authorization` field; `nil` if that isn't the present user.
        func user(of field: String?) -> String? {
            let name = field?.split(separator: " ").last?.split(separator: "-").first.map(String.init)
            return name == user ? name : nil
        }
    }

    private let service = Service()
    private let store = SmallStore()
    private let clock = ManualClock()
    private let transport: StubTransport
    private let site: Resource
    private static let cacheable: Headers = [.cacheControl: "max-age=100000"]

    init() {
        let service = service
        transport = StubTransport { request in
            if request.path == "/token" {
                let token = service.token
                let text = #"{"access_token":"\#(token)","token_type":"Bearer","expires_in":3600,"refresh_token":"r"}"#
                return .response(headers: [.contentType: "application/json"], body: Array(text.utf8))
            }
            guard let user = service.user(of: request.headers[.authorization]) else {
                return .response(.unauthorized, headers: [.wwwAuthenticate: "Bearer"])
            }
            return .response(headers: Self.cacheable, body: Array(user.utf8))
        }
        let (store, clock) = (store, clock)
        site = Resource("https://a.example", transport: transport.watched) {
            $0.responseStore = store
            $0.clock = clock
            $0.retry = .never
        }
    }

    private func oauth(_ store: any TokenStore = MemoryTokenStore()) -> OAuth2Authorizer {
        OAuth2Authorizer(
            .clientCredentials(id: "atlas", secret: "s"),
            server: .endpoints(tokens: "https://a.example/token"),
            store: store
        )
    }

    private func me(_ resource: Resource, _ path: String = "me") async throws -> (user: String?, isHit: Bool) {
        let response = try await resource[path: path].get()
        return (response.text, response.storeNote == "hit")
    }

    private func expect(_ resource: Resource, _ user: String, hit: Bool, _ comment: Comment) async throws {
        let found = try await me(resource)
        #expect(found == (user, hit), comment)
    }

    @Test func oauthLoginsAndLogoutsAreOtherUsers() async throws {
        let authorizer = oauth()
        let site = site.with { $0.authorizers = [.custom(authorizer)] }
        try await expect(site, "ann", hit: false, "the first request")
        try await expect(site, "ann", hit: true, "the same user")
        try await authorizer.logOut(for: site)
        service.user = "bob"
        try await expect(site, "bob", hit: false, "another user after a logout")
        try await expect(site, "bob", hit: true, "the same user")
        service.user = "eve"
        try await authorizer.logIn(for: site)
        try await expect(site, "eve", hit: false, "another user after a login")
        service.user = "ann"
        try await authorizer.logIn(for: site)
        try await expect(site, "ann", hit: false, "the first user again: a login is a new one")
    }

    @Test func aRefreshedTokenOfTheSameUserKeepsTheCache() async throws {
        let site = site.with { $0.authorizers = [.custom(oauth())] }
        try await expect(site, "ann", hit: false, "the first request")
        clock.advance(by: .seconds(4_000))
        _ = try await me(site, "other")
        let tokens = transport.requests.filter { $0.path == "/token" }.count
        #expect(tokens == 2)
        try await expect(site, "ann", hit: true, "the token is another one, the user isn't")
    }

    @Test func aTokenOfAnotherLoginInTheStoreIsAnotherUser() async throws {
        let tokens = MemoryTokenStore()
        let (authorizer, other) = (oauth(tokens), oauth(tokens))
        let site = site.with { $0.authorizers = [.custom(authorizer)] }
        try await expect(site, "ann", hit: false, "the first request")
        service.user = "bob"
        try await other.logIn(for: site)
        // Another request notices that the token is refused.
        #expect(try await me(site, "other").user == "bob")
        try await expect(site, "bob", hit: false, "another program has logged in")
    }

    @Test("a token that was issued here, and comes back from the store after another user's, is another user")
    func returningToken() async throws {
        let tokens = MemoryTokenStore()
        let (authorizer, other) = (oauth(tokens), oauth(tokens))
        let site = site.with { $0.authorizers = [.custom(authorizer)] }
        try await expect(site, "ann", hit: false, "the first request")
        clock.advance(by: .seconds(4_000))
        _ = try await me(site, "renewed")
        let own = tokens.token()
        service.user = "bob"
        try await other.logIn(for: site)
        #expect(try await me(site, "other").user == "bob")
        try await expect(site, "bob", hit: false, "another program has logged in")
        service.user = "ann"
        tokens.keep(own)
        #expect(try await me(site, "third").user == "ann")
        try await expect(site, "ann", hit: false, "the first user is back")
    }

    @Test(arguments: [true, false])
    func eachTokenOfYourOwnCodeIsAnotherUserUnlessItHasTheName(isNamed: Bool) async throws {
        let service = service
        let site = site.with {
            $0.authorizers = [
                .bearer { _ in
                    BearerToken(service.token, lifetime: .seconds(1_000), user: isNamed ? service.user : nil)
                }
            ]
        }
        try await expect(site, "ann", hit: false, "the first request")
        try await expect(site, "ann", hit: true, "the same token")
        clock.advance(by: .seconds(1_001))
        _ = try await me(site, "other")
        try await expect(site, "ann", hit: isNamed, "a refreshed token")
        service.user = "bob"
        _ = try await me(site, "third")
        try await expect(site, "bob", hit: false, "the token of another user")
        service.user = "ann"
        _ = try await me(site, "fourth")
        try await expect(site, "ann", hit: isNamed, "the first user again")
    }

    @Test func eachAnswerToAPromptIsAnotherUser() async throws {
        let name = Mutex("ann")
        let transport = StubTransport { request in
            let expected = Credentials(user: name.withLock(\.self), password: "p").basic
            guard request.headers[.authorization] == expected else {
                return .response(.unauthorized, headers: [.wwwAuthenticate: "Basic realm=\"r\""])
            }
            return .response(headers: Self.cacheable, body: Array(name.withLock(\.self).utf8))
        }
        let store = store
        let site = Resource("https://a.example", transport: transport.watched) {
            $0.responseStore = store
            $0.authorizers = [.prompting { _ in Credentials(user: name.withLock(\.self), password: "p") }]
        }
        try await expect(site, "ann", hit: false, "the first request")
        try await expect(site, "ann", hit: true, "the same user")
        name.withLock { $0 = "bob" }
        #expect(try await me(site, "other").user == "bob")
        try await expect(site, "bob", hit: false, "another answer")
    }

    @Test func otherKeysOfAnAccountAreAnotherUser() async throws {
        let keys = Mutex(1)
        let transport = StubTransport { request in
            let id = request.headers[.authorization]?.split(separator: "=").dropFirst().first?.prefix(2) ?? "-"
            return .response(headers: Self.cacheable, body: Array(id.utf8))
        }
        let store = store
        let site = Resource("https://a.example", transport: transport.watched) {
            $0.responseStore = store
            $0.authorizers = [
                .aws(
                    .custom {
                        AWSCredentials(
                            accessKeyID: "K\(keys.withLock(\.self))",
                            secretAccessKey: "s",
                            expiration: .distantPast
                        )
                    },
                    region: "r",
                    service: "execute-api"
                )
            ]
        }
        try await expect(site, "K1", hit: false, "the first request")
        try await expect(site, "K1", hit: true, "the same keys")
        keys.withLock { $0 = 2 }
        #expect(try await me(site, "other").user == "K2")
        try await expect(site, "K2", hit: false, "other keys")
    }

    /// A cache is empty after that, but a change is still guarded by what this program has read before its token was renewed.
    @Test func aChangeIsGuardedByWhatWasReadWithAnEarlierToken() async throws {
        let service = service
        let transport = StubTransport { request in
            .response(request.method == .get ? .ok : .noContent, headers: [.eTag: "\"1\""], body: [])
        }
        let clock = clock
        let site = Resource("https://a.example", transport: transport.watched) {
            $0.clock = clock
            $0.tracksRevisions = true
            $0.conditions = .ifUnchanged
            $0.authorizers = [.bearer { _ in BearerToken(service.token, lifetime: .seconds(1_000)) }]
        }
        _ = try await site.get()
        clock.advance(by: .seconds(1_001))
        try await site.put(body: 1).requireSuccess()
        #expect(transport.lastRequest?.headers[.ifMatch] == "\"1\"")
        #expect(Set(transport.requests.map { $0.headers[.authorization] }).count == 2)
    }

    /// An authorizer whose user has a name.
    private final class Named: Authorizer {
        let user: Mutex<String>
        let next = Mutex<String?>(nil)
        let hasSingleUseCredentials: Bool
        /// Whether each request is another user's.
        private let changes: Bool

        init(_ user: String, hasSingleUseCredentials: Bool = false, changes: Bool = false) {
            self.user = Mutex(user)
            (self.hasSingleUseCredentials, self.changes) = (hasSingleUseCredentials, changes)
        }

        var identity: AuthorizerIdentity? { AuthorizerIdentity("Named", Secret(user.withLock(\.self))) }

        func authorize(_ request: inout EncodedRequest) async throws {
            if let name = next.withLock({ $0.take() }) { user.withLock { $0 = name } }
            if changes { user.withLock { $0 += "'" } }
            request.headers[.authorization] = "Named \(user.withLock(\.self))-0"
        }
    }

    @Test func aUserWhoLogsInWhileARequestIsAuthorizedOwnsItsResponse() async throws {
        let authorizer = Named("ann")
        let site = site.with { $0.authorizers = [.custom(authorizer)] }
        service.user = "bob"
        authorizer.next.withLock { $0 = "bob" }
        try await expect(site, "bob", hit: false, "looked up for ann, sent for bob")
        try await expect(site, "bob", hit: true, "the same user")
        service.user = "ann"
        authorizer.user.withLock { $0 = "ann" }
        try await expect(site, "ann", hit: false, "ann does not get what was sent for bob")
    }

    @Test("a read that is sent again for another user is stored for nobody, and has no condition of the user before")
    func loginBeforeARepetition() async throws {
        let (authorizer, store, clock) = (Named("ann", hasSingleUseCredentials: true), store, clock)
        let logsIn = Mutex(false)
        let transport = StubTransport { request in
            if logsIn.withLock({ $0 }) {
                logsIn.withLock { $0 = false }
                authorizer.user.withLock { $0 = "bob" }
                return .response(.misdirectedRequest)
            }
            let name = request.headers[.authorization] ?? "-"
            return .response(headers: [.cacheControl: "max-age=10", .eTag: "\"1\""], body: Array(name.utf8))
        }
        let site = Resource("https://a.example", transport: transport.watched) {
            $0.responseStore = store
            $0.clock = clock
            $0.authorizers = [.custom(authorizer)]
        }
        try await expect(site, "Named ann-0", hit: false, "the first request")
        clock.advance(by: .seconds(11))
        logsIn.withLock { $0 = true }
        try await expect(site, "Named bob-0", hit: false, "the second user's response")
        let names = transport.requests.suffix(2).map { $0.headers[.authorization] }
        #expect(names == ["Named ann-0", "Named bob-0"])
        #expect(transport.lastRequest?.headers[.ifNoneMatch] == nil)
        authorizer.user.withLock { $0 = "ann" }
        try await expect(site, "Named ann-0", hit: false, "the first user again")
        #expect(transport.lastRequest?.headers[.ifNoneMatch] == "\"1\"")
    }

    /// An authorizer that waits, if it should.
    private final class Waiting: Authorizer {
        let entered = Gate()
        let gate = Gate()
        let waits = Mutex(false)
        let identity: AuthorizerIdentity? = AuthorizerIdentity("Waiting")

        func authorize(_ request: inout EncodedRequest) async throws {
            guard waits.withLock({ $0 }) else { return }
            entered.open()
            try await gate.wait()
        }
    }

    @Test("a response belongs to the user whose credentials were sent, even if the one before is back meanwhile")
    func userWhoComesBack() async throws {
        let (user, waiting, store) = (Named("ann"), Waiting(), store)
        let transport = StubTransport { request in
            .response(headers: Self.cacheable, body: Array((request.headers[.authorization] ?? "-").utf8))
        }
        let site = Resource("https://a.example", transport: transport.watched) {
            $0.responseStore = store
            $0.authorizers = [.custom(user), .custom(waiting)]
        }
        waiting.waits.withLock { $0 = true }
        user.next.withLock { $0 = "bob" }
        let call = site["me"].call(.get).start()
        try await waiting.entered.wait()
        waiting.waits.withLock { $0 = false }
        user.user.withLock { $0 = "ann" }
        waiting.gate.open()
        // Bob's credentials were added before ann was back, so the request is looked up and authorized again.
        #expect(try await call.value.text == "Named ann-0")
        try await expect(site, "Named ann-0", hit: true, "stored for ann, with ann's credentials")
    }

    @Test("if each request has another user, the stores see the responses, and share none") func userOfEachRequest()
        async throws
    {
        let authorizer = Named("ann", changes: true)
        let store = store
        let transport = StubTransport { _ in .response(headers: Self.cacheable, body: Array("x".utf8)) }
        let site = Resource("https://a.example", transport: transport.watched) {
            $0.responseStore = store
            $0.authorizers = [.custom(authorizer)]
        }
        for number in 1...4 {
            try await expect(site, "x", hit: false, "another user")
            #expect(store.exchanges.count == number)
            #expect(store.contexts.last?.partition.isShareable == false)
        }
    }

    @Test("a response after a redirect belongs to the user of the redirected request, who may have got a cookie")
    func userOfARedirectedRequest() async throws {
        let (store, jar) = (store, CookieJar())
        // A new value of a cookie isn't another user of the jar.
        try jar.set("s=nobody; Domain=a.example", from: "https://a.example/")
        let transport = StubTransport { request in
            if request.request.origin.host == "b.a.example" {
                return .response(headers: Self.cacheable, body: Array((request.headers[.cookie] ?? "-").utf8))
            }
            let user = (request.headers[.authorization] ?? "-").split(separator: " ").last ?? "-"
            let cookie = "s=\(user); Domain=a.example"
            return .response(.found, headers: [.location: "https://b.a.example/me", .setCookie: "\(cookie)"])
        }
        func site(_ user: String) -> Resource {
            let watched = transport.watched(allowing: .init(sharesCredentials: true))
            return Resource("https://a.example", transport: watched) {
                ($0.responseStore, $0.cookies) = (store, jar)
                $0.authorizers = [.custom(Named(user))]
            }
        }
        try await expect(site("ann"), "s=ann-0", hit: false, "the first request")
        try await expect(site("ann"), "s=ann-0", hit: true, "the same user")
        try await expect(site("bob"), "s=bob-0", hit: false, "another user")
    }

    @Test func anAuthorizerWithoutAnIdentitySharesNothing() async throws {
        struct Unknown: Authorizer {
            let mayWait = false
            func authorize(_ request: inout EncodedRequest) async throws { request.headers[.authorization] = "U ann-0" }
        }
        let site = site.with { $0.authorizers = [.custom(Unknown())] }
        for _ in 0..<2 { try await expect(site, "ann", hit: false, "not known, so not shared") }
        #expect(store.contexts.allSatisfy { !$0.partition.isShareable && !$0.partition.isLasting })
    }
}

extension Credentials {
    /// The value of `Authorization`.
    fileprivate var basic: String? {
        guard let url = try? RequestURL("https://a.example/") else { return nil }
        var request = EncodedRequest(method: .get, url: url)
        _ = BasicAuthorizer(user: user, password: password).authorizeAtOnce(&request)
        return request.headers[.authorization]
    }
}

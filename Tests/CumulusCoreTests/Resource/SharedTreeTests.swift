// SPDX-License-Identifier: Apache-2.0

import CumulusOAuth
import CumulusTesting
import HTTPTypes
import Synchronization
import TestSupport
import Testing

@testable import CumulusCore

/// Two users of one tree: a server that makes a copy for each user never mixes their requests.
@Suite(.timeLimit(.minutes(10))) struct SharedTreeTests {
    /// How a copy sets its user.
    enum Way: String, CaseIterable, Sendable {
        case bearer, bearerByName, basic, keyInHeader, keyInQuery, header, cookies, ownAuthorizer
    }

    private struct OwnAuthorizer: Authorizer {
        let user: String

        func authorize(_ request: inout EncodedRequest) async throws { request.headers[.authorization] = "Own \(user)" }
    }

    private static let url = "https://api.example.com"
    private let clock = ManualClock()
    private let store = SmallStore()
    private let gates = ["ada": Gate(), "bob": Gate()]
    private let site: Resource

    init() {
        let (clock, store, gates) = (clock, store, gates)
        let transport = StubTransport { request in
            guard let user = Self.user(of: request) else { return .status(.unauthorized) }
            if request.path == "/held" { try await gates[user]?.wait() }
            var headers: Headers = [.cacheControl: "max-age=100"]
            if user == "ada" {
                headers["X-RateLimit-Remaining"] = "0"
                headers["X-RateLimit-Reset"] = "30"
            }
            return .text(user, headers: headers)
        }
        site = Resource(Self.url, transport: transport.watched) {
            $0.clock = clock
            $0.timeout = nil
            $0.responseStore = store
            $0.cachePolicy = .reload
        }
    }

    /// The user that the server recognizes in a request.
    private static func user(of request: StubRequest) -> String? {
        let texts = [
            request.headers[.authorization], request.headers[.cookie], request.query,
            request.headers[HTTPField.Name("X-Key") ?? .from], request.headers[HTTPField.Name("X-User") ?? .from],
        ]
        let found = ["ada", "bob"].filter { name in
            texts.contains { $0?.contains(name) == true || $0?.contains(Self.basic(name)) == true }
        }
        return found.count == 1 ? found[0] : nil
    }

    private static func basic(_ user: String) -> String { user == "ada" ? "YWRhOng=" : "Ym9iOng=" }

    /// The copy of a user, made again as for each request of a server.
    private func copy(of user: String, _ way: Way) throws -> Resource {
        let jar = CookieJar()
        try jar.set("session=\(user)", from: Self.url)
        return site.with {
            switch way {
            case .bearer: $0.authorizers = [.bearer(Secret(user))]
            case .bearerByName: $0.authorizers = [.bearer(for: user) { _ in BearerToken(user) }]
            case .basic: $0.credentials = Credentials(user: user, password: "x")
            case .keyInHeader: $0.authorizers = [.apiKey(Secret(user), header: "X-Key")]
            case .keyInQuery: $0.authorizers = [.apiKey(Secret(user), query: "key")]
            case .header: $0.headers["X-User"] = user
            case .cookies: $0.cookies = jar
            case .ownAuthorizer: $0.authorizers.append(OwnAuthorizer(user: user))
            }
        }
    }

    @Test(arguments: Way.allCases) func eachRequestIsSentForItsOwnUser(way: Way) async throws {
        let (ada, bob) = (try copy(of: "ada", way), try copy(of: "bob", way))
        let texts = try await withThrowingTaskGroup(of: (String, String?).self) { group in
            for number in 0..<50 {
                group.addTask { ("ada", try await ada["\(number)"].get().text) }
                group.addTask { ("bob", try await bob["\(number)"].get().text) }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(texts.count == 100 && texts.allSatisfy { $0 == $1 })
    }

    @Test(arguments: Way.allCases) func usedUpQuotaOfOneUserDoesNotDelayAnother(way: Way) async throws {
        site.setRules { $0.rateLimit = .quota }
        let (ada, bob) = (try copy(of: "ada", way), try copy(of: "bob", way))
        _ = try await ada["1"].get()
        #expect(ada.quota?.remaining == 0 && bob.quota == nil)
        let waiting = Task { try await ada["2"].get().text }
        let limiter = try #require(ada.snapshot.limiters.rateLimiter)
        try await eventually { limiter.counts.waiting == 1 }
        for number in 0..<3 { #expect(try await bob["\(number)"].get().text == "bob") }
        #expect(limiter.counts.waiting == 1)
        try await clock.waitForSleepers()
        clock.advance(by: .seconds(30))
        #expect(try await waiting.value == "ada")
    }

    @Test(arguments: Way.allCases) func callReplacesOnlyCallsOfItsOwnUser(way: Way) async throws {
        func search(_ resource: Resource) -> RunningCall<Response> {
            var call = resource["held"].call(.get)
            call.key = .replacing("search")
            return call.start()
        }
        let (ada, bob) = (try copy(of: "ada", way), try copy(of: "bob", way))
        let first = search(ada)
        try await eventually { site.runningCalls.count == 1 }
        let other = search(bob)
        // A copy of the same user's copy that only sets a time limit.
        let second = search(ada.with { $0.timeout = .seconds(600) })
        await #expect(throws: CancellationError.self) { try await first.value }
        for gate in gates.values { gate.open() }
        #expect(try await other.value.text == "bob")
        #expect(try await second.value.text == "ada")
    }

    @Test(arguments: Way.allCases) func cancelAllEndsOnlyCallsOfItsOwnUser(way: Way) async throws {
        let (ada, bob) = (try copy(of: "ada", way), try copy(of: "bob", way))
        let (first, other) = (ada["held"].call(.get).start(), bob["held"].call(.get).start())
        try await eventually { site.runningCalls.count == 2 }
        #expect(ada.runningCalls.map(\.id) == [first.id] && ada["held"].runningCalls.count == 1)
        #expect(ada["other"].cancelAll() == 0)
        #expect(ada.cancelAll() == 1)
        await #expect(throws: CancellationError.self) { try await first.value }
        await ada.waitUntilIdle()
        #expect(site.runningCalls.map(\.id) == [other.id])
        gates["bob"]?.open()
        #expect(try await other.value.text == "bob")
    }

    @Test(arguments: Way.allCases) func storedResponseIsServedOnlyToItsOwnUser(way: Way) async throws {
        site.setRules { $0.cachePolicy = .useProtocol }
        let (ada, bob) = (try copy(of: "ada", way), try copy(of: "bob", way))
        for _ in 0..<3 {
            #expect(try await ada["me"].get().text == "ada")
            #expect(try await bob["me"].get().text == "bob")
        }
        // A named user has one cache in every copy.
        if way == .bearerByName { #expect(try await copy(of: "ada", way)["me"].get().storeNote == "hit") }
    }

    // MARK: Scopes and rules

    @Test func callReplacesOnlyCallsOfItsOwnScope() async throws {
        let scopes = [RequestScope(), RequestScope()]
        let ada = try copy(of: "ada", .bearer)
        func search(_ scope: RequestScope) -> RunningCall<Response> {
            var call = ada.with { $0.scope = scope.membership }["held"].call(.get)
            call.key = .replacing("search")
            return call.start()
        }
        let calls = scopes.map { search($0) }
        try await eventually { site.runningCalls.count == 2 }
        let next = search(scopes[0])
        await #expect(throws: CancellationError.self) { try await calls[0].value }
        gates["ada"]?.open()
        #expect(try await calls[1].value.text == "ada")
        #expect(try await next.value.text == "ada")
    }

    @Test("rules can't be written through a copy: its requests fail, and no other user gets them")
    func rulesOfACopy() async throws {
        let (ada, bob) = (try copy(of: "ada", .bearer), try copy(of: "bob", .bearer))
        ada["me"].setRules { $0.headers["X-User"] = "ada" }
        #expect(try await bob["me"].get().text == "bob")
        #expect(!site["me"].hasRule(for: \.headers))
        for resource in [ada, ada["me"], ada.with { $0.timeout = .seconds(1) }] {
            let error = await #expect(throws: CumulusError.self) { try await resource.get() }
            #expect(error?.code == .invalidRequest)
            let message = error?.message ?? ""
            #expect(message.contains("`setRules` at CumulusCoreTests/SharedTreeTests.swift:"), "\(message)")
            #expect(message.contains("was called on a copy that `with` at CumulusCoreTests/SharedTreeTests.swift:"))
        }
        // A place with a query of its own is not a copy.
        site["me?a=1"].setRules { $0.timeout = .seconds(9) }
        #expect(site["me"].timeout == .seconds(9))
    }

    @Test func callsThatFollowALinkBelongToTheirCopy() async throws {
        let ada = try copy(of: "ada", .header)
        let call = ada["list"].follow("/held").call(.get).start()
        try await eventually { site.runningCalls.count == 1 }
        #expect(ada.runningCalls.count == 1)
        #expect(ada.cancelAll() == 1)
        await #expect(throws: CancellationError.self) { try await call.value }
    }

    @Test func treeReleasesTheLeastRecentlyUsedObjects() {
        final class Session: Sendable {}
        let objects = SharedObjects()
        let first = objects.object(named: "first") { Session() }
        for number in 0..<2 * SharedObjects.most {
            _ = objects.object(named: "\(number)") { Session() }
            #expect(objects.object(named: "first") { Session() } === first)
        }
        #expect(objects.count <= SharedObjects.most && objects.count > SharedObjects.most / 2)
    }
}

// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTestServer
import CumulusTesting
import HTTPTypes
import Synchronization
import TestSupport
import Testing

@testable import CumulusOAuth

/// One token for many requests, however they arrive, wait and leave.
@Suite(.timeLimit(.minutes(10))) struct SingleFlightTests {
    /// Sends this many concurrent requests and returns their statuses.
    private func flood(_ bench: OAuth2Bench, _ count: Int) async throws -> [Int] {
        try await withThrowingTaskGroup(of: Int.self) { group in
            for number in 0..<count {
                group.addTask { try await bench.site["items"][number].get().status.code }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
    }

    @Test("a thousand concurrent refusals cause one refresh, and each request is sent again once")
    func oneRefreshForAThousand() async throws {
        let bench = OAuth2Bench()
        let authorizer = bench.authorizer(OAuth2Bench.password)
        bench.site.setRules { $0.authorizers.append(authorizer) }
        try await bench.site.get().requireSuccess()
        bench.service.expireAccessTokens()
        // All are sent before the first is refused, and all are refused before the refresh is answered.
        let (gate, door) = (Gate(), Gate())
        bench.brake.current = gate
        bench.serviceBrake.current = door
        let before = bench.serviceRequests.count
        async let statuses = flood(bench, 1_000)
        try await eventually { door.waiterCount == 1_000 }
        bench.serviceBrake.current = nil
        door.open()
        try await eventually { authorizer.waiterCount == 1_000 }
        #expect(bench.serviceRequests.count == before + 1_000)
        gate.open()
        #expect(try await statuses.allSatisfy { $0 == 200 })
        #expect(bench.service.count(of: "refresh_token") == 1)
        #expect(bench.tokenRequests.count == 2)
        #expect(bench.serviceRequests.count == before + 2_000)
        #expect(bench.events.names == ["renewed", "renewed"])
    }

    @Test func aThousandFirstRequestsCauseOneTokenRequest() async throws {
        let bench = OAuth2Bench()
        bench.site.setRules { $0.authorizers.append(bench.authorizer()) }
        #expect(try await flood(bench, 1_000).allSatisfy { $0 == 200 })
        #expect(bench.tokenRequests.count == 1)
        #expect(bench.serviceRequests.count == 1_000)
    }

    @Test("a refresh needs no slot: with a limit of one and many waiting requests, all continue")
    func aRefreshNeedsNoSlot() async throws {
        let bench = OAuth2Bench()
        bench.site.setRules {
            $0.maxConcurrentRequests = 1
            $0.authorizers.append(bench.authorizer(OAuth2Bench.password))
        }
        #expect(try await flood(bench, 20).allSatisfy { $0 == 200 })
        bench.service.expireAccessTokens()
        #expect(try await flood(bench, 20).allSatisfy { $0 == 200 })
        #expect(bench.service.count(of: "refresh_token") == 1)
    }

    @Test("a caller that leaves during a rotation loses nothing: the token is stored, and the next one uses it")
    func aCancelledCallerLosesNoRotatedToken() async throws {
        let bench = OAuth2Bench()
        let store = MemoryTokenStore()
        let authorizer = bench.authorizer(OAuth2Bench.password, store: store)
        bench.site.setRules { $0.authorizers.append(authorizer) }
        try await bench.site.get().requireSuccess()
        let first = store.token()?.refresh
        bench.service.expireAccessTokens()
        let gate = Gate()
        bench.brake.current = gate
        let call = Task { [site = bench.site] in try await site.get() }
        try await eventually { gate.waiterCount == 1 && authorizer.waiterCount == 1 }
        call.cancel()
        await #expect(throws: CancellationError.self) { _ = try await call.value }
        #expect(store.token()?.refresh == first)
        gate.open()
        bench.brake.current = nil
        try await eventually { store.token()?.refresh != first }
        try await bench.site.get().requireSuccess()
        #expect(bench.service.count(of: "refresh_token") == 1)
        #expect(bench.service.reuses == 0)
    }

    @Test func aDeadlineEndsTheWaitAndNotTheRefresh() async throws {
        let bench = OAuth2Bench()
        let authorizer = bench.authorizer()
        bench.site.setRules { $0.authorizers.append(authorizer) }
        let gate = Gate()
        bench.brake.current = gate
        let hurried = bench.site.with { $0.deadline = .seconds(5) }
        let call = Task { try await hurried.get() }
        try await eventually { authorizer.waiterCount == 1 && gate.waiterCount == 1 }
        bench.clock.advance(by: .seconds(5))
        let error = try await failure { try await call.value }
        #expect(error.code == .timeout)
        gate.open()
        bench.brake.current = nil
        try await bench.site.get().requireSuccess()
        #expect(bench.tokenRequests.count == 1)
    }

    @Test("A token is renewed shortly before it expires: one request waits for that, the others use the current one")
    func earlyRefresh() async throws {
        var configuration = OAuth2Service.Configuration()
        configuration.lifetime = 100
        let bench = OAuth2Bench(configuration)
        let authorizer = bench.authorizer(OAuth2Bench.password)
        bench.site.setRules { $0.authorizers.append(authorizer) }
        #expect(try await bench.site.get().text == "Bearer access-1")
        // A quarter of its lifetime before it expires, according to the highest number of the bench's generator.
        bench.clock.advance(by: .seconds(74))
        #expect(try await bench.site.get().text == "Bearer access-1")
        bench.clock.advance(by: .seconds(2))
        let gate = Gate()
        bench.brake.current = gate
        let early = Task { [site = bench.site] in try await site.get().text }
        try await eventually { authorizer.waiterCount == 1 }
        #expect(try await bench.site.get().text == "Bearer access-1")
        gate.open()
        #expect(try await early.value == "Bearer access-2")
        #expect(bench.tokenRequests.count == 2)
    }

    @Test func jitterStaysBetweenHalfAndAllOfTheLead() {
        let least = OAuth2Options(random: { 0 }).lead(for: .seconds(3_600))
        let most = OAuth2Options(random: { .max }).lead(for: .seconds(3_600))
        #expect(least == .seconds(15))
        #expect(most > .seconds(29) && most <= .seconds(30))
        #expect(OAuth2Options(random: { 0 }).lead(for: .seconds(8)) == .seconds(1))
        #expect(OAuth2Options(random: { 0 }).lead(for: .zero) == .zero)
    }

    @Test("A failed early refresh does no harm while the token is valid, and is repeated a second later")
    func aFailedEarlyRefreshIsNoFailure() async throws {
        let bench = OAuth2Bench()
        let isDown = Mutex(false)
        let transport = StubTransport { routes in
            routes.on(.post, "/oauth/token") { request in
                isDown.withLock(\.self) ? .response(.serviceUnavailable) : bench.service.respond(to: request)
            }
            routes.on(nil, "*") { request in .text(request.headers[.authorization] ?? "") }
        }
        let site = Resource("https://api.example.com", transport: transport.watched) {
            $0.clock = bench.clock
            $0.authorizers.append(bench.authorizer(OAuth2Bench.password))
        }
        #expect(try await site.get().text == "Bearer access-1")
        isDown.withLock { $0 = true }
        bench.clock.advance(by: .seconds(3_590))
        for _ in 0..<3 { #expect(try await site.get().text == "Bearer access-1") }
        let tries = transport.requests.filter { $0.path == "/oauth/token" }.count
        #expect(tries == 2)
        isDown.withLock { $0 = false }
        bench.clock.advance(by: .seconds(2))
        #expect(try await site.get().text == "Bearer access-2")
    }

    @Test("a failed refresh is reported to all waiting requests, and not repeated for a second")
    func failureFansOut() async throws {
        let bench = OAuth2Bench()
        bench.site.setRules {
            $0.authorizers.append(
                bench.authorizer(.clientCredentials(id: "atlas", secret: "wrong"))
            )
        }
        let codes = await withTaskGroup(of: String?.self) { group in
            for _ in 0..<100 {
                group.addTask {
                    do {
                        _ = try await bench.site.get()
                        return nil
                    } catch {
                        return ((error as? CumulusError)?.cause as? OAuth2Error)?.error
                    }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(codes.allSatisfy { $0 == "invalid_client" })
        #expect(bench.tokenRequests.count == 1)
        bench.clock.advance(by: .seconds(2))
        _ = try? await bench.site.get()
        #expect(bench.tokenRequests.count == 2)
        #expect(bench.serviceRequests.isEmpty)
    }

    @Test("invalid_grant ends it: one event, then immediately the same error, until someone signs in")
    func invalidGrantEndsIt() async throws {
        let bench = OAuth2Bench()
        let store = MemoryTokenStore(OAuth2Token(access: "stale"))
        let authorizer = bench.authorizer(.refreshToken("refresh-0", client: "cli"), store: store)
        bench.site.setRules { $0.authorizers.append(authorizer) }
        for _ in 0..<3 {
            let error = try await failure { try await bench.site.get() }
            let cause = try #require(error.cause as? OAuth2Error)
            #expect(error.code == .authorization && cause.code == .ended && cause.error == "invalid_grant")
            bench.clock.advance(by: .seconds(5))
        }
        #expect(bench.tokenRequests.count == 1)
        #expect(bench.events.names == ["ended"])
    }

    @Test func aPasswordThatIsRefusedIsNotSentAgain() async throws {
        let bench = OAuth2Bench()
        bench.site.setRules {
            $0.authorizers.append(bench.authorizer(.password(user: "ada", "wrong", client: "cli")))
        }
        for _ in 0..<3 {
            await #expect(throws: CumulusError.self) { _ = try await bench.site.get() }
            bench.clock.advance(by: .seconds(5))
        }
        #expect(bench.tokenRequests.count == 1)
        #expect(bench.events.names == ["ended"])
    }

    @Test func whatCanBeRepeatedSilentlyIsRepeatedWhenTheRefreshTokenIsUsedUp() async throws {
        let bench = OAuth2Bench()
        bench.site.setRules { $0.authorizers.append(bench.authorizer(OAuth2Bench.password)) }
        try await bench.site.get().requireSuccess()
        bench.service.revokeEverything()
        try await bench.site.get().requireSuccess()
        #expect(bench.service.count(of: "password") == 2)
        #expect(bench.events.names == ["renewed", "renewed"])
    }

    @Test func aFreshTokenThatIsRefusedIsNotRenewedAgain() async throws {
        let bench = OAuth2Bench()
        let transport = StubTransport { routes in
            bench.service.install(in: &routes)
            routes.on(nil, "*", .response(.unauthorized))
        }
        let site = Resource("https://api.example.com", transport: transport.watched) {
            $0.authorizers.append(bench.authorizer(OAuth2Bench.password))
        }
        #expect(try await site.get().status.code == 401)
        #expect(transport.requests.map(\.path) == ["/oauth/token", "/", "/oauth/token", "/"])
    }

    @Test func anInsufficientScopeIsNoReasonForAnotherToken() async throws {
        let bench = OAuth2Bench()
        let transport = StubTransport { routes in
            bench.service.install(in: &routes)
            let challenge: Headers = [.wwwAuthenticate: "Bearer error=\"insufficient_scope\""]
            routes.on(nil, "*", .response(.unauthorized, headers: challenge))
        }
        let site = Resource("https://api.example.com", transport: transport.watched) {
            $0.authorizers.append(bench.authorizer())
        }
        #expect(try await site.get().status.code == 401)
        #expect(transport.requests.count == 2)
    }

    @Test func tokenRequestsHaveNothingOfTheTree() async throws {
        let bench = OAuth2Bench(scope: "read")
        bench.site.setRules {
            $0.headers["X-Own"] = "1"
            $0.query = ["key": "k"]
            $0.preflights = [{ draft in _ = draft }]
            $0.authorizers.append(bench.authorizer())
        }
        try await bench.site.get().requireSuccess()
        let request = try #require(bench.tokenRequests.first)
        #expect(request.headers[HTTPField.Name("X-Own")!] == nil)
        #expect(request.query == nil)
        #expect(request.text == "grant_type=client_credentials&scope=read")
        #expect(request.headers[.contentType] == "application/x-www-form-urlencoded")
        #expect(request.url == OAuth2Bench.tokens)
    }

    @Test("the token is sent to its origin, and no redirect takes it elsewhere")
    func theTokenStaysAtItsOrigin() async throws {
        let bench = OAuth2Bench()
        let transport = StubTransport { routes in
            bench.service.install(in: &routes)
            routes.on(nil, "/away", .response(.found, headers: [.location: "https://other.example.com/x"]))
            routes.on(nil, "*") { request in .text(request.headers[.authorization] ?? "none") }
        }
        let site = Resource("https://api.example.com", transport: transport.watched) {
            $0.authorizers.append(bench.authorizer())
        }
        #expect(try await site.get().text == "Bearer access-1")
        #expect(try await site["away"].get().text == "none")
    }

    @Test func anAuthorizationFieldOfTheCallersOwnAsksForNoToken() async throws {
        let bench = OAuth2Bench()
        bench.site.setRules { $0.authorizers.append(bench.authorizer()) }
        #expect(try await bench.site["open"].get(headers: [.authorization: "Own x"]).text == "Own x")
        #expect(bench.tokenRequests.isEmpty)
    }

    @Test func nothingIsAskedForWhereOnlyFixturesAnswer() async throws {
        let bench = OAuth2Bench()
        bench.site.setRules {
            $0.authorizers.append(bench.authorizer())
            $0.fixtures["GET /a"] = .json(["a": 1])
            $0.fixtureUse = .only
        }
        try await bench.site["a"].get().requireSuccess()
        #expect(bench.transport.requests.isEmpty)
    }
}

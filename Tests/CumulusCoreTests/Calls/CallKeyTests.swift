// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives
import CumulusTesting
import HTTPTypes
import Synchronization
import TestSupport
import Testing

@testable import CumulusCore

/// Calls that replace or join an earlier one with their name.
@Suite(.timeLimit(.minutes(10))) struct CallKeyTests {
    private let gate = Gate()
    private let transport: StubTransport
    private let site: Resource

    init() {
        let gate = gate
        transport = StubTransport { request in
            try await gate.wait()
            return .json("\(request.number)")
        }
        site = Resource("http://a.example", transport: transport.watched)
    }

    @Test("replacing cancels the running request with the name, and no other")
    func replacing() async throws {
        let search = site["search"].keyed(.replacing("search"))
        let other = Task { try await site["other"].get(as: Int.self) }
        try await eventually { site.runningCalls.count == 1 }
        let first = Task { try await search.get(as: Int.self, query: ["q": "a"]) }
        try await eventually { site.runningCalls.count == 2 }
        let second = Task { try await search.get(as: Int.self, query: ["q": "ab"]) }
        let result = await first.result
        #expect(throws: CancellationError.self) { try result.get() }
        gate.open()
        _ = try await second.value
        _ = try await other.value
        #expect(site.runningCalls.isEmpty)
    }

    @Test("joining sends one request for all callers, and each gets the result")
    func joining() async throws {
        let profile = site["me"].keyed(.joining("me"))
        let tasks = (0..<20).map { _ in Task { try await profile.get(as: Int.self) } }
        // A request in the list may still be about to join the others.
        try await eventually { site.tree.context.joins.waiterCount == 20 }
        try await gate.waitForWaiters()
        gate.open()
        for task in tasks { #expect(try await task.value == 1) }
        #expect(transport.requests.count == 1)
        // None is running any more, so the next call sends a new request.
        #expect(try await profile.get(as: Int.self) == 2)
    }

    @Test("a joined exchange continues while any caller waits, and ends with the last")
    func leavingAJoinedExchange() async throws {
        let profile = site["me"].keyed(.joining("me"))
        let first = Task { try await profile.get(as: Int.self) }
        try await gate.waitForWaiters()
        let second = Task { try await profile.get(as: Int.self) }
        try await eventually { site.runningCalls.count == 2 }
        first.cancel()
        let cancelled = await first.result
        #expect(throws: CancellationError.self) { try cancelled.get() }
        #expect(gate.waiterCount == 1)
        second.cancel()
        let last = await second.result
        #expect(throws: CancellationError.self) { try last.get() }
        try await eventually { gate.waiterCount == 0 }
    }

    @Test("only requests with the same method and place are joined")
    func differentPlacesAreNotJoined() async throws {
        let one = site["a"].keyed(.joining("x"))
        let two = site["b"].keyed(.joining("x"))
        let tasks = [one, two].map { place in Task { try await place.get(as: Int.self) } }
        try await eventually { transport.requests.count == 2 }
        gate.open()
        var results: Set<Int> = []
        for task in tasks { results.insert(try await task.value) }
        #expect(results == [1, 2])
    }

    /// How many requests are sent for concurrent calls, each on its own place.
    private func sent(_ calls: [@Sendable () async throws -> Response]) async throws -> Int {
        let tasks = calls.map { call in Task { try await call() } }
        try await eventually { site.runningCalls.count == calls.count }
        // All have sent a request, or wait for one: a caller that arrives after the response would start another.
        try await eventually {
            max(transport.requests.count, site.tree.context.joins.waiterCount) >= calls.count && gate.waiterCount > 0
        }
        gate.open()
        for task in tasks { _ = try await task.value }
        return transport.requests.count
    }

    @Test("to share a response, requests must have the same content and identity")
    func whatMustBeTheSame() async throws {
        typealias Edit = @Sendable (inout Resource.Settings) -> Void
        let differences: [(String, Edit, Edit)] = [
            (
                "credentials", { $0.credentials = Credentials(user: "ada", password: "1") },
                { $0.credentials = Credentials(user: "bob", password: "1") }
            ),
            ("tokens", { $0.authorizers = [.bearer("a")] }, { $0.authorizers = [.bearer("b")] }),
            ("fields", { $0.headers[.authorization] = "a" }, { $0.headers[.authorization] = "b" }),
            ("cookies", { $0.headers[.cookie] = "a" }, { $0.headers[.cookie] = "b" }),
            ("queries", { $0.query["q"] = "a" }, { $0.query["q"] = "b" }),
            ("redirects", { $0.redirects = .none }, { _ in }),
            ("interceptors", { $0.interceptors = [Nothing().intercept] }, { $0.interceptors = [Nothing().intercept] }),
        ]
        for (name, one, two) in differences {
            let test = CallKeyTests()
            let places = [one, two].map { edit in
                test.site["me"].with {
                    edit(&$0)
                }.keyed(.joining("me"))
            }
            #expect(try await test.sent(places.map { place in { try await place.get() } }) == 2, "\(name)")
        }
    }

    private struct Nothing: Sendable {
        func intercept(_ request: EncodedRequest, next: InterceptorChain) async throws -> TransportResponse {
            try await next(request)
        }
    }

    @Test("two calls of one user join, although each sets its own credentials, observers and validators")
    func whatMayDiffer() async throws {
        let calls: [@Sendable () async throws -> Response] = (0..<3).map { _ in
            let place = site["me"].with {
                $0.credentials = Credentials(user: "ada", password: "1")
                $0.observers = [.progress { _ in }]
                $0.query["q"] = "a"
            }.keyed(.joining("me"))
            return { try await place.get() }
        }
        #expect(try await sent(calls) == 1)
    }

    @Test("requests with a body join only if an Idempotency-Key permits it")
    func bodies() async throws {
        let place = site["me"].keyed(.joining("me"))
        #expect(try await sent((0..<2).map { _ in { try await place.post(["a": 1]) } }) == 2)
        let keyed = CallKeyTests()
        let once = keyed.site["me"].with {
            $0.headers["Idempotency-Key"] = "k"
        }.keyed(.joining("me"))
        #expect(try await keyed.sent((0..<2).map { _ in { try await once.post(["a": 1]) } }) == 1)
        let differing = CallKeyTests()
        let other = differing.site["me"].with {
            $0.headers["Idempotency-Key"] = "k"
        }.keyed(.joining("me"))
        #expect(try await differing.sent((0..<2).map { number in { try await other.post(["a": number]) } }) == 2)
    }

    @Test("a failure reaches all joined callers")
    func failuresAreShared() async throws {
        let transport = StubTransport { _ in
            try await gate.wait()
            return .failure(TransportFailure(.connect, "no way"))
        }
        let site = Resource("http://a.example", transport: transport.watched)
        let tasks = (0..<3).map { _ in Task { try await site.keyed(.joining("x")).get(as: Int.self) } }
        try await eventually { site.runningCalls.count == 3 }
        try await gate.waitForWaiters()
        gate.open()
        for task in tasks {
            let result = await task.result
            let error = #expect(throws: CumulusError.self) { try result.get() }
            #expect(error?.code == .connect)
        }
    }

    @Test("a caller that is cancelled before it waits leaves no exchange behind")
    func cancelledAtOnce() async throws {
        let me = site["me"].keyed(.joining("me"))
        for _ in 0..<20 {
            let call = Task {
                try? await Gate().wait()
                return try await me.get()
            }
            call.cancel()
            await #expect(throws: CancellationError.self) { try await call.value }
        }
        let last = Task { try await site["other"].get() }
        try await eventually { site.runningCalls.count == 1 && gate.waiterCount == 1 }
        gate.open()
        #expect(try await last.value.status == .ok)
    }

    @Test("each joined caller has its own deadline")
    func deadlines() async throws {
        let clock = ManualClock()
        let transport = StubTransport { _ in .text("ok").delayed(by: .seconds(12)) }
        let site = Resource("http://a.example", transport: transport.watched) {
            $0.clock = clock
            $0.timeout = nil
            $0.deadline = .seconds(10)
        }
        let me = site.keyed(.joining("me"))
        let one = Task { try await me.get() }
        // Its deadline, and the response.
        try await clock.waitForSleepers(2)
        clock.advance(by: .seconds(6))
        let two = Task { try await me.get() }
        try await eventually { site.tree.context.joins.waiterCount == 2 && clock.sleeperCount == 3 }
        clock.advance(by: .seconds(4))
        #expect(try await failure { try await one.value }.code == .timeout)
        clock.advance(by: .seconds(2))
        #expect(try await two.value.text == "ok")
        #expect(transport.requests.count == 1)
    }

    @Test("a call after another login doesn't join one of the user before")
    func logins() async throws {
        final class Login: Authorizer {
            let user = Mutex("ann")
            var identity: AuthorizerIdentity? { AuthorizerIdentity("Login", Secret(user.withLock(\.self))) }
            func authorize(_ request: inout EncodedRequest) async throws {}
        }
        let login = Login()
        let me = site["me"].with { $0.authorizers = [.custom(login)] }.keyed(.joining("me"))
        let one = Task { try await me.get(as: Int.self) }
        try await gate.waitForWaiters()
        login.user.withLock { $0 = "bob" }
        let two = Task { try await me.get(as: Int.self) }
        try await eventually { gate.waiterCount == 2 }
        gate.open()
        #expect(try await Set([one.value, two.value]) == [1, 2])
    }

    @Test("calls whose user isn't known are not joined") func unknownUsers() async throws {
        struct Unknown: Authorizer {
            func authorize(_ request: inout EncodedRequest) async throws { request.headers[.authorization] = "U 1" }
        }
        let me = site["me"].with { $0.authorizers = [.custom(Unknown())] }.keyed(.joining("me"))
        let calls = (0..<2).map { _ in Task { try await me.get(as: Int.self) } }
        try await eventually { gate.waiterCount == 2 }
        gate.open()
        var numbers: Set<Int> = []
        for call in calls { numbers.insert(try await call.value) }
        #expect(numbers == [1, 2])
    }

    @Test("the end of a scope doesn't affect callers that joined one of its requests")
    func scopes() async throws {
        struct Fetching: Authorizer {
            let token: Resource
            let identity: AuthorizerIdentity? = .unique()
            func authorize(_ request: inout EncodedRequest) async throws {
                request.headers[.authorization] = try await token.get(as: Int.self).description
            }
        }
        let token = Resource("http://a.example/token", transport: transport.watched)
        let me = site["me"].with {
            $0.authorizers = [.custom(Fetching(token: token))]
        }.keyed(.joining("me"))
        let scope = RequestScope()
        let one = Task { try await scope.run { try await me.get(as: Int.self) } }
        try await gate.waitForWaiters()
        let two = Task { try await me.get(as: Int.self) }
        try await eventually { site.tree.context.joins.waiterCount == 2 }
        scope.cancel()
        await #expect(throws: CancellationError.self) { try await one.value }
        gate.open()
        #expect(try await two.value == 2)
    }

    @Test("of many requests that replace each other at once, one remains")
    func replacingAtOnce() async throws {
        let search = site["search"].keyed(.replacing("search"))
        for _ in 0..<10 {
            let calls = (0..<32).map { _ in Task { try await search.get() } }
            try await eventually { site.runningCalls.count == 1 && gate.waiterCount == 1 }
            for call in calls { call.cancel() }
            for call in calls { _ = await call.result }
        }
    }
}

// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTesting
import HTTPTypes
import TestSupport
import Testing

/// Redirects: which are followed, how the method changes, and what is sent along.
@Suite struct RedirectTests {
    /// Responds to a path `/r/CODE` with a redirect to `to`, and to everything else with its method and path.
    private func transport(to location: String) -> StubTransport {
        StubTransport { routes in
            routes.on(nil, "/r/:code") { request in
                let code = request.parameters["code"].flatMap { Int($0) } ?? 302
                return .response(.init(code: code), headers: [.location: location], body: Array("moved".utf8))
            }
            routes.on(nil, "*") { request in .text("\(request.method.rawValue) \(request.url) \(request.text)") }
        }
    }

    private func site(to location: String, base: String = "https://a.example") -> (Resource, StubTransport) {
        let transport = transport(to: location)
        return (Resource(base, transport: transport.watched), transport)
    }

    @Test(arguments: [
        (301, HTTPRequest.Method.get, "GET"), (302, .get, "GET"), (303, .get, "GET"), (307, .get, "GET"),
        (308, .get, "GET"),
        (301, .post, "GET"), (302, .post, "GET"), (303, .post, "GET"), (307, .post, "POST"), (308, .post, "POST"),
        (301, .put, "PUT"), (302, .delete, "DELETE"), (303, .put, "GET"), (303, .delete, "GET"), (307, .patch, "PATCH"),
        (301, .head, "HEAD"), (303, .head, "HEAD"),
    ])
    func methodsChangeAsTheyShould(code: Int, method: HTTPRequest.Method, after: String) async throws {
        let (site, transport) = site(to: "/new")
        let payload: Payload = method == .get || method == .head ? .none : .text("body")
        try await site["r"][code].call(method, payload).send().requireSuccess()
        let last = try #require(transport.lastRequest)
        #expect(last.method.rawValue == after)
        #expect(last.request.target == "/new")
        let keepsBody = after == method.rawValue && !(method == .get || method == .head)
        #expect(last.text == (keepsBody ? "body" : ""))
        #expect((last.headers[.contentType] != nil) == keepsBody)
    }

    @Test func theHistoryTellsTheHops() async throws {
        let (site, _) = site(to: "/r/307")
        let transport = StubTransport { routes in
            routes.on(nil, "/one") { _ in .response(.found, headers: [.location: "two"]) }
            routes.on(nil, "/two") { _ in .response(.movedPermanently, headers: [.location: "/three?x=1"]) }
            routes.on(nil, "/three") { _ in .text("there") }
        }
        _ = site
        let response = try await Resource("http://a.example", transport: transport.watched)["one"].get()
        #expect(response.history.map(\.status.code) == [302, 301])
        #expect(response.history.map { $0.request.target } == ["/one", "/two"])
        #expect(response.request.target == "/three?x=1")
        #expect(response.text == "there")
    }

    @Test("no Referer is added, and the caller's is not sent to another origin")
    func referers() async throws {
        let (site, transport) = site(to: "https://ada:pw@b.example/x#f")
        try await site["r/302"].get().requireSuccess()
        try await site["r/302"].get(headers: [.referer: "https://ada:pw@a.example/?token=1"]).requireSuccess()
        let away = transport.requests.filter { $0.request.origin.host == "b.example" }
        #expect(away.count == 2)
        #expect(away.allSatisfy { $0.headers[.referer] == nil })
        #expect(transport.requests[0].headers[.referer] == nil)
    }

    @Test(
        "a user and password in a Location become no credentials, and are not shown",
        arguments: ["https://ada:pw@a.example/x", "https://ada:pw@b.example/x"],
        [false, true]
    )
    func usersInLocations(location: String, hasOwn: Bool) async throws {
        let (site, transport) = site(to: location)
        if hasOwn { site.setRules { $0.credentials = Credentials(user: "u", password: "p") } }
        let response = try await site["r/302"].get()
        #expect(transport.requests.count == 2)
        let sent = try #require(transport.lastRequest)
        let own = hasOwn && sent.request.origin.host == "a.example" ? "Basic dTpw" : nil
        #expect(sent.headers[.authorization] == own)
        #expect(!sent.url.contains("ada") && !sent.url.contains("pw"))
        for shown in ["\(response)", "\(response.request)", "\(response.url)", "\(response.attempts)"] {
            #expect(!shown.contains("ada") && !shown.contains("pw"), "\(shown)")
        }
    }

    @Test(
        "a redirect is followed after the time that the server asks for",
        arguments: [["Retry-After": "60"], ["Retry-After-Ms": "60000"]] as [Headers]
    )
    func waiting(wait: Headers) async throws {
        let clock = ManualClock()
        var headers = wait
        headers[.location] = "/new"
        let transport = StubTransport { [headers] request in
            request.path == "/old" ? .status(.found, headers: headers) : .text("there")
        }
        let site = Resource("https://a.example", transport: transport.watched) {
            $0.clock = clock
            $0.timeout = nil
        }
        let call = Task { try await site["old"].get() }
        try await clock.waitForSleepers()
        #expect(clock.timeToNextSleeper == .seconds(60))
        #expect(transport.requests.count == 1)
        clock.advanceToNextSleeper()
        let response = try await call.value
        #expect(response.text == "there")
        #expect(response.attempts.map(\.reason) == [.call, .redirect])
    }

    @Test("a wait before a redirect that is too long, or outlasts the deadline, ends the call immediately")
    func waitingTooLong() async throws {
        let transport = StubTransport { request in
            request.path == "/old"
                ? .status(.movedPermanently, headers: [.location: "/new", .retryAfter: "61"]) : .text("there")
        }
        let site = Resource("https://a.example", transport: transport.watched) {
            $0.clock = ManualClock()
            $0.timeout = nil
        }
        let tooLong = try await failure { try await site["old"].get() }
        #expect(tooLong.code == .redirectRefused && tooLong.statusCode == 301)
        let words = "the server requests a wait of 1 min 1 s (Retry-After), longer than the 1 min allowed"
        #expect(tooLong.message.hasSuffix(words))
        site.setRules {
            $0.retry?.maxWait = nil
            $0.deadline = .seconds(61)
        }
        let tooLate = try await failure { try await site["old"].get() }
        #expect(tooLate.message.contains("a wait of 1 min 1 s (Retry-After) would outlast the deadline"))
        #expect(transport.requests.count == 2)
    }

    @Test("a Retry-After of a redirect that says no time is ignored", arguments: ["0", "-1", "soon", "1e9"])
    func noTime(text: String) async throws {
        let transport = StubTransport { request in
            request.path == "/old" ? .status(.found, headers: [.location: "/new", .retryAfter: text]) : .text("there")
        }
        #expect(try await Resource("https://a.example", transport: transport.watched)["old"].get().text == "there")
    }

    @Test("a redirect loop ends at the limit")
    func aCircleEnds() async throws {
        let (site, transport) = site(to: "/r/302")
        let error = try await failure { try await site["r/302"].get() }
        #expect(error.code == .tooManyRedirects)
        #expect(error.response?.history.count == 21)
        #expect(transport.requests.count == 21)
    }

    @Test("a redirect to the same URL is followed, since a cookie may make a difference")
    func toTheSameURL() async throws {
        let transport = StubTransport { request in
            request.number < 3
                ? .response(.found, headers: [.location: "/login", .setCookie: "a=b"]) : .text("welcome")
        }
        let response = try await Resource("http://a.example", transport: transport.watched)["login"].get()
        #expect(response.text == "welcome")
        #expect(response.history.count == 2)
    }

    @Test("a redirect with an empty Location is delivered")
    func emptyLocation() async throws {
        let transport = StubTransport { _ in .response(.found, headers: [.location: ""], body: Array("moved".utf8)) }
        let response = try await Resource("http://a.example", transport: transport.watched).get()
        #expect(response.status.code == 302 && response.text == "moved")
        #expect(transport.requests.count == 1)
    }

    @Test("the error for too many redirects has their history, and not the last body")
    func tooMany() async {
        let transport = StubTransport { request in
            .response(.found, headers: [.location: "/\(request.number)"], body: Array("last".utf8))
        }
        do {
            _ = try await Resource("http://a.example", transport: transport.watched).get()
            Issue.record("it ended")
        } catch {
            let error = error as? CumulusError
            #expect(error?.code == .tooManyRedirects)
            #expect(error?.response?.history.count == 21)
            #expect(error?.stage == .recovery)
            #expect(error?.response?.bytes.isEmpty == true)
        }
        #expect(transport.requests.count == 21)
    }

    @Test("with redirects off, the first is delivered")
    func off() async throws {
        let (site, transport) = site(to: "/new")
        site.setRules { $0.redirects = .none }
        let response = try await site["r/302"].get()
        #expect(response.status.code == 302)
        #expect(response.text == "moved")
        #expect(transport.requests.count == 1)
    }

    @Test(arguments: [300, 304, 305, 306]) func otherStatusesAreDelivered(code: Int) async throws {
        let (site, _) = site(to: "/new")
        #expect(try await site["r"][code].get().status.code == code)
    }

    @Test func aRedirectWithoutALocationIsDelivered() async throws {
        let transport = StubTransport { _ in .response(.found) }
        #expect(try await Resource("http://a.example", transport: transport.watched).get().status.code == 302)
    }

    @Test(
        "secrets stay with their origin",
        arguments: ["https://b.example/x", "https://a.example:8443/x", "https://sub.a.example/x"]
    )
    func secretsStay(location: String) async throws {
        let (site, transport) = site(to: location)
        site.setRules { $0.credentials = Credentials(user: "u", password: "p") }
        try await site["r/302"].get(headers: [
            "X-Api-Key": "k", .cookie: "c=1", "Proxy-Authorization": "x", .accept: "text/plain", "X-Custom": "v",
        ]).requireSuccess()
        let sent = try #require(transport.lastRequest)
        for name in ["Authorization", "X-Api-Key", "Cookie", "Proxy-Authorization", "X-Custom"] {
            #expect(sent.headers[name] == nil)
        }
        #expect(sent.headers[.accept] == "text/plain")
        #expect(transport.requests.first?.headers[.authorization] != nil)
    }

    @Test func secretsGoAlongWithinTheOrigin() async throws {
        let (site, transport) = site(to: "https://A.example:443/x")
        site.setRules { $0.credentials = Credentials(user: "u", password: "p") }
        try await site["r/302"].get(headers: ["X-Api-Key": "k"]).requireSuccess()
        #expect(transport.lastRequest?.headers[.authorization] != nil)
        #expect(transport.lastRequest?.headers["X-Api-Key"] == "k")
    }

    @Test("https to http is refused")
    func downgrade() async {
        let (site, transport) = site(to: "http://a.example/x")
        do {
            _ = try await site["r/302"].get()
            Issue.record("it was followed")
        } catch {
            #expect((error as? CumulusError)?.code == .redirectRefused)
            #expect((error as? CumulusError)?.response?.status.code == 302)
        }
        #expect(transport.requests.count == 1)
    }

    @Test func aDowngradeCanBeAllowed() async throws {
        let (site, transport) = site(to: "http://a.example/x")
        site.setRules { $0.redirects = RedirectPolicy(allowsDowngrade: true) }
        try await site["r/302"].get().requireSuccess()
        #expect(transport.lastRequest?.url == "http://a.example/x")
    }

    @Test("after redirects from A to B and back to A, credentials are not restored")
    func thereAndBack() async throws {
        let transport = StubTransport { request in
            switch request.url {
            case "https://a.example/1": .response(.found, headers: [.location: "https://b.example/2"])
            case "https://b.example/2": .response(.found, headers: [.location: "https://a.example/3"])
            default: .text("ok")
            }
        }
        let site = Resource("https://a.example", transport: transport.watched) {
            $0.credentials = Credentials(user: "u", password: "p")
        }
        try await site["1"].get(headers: ["X-Api-Key": "k"]).requireSuccess()
        #expect(transport.lastRequest?.url == "https://a.example/3")
        #expect(transport.lastRequest?.headers[.authorization] == nil)
        #expect(transport.lastRequest?.headers["X-Api-Key"] == nil)
    }

    @Test("an interceptor can't send secrets elsewhere by changing the head")
    func interceptorsKeepTheOrigin() async throws {
        struct Changer: Sendable {
            func intercept(
                _ request: EncodedRequest,
                next: InterceptorChain
            ) async throws -> TransportResponse {
                var changed = request
                changed.target = "/changed"
                return try await next(changed)
            }
        }
        let (site, transport) = site(to: "https://b.example/x")
        site.setRules {
            $0.interceptors = [Changer().intercept]
            $0.credentials = Credentials(user: "u", password: "p")
        }
        try await site["a"].get().requireSuccess()
        #expect(transport.lastRequest?.url == "https://a.example/changed")
    }

    @Test("a body is not sent on to another origin", arguments: [307, 308])
    func bodiesStay(code: Int) async throws {
        let (site, transport) = site(to: "https://b.example/x")
        do {
            _ = try await site["r"][code].post(body: "secret")
            Issue.record("it was followed")
        } catch {
            #expect((error as? CumulusError)?.code == .redirectRefused)
        }
        #expect(transport.requests.count == 1)
        site.setRules { $0.redirects = RedirectPolicy(sendsBodiesToOtherOrigins: true) }
        try await site["r"][code].post(body: "fine").requireSuccess()
        #expect(transport.lastRequest?.text == "fine")
    }

    @Test(
        "only http and https are followed",
        arguments: ["file:///etc/passwd", "ftp://a.example/x", "javascript:alert(1)", "unix:/tmp/s", "http://a b/"]
    )
    func schemes(location: String) async {
        let (site, _) = site(to: location)
        do {
            _ = try await site["r/302"].get()
            Issue.record("it was followed")
        } catch {
            #expect((error as? CumulusError)?.code == .redirectRefused)
        }
    }

    @Test func aBodyThatCannotBeSentAgainDeliversTheRedirect() async throws {
        let (site, transport) = site(to: "/new")
        let chunks = AsyncStream<[UInt8]> { continuation in
            continuation.yield(Array("once".utf8))
            continuation.finish()
        }
        let response = try await site["r/307"].post(.stream(chunks))
        #expect(response.status.code == 307)
        #expect(transport.requests.count == 1)
    }

    @Test func theSmallBodyOfARedirectIsReadSoThatTheConnectionLives() async throws {
        let (site, transport) = site(to: "/new")
        try await site["r/302"].get().requireSuccess()
        #expect(transport.cancelledBodies == 0)
    }

    @Test func aRelativeLocationIsRelativeToWhereTheRequestWasSent() async throws {
        struct Moving: Sendable {
            func intercept(_ request: EncodedRequest, next: InterceptorChain) async throws -> TransportResponse {
                var moved = request
                if moved.target == "/a" { moved.target = "/v2/deep/a" }
                return try await next(moved)
            }
        }
        let transport = StubTransport { routes in
            routes.on(nil, "/v2/deep/a") { _ in .response(.found, headers: [.location: "b"]) }
            routes.on(nil, "/v2/deep/b") { _ in .text("there") }
        }
        let site = Resource("https://a.example", transport: transport.watched) {
            $0.interceptors = [Moving().intercept]
        }
        let answer = try await site["a"].get()
        #expect(answer.text == "there")
        #expect(answer.history.map { $0.request.target } == ["/a"])
    }

    @Test("a redirect with a slow body is followed after a second, and a deadline ends it", .timeLimit(.minutes(10)))
    func aBodyThatDrips() async throws {
        let (gate, clock) = (Gate(), ManualClock())
        let transport = StubTransport { request in
            if request.path == "/new" { return .text("there") }
            return .script([.chunk([1]), .gate(gate)], status: .found, headers: [.location: "/new"])
        }
        let site = Resource("https://a.example", transport: transport.watched) { $0.clock = clock }
        for (deadline, isFollowed) in [(Duration.seconds(9), true), (.milliseconds(500), false)] {
            let call = Task { try await site["old"].with { $0.deadline = deadline }.get().text }
            try await gate.waitForWaiters()
            try await clock.waitForSleepers(1)
            clock.advance(by: isFollowed ? .seconds(1) : .milliseconds(500))
            let result = await call.result
            if isFollowed {
                #expect(try result.get() == "there")
            } else {
                let error = #expect(throws: CumulusError.self) { try result.get() }
                #expect(error?.code == .timeout && error?.phase == .total)
            }
            #expect(gate.waiterCount == 0)
        }
        #expect(transport.cancelledBodies == 2)
        #expect(transport.requests.count == 3)
    }
}

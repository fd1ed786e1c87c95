// SPDX-License-Identifier: Apache-2.0

import CumulusOAuth
import CumulusTesting
import HTTPTypes
import Synchronization
import TestSupport
import Testing

@testable import CumulusCore

/// A store of responses in the path of a call, tried with a small cache.
@Suite(.timeLimit(.minutes(10))) struct ResponseStoreTests {
    private let clock = ManualClock()
    private let store = SmallStore()

    private func site(
        _ transport: StubTransport,
        _ store: SmallStore? = nil,
        _ rules: (inout Resource.Rules) -> Void = { _ in }
    ) -> Resource {
        Resource("https://a.example", transport: transport.watched) {
            $0.responseStore = store ?? self.store
            $0.clock = clock
            $0.retry = .never
            rules(&$0)
        }
    }

    private static let kept: Headers = [.cacheControl: "max-age=60", .eTag: "\"1\""]

    private static func numbered(_ request: StubRequest) -> StubResponse {
        .response(headers: kept, body: Array("\(request.number)".utf8))
    }

    // MARK: What it answers

    @Test func aFreshResponseIsGivenAgainAndAnOldOneIsValidated() async throws {
        let transport = StubTransport { request in
            request.headers[.ifNoneMatch] == "\"1\""
                ? .response(.notModified, headers: Self.kept) : Self.numbered(request)
        }
        let site = site(transport)
        let first = try await site.get()
        #expect((first.text, first.storeNote) == ("1", nil))
        let second = try await site.get()
        #expect((second.text, second.storeNote, transport.requests.count) == ("1", "hit", 1))
        clock.advance(by: .seconds(61))
        let third = try await site.get()
        #expect((third.text, third.storeNote, third.status) == ("1", "hit; validated", .ok))
        #expect(transport.requests.count == 2)
        #expect(store.log == ["received 200", "kept", "received 304", "kept"])
        let streamed = try await site.call(.get).stream()
        #expect(streamed.storeNote == "hit")
        var pieces: [UInt8] = []
        for try await piece in streamed { pieces += piece.bytes }
        #expect(pieces == Array("1".utf8))
    }

    @Test func onlyIfCachedNeverReachesTheNetwork() async throws {
        let transport = StubTransport { Self.numbered($0) }
        let site = site(transport)
        let cached = site.with { $0.cachePolicy = .onlyIfCached }
        #expect(try await cached.get().status == .gatewayTimeout)
        #expect(transport.requests.isEmpty)
        _ = try await site.get()
        #expect(try await cached.get().text == "1")
    }

    @Test func aHitTakesNoSlotNoTurnAndNoToken() async throws {
        let gate = Gate()
        let transport = StubTransport { request in
            request.path == "/slow" ? .script([.gate(gate), .chunk(Array("slow".utf8))]) : Self.numbered(request)
        }
        let tokens = Mutex(0)
        let site = site(transport) {
            $0.maxConcurrentRequests = 1
            $0.rateLimit = .requests(2, per: .seconds(60), burst: 2)
            $0.authorizers.append(
                .bearer { _ in
                    tokens.withLock { $0 += 1 }
                    return BearerToken("t")
                }
            )
        }
        _ = try await site["x"].get()
        #expect(transport.lastRequest?.headers[.authorization] == "Bearer t")
        let slow = site["slow"].call(.get).start()
        while transport.requests.count < 2 { await Task.yield() }
        // The only slot is taken, and so are both turns.
        #expect(try await site["x"].get().storeNote == "hit")
        #expect(tokens.withLock(\.self) == 1)
        gate.open()
        #expect(try await slow.value.text == "slow")
    }

    @Test func aDownloadIsServedAndItsFileIsNotTapped() async throws {
        let transport = StubTransport { Self.numbered($0) }
        let site = site(transport)
        let folder = try TemporaryFolder()
        let file = try await site.call(.get).download(to: .file("\(folder.path)/a")).send()
        #expect(file.byteCount == 1)
        #expect(store.contexts.last?.isDownload == true && store.count == 0)
        _ = try await site.get()
        let second = try await site.call(.get).download(to: .file("\(folder.path)/b")).send()
        #expect(second.byteCount == 1 && transport.requests.count == 2)
    }

    // MARK: What it sees

    @Test func itSeesWhatWasSentAndWhen() async throws {
        let transport = StubTransport { [clock] request in
            clock.advance(by: .seconds(3))
            return Self.numbered(request)
        }
        let jar = CookieJar()
        try jar.set("s=1", from: "https://a.example/")
        let site = site(transport) {
            $0.cookies = jar
            $0.authorizers.append(.bearer("t"))
        }
        _ = try await site.get()
        let exchange = try #require(store.exchanges.first)
        #expect(exchange.request.headers[.authorization] == "Bearer t")
        #expect(exchange.request.headers[.cookie] == "s=1")
        #expect(exchange.requestTime.duration(to: exchange.responseTime) == .seconds(3))
    }

    @Test func aBodyCutHalfWayIsNotKept() async throws {
        let cut = Mutex(true)
        let transport = StubTransport { request in
            guard cut.withLock({ $0 }) else { return Self.numbered(request) }
            let failure = TransportFailure(.truncated, "the test broke it off", fate: .unknown)
            return .script([.chunk(Array("ha".utf8)), .fail(failure)], headers: Self.kept)
        }
        let site = site(transport)
        await #expect(throws: CumulusError.self) { try await site.get() }
        do {
            let stream = try await site.call(.get).stream()
            await #expect(throws: CumulusError.self) { for try await _ in stream {} }
        }
        #expect(store.log == ["received 200", "abandoned", "received 200", "abandoned"] && store.count == 0)
        cut.withLock { $0 = false }
        let left = try await site.call(.get).stream()
        left.cancel()
        #expect(store.log.last == "abandoned" && store.count == 0)
        #expect(try await site.get().text == "4" && store.count == 1)
    }

    @Test func aResumedBodyIsSeenWithoutItsSeam() async throws {
        let bytes = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 / 7) }
        let transport = StubTransport { request in
            let headers: Headers = [.cacheControl: "max-age=60", .eTag: "\"1\"", .contentLength: "\(bytes.count)"]
            guard request.headers[.range] == nil else {
                return .response(
                    .partialContent,
                    headers: [.contentRange: "bytes 100000-199999/200000", .eTag: "\"1\""],
                    body: Array(bytes[100_000...])
                )
            }
            let failure = TransportFailure(.truncated, "the test broke it off", fate: .unknown)
            return .script([.chunk(Array(bytes[..<100_000])), .fail(failure)], headers: headers)
        }
        let site = site(transport) { $0.retry = RetryPolicy(limit: 2, backoff: RetryBackoff(base: .zero)) }
        #expect(try await site.get().bytes.bytes == bytes)
        #expect(transport.requests.count == 2 && store.count == 1)
        let again = try await site.get()
        #expect(again.bytes.bytes == bytes && again.storeNote == "hit")
        #expect(store.exchanges.count == 1)
    }

    @Test func interceptorsSeeAHitAsTheySeeAResponse() async throws {
        let transport = StubTransport { Self.numbered($0) }
        let seen = Mutex<[String?]>([])
        let site = site(transport) {
            $0.interceptors.append { request, next in
                let response = try await next(request)
                seen.withLock { $0.append(response.head.storeNote) }
                return response
            }
        }
        _ = try await site.get()
        #expect(try await site.get().storeNote == "hit")
        #expect(seen.withLock(\.self) == [nil, "hit"])
    }

    /// The store would give the interceptor its own work, or one attempt's body to another.
    @Test func aBodyThatAnInterceptorReplacesIsNotKept() async throws {
        let transport = StubTransport { Self.numbered($0) }
        let shout: Interceptor = { request, next in
            let response = try await next(request)
            return TransportResponse(head: response.head, body: ResponseBody(complete: ByteChunk("other")))
        }
        let first: Interceptor = { request, next in
            let response = try await next(request)
            try await next(request).body.cancel()
            return response
        }
        for interceptor in [shout, first] {
            let store = SmallStore()
            let site = site(transport, store).with { $0.interceptors.append(interceptor) }
            _ = try await site.get()
            #expect(store.count == 0 && store.log.filter { $0 == "abandoned" }.count > 0)
        }
    }

    @Test func aNextThatIsLeftBehindEndsItsVisitOnce() async throws {
        let (gate, done) = (Gate(), Gate())
        let transport = StubTransport { _ in .script([.gate(gate), .chunk(Array("x".utf8))], headers: Self.kept) }
        struct Left: Error {}
        let site = site(transport).with {
            $0.interceptors.append { request, next in
                Task {
                    _ = try? await next(request)
                    done.open()
                }
                while transport.requests.isEmpty { await Task.yield() }
                throw Left()
            }
        }
        #expect(try await failure(of: { try await site.get() }).code == .interception)
        gate.open()
        try await done.wait()
        let ends = store.log.filter { $0 == "failed" || $0 == "received 200" }
        #expect(ends.count == 1)
    }

    @Test func aBodyThatCannotBeDecodedIsNotKept() async throws {
        // gzip.compress(b"x", 9, mtime=0), without its end
        let gzip: [UInt8] = [31, 139, 8, 0, 0, 0, 0, 0, 2, 255, 171, 0, 0]
        let transport = StubTransport { _ in
            .response(headers: [.cacheControl: "max-age=60", .contentEncoding: "gzip", .eTag: "\"1\""], body: gzip)
        }
        let site = site(transport) { $0.tracksRevisions = true }
        await #expect(throws: CumulusError.self) { try await site.get() }
        #expect(store.count == 0 && store.log.last == "abandoned")
        await #expect(throws: CumulusError.self) { try await site.get() }
        #expect(transport.lastRequest?.headers[.ifNoneMatch] == nil)
    }

    @Test func aStoredFailureIsNotRetried() async throws {
        let transport = StubTransport { Self.numbered($0) }
        let site = site(transport) { $0.retry = RetryPolicy(limit: 3, backoff: RetryBackoff(base: .zero)) }
        #expect(try await site.with { $0.cachePolicy = .onlyIfCached }.get().status == .gatewayTimeout)
        #expect(store.contexts.count == 1 && transport.requests.isEmpty)
    }

    /// A store sees each request as the caller made it, and what it gives has a revision as what was sent has.
    @Test func trackedRevisionsKeepNothingFromAStore() async throws {
        let transport = StubTransport { Self.numbered($0) }
        let site = site(transport) { $0.tracksRevisions = true }
        for note in [nil, "hit", "hit"] as [String?] { #expect(try await site.get().storeNote == note) }
        let other = Resource("https://a.example", transport: transport.watched) {
            $0.responseStore = store
            $0.clock = clock
            $0.tracksRevisions = true
            $0.conditions.ifUnchanged = true
        }
        #expect(try await other.get().storeNote == "hit")
        try await other.put(body: 1).requireSuccess()
        #expect(transport.lastRequest?.headers[.ifMatch] == "\"1\"")
    }

    @Test func eachHopOfARedirectIsKeptByItsOwnURL() async throws {
        let transport = StubTransport { request in
            switch request.url {
            case "https://a.example/old":
                .response(
                    .movedPermanently,
                    headers: ["Location": "https://b.example/new", .cacheControl: "max-age=60"]
                )
            default: Self.numbered(request)
            }
        }
        let site = site(transport) { $0.authorizers.append(.bearer("secret")) }
        #expect(try await site["old"].get().text == "2")
        let again = try await site["old"].get()
        #expect((again.text, again.storeNote, again.history.count) == ("2", "hit", 1))
        #expect(transport.requests.count == 2)
        // At the other origin the request speaks for nobody.
        #expect(store.contexts.map(\.partition.isAnonymous) == [false, true, false, true])
    }

    // MARK: Several callers

    @Test func twoCallersOfOneURLShareAnExchange() async throws {
        let gate = Gate()
        let joining = SmallStore(joins: true)
        let transport = StubTransport { request in
            .script([.gate(gate), .chunk(Array("one".utf8))], headers: Self.kept)
        }
        let site = site(transport, joining) { $0.maxConcurrentRequests = 1 }
        let first = site.call(.get).start()
        while transport.requests.isEmpty { await Task.yield() }
        let second = site.call(.get).start()
        while joining.waiting < 1 { await Task.yield() }
        gate.open()
        #expect(try await first.value.text == "one")
        let response = try await second.value
        #expect((response.text, response.storeNote, transport.requests.count) == ("one", "hit; collapsed", 1))
    }

    @Test("a wait in a store ends with the call's cancellation and its deadline")
    func waitsEnd() async throws {
        let gate = Gate()
        let joining = SmallStore(joins: true)
        let transport = StubTransport { _ in .script([.gate(gate), .chunk(Array("one".utf8))], headers: Self.kept) }
        let site = site(transport, joining)
        let first = site.call(.get).start()
        while transport.requests.isEmpty { await Task.yield() }
        let cancelled = site.call(.get).start()
        while joining.waiting < 1 { await Task.yield() }
        cancelled.cancel(.reported)
        await #expect(throws: CancellationError.self) { try await cancelled.value }
        let late = site.call(.get).with { $0.deadline = .seconds(5) }.start()
        while joining.waiting < 1 { await Task.yield() }
        clock.advance(by: .seconds(6))
        await #expect(throws: CumulusError.self) { try await late.value }
        gate.open()
        #expect(try await first.value.text == "one")
    }

    /// A store that is slower than the deadline learns that nobody sends what it has decided.
    @Test func aDecisionThatComesTooLateIsTakenBack() async throws {
        final class Slow: ResponseStore {
            let (entered, gate, ended) = (Gate(), Gate(), Gate())
            func begin(_ request: EncodedRequest, _ context: StoreContext) async throws -> StoreStart {
                entered.open()
                // Deaf to cancellation.
                while !gate.isOpen { await Task.yield() }
                return .ask(request, Visit(ended: ended))
            }
            struct Visit: StoreVisit {
                let ended: Gate
                func received(_ response: TransportResponse, in exchange: StoreExchange) async -> StoreResponse {
                    StoreResponse(response)
                }
                func failed() { ended.open() }
            }
        }
        let slow = Slow()
        let transport = StubTransport { Self.numbered($0) }
        let call = site(transport).with { $0.responseStore = slow }.call(.get).start()
        try await slow.entered.wait()
        call.cancel(.reported)
        slow.gate.open()
        await #expect(throws: CancellationError.self) { try await call.value }
        try await slow.ended.wait()
        #expect(transport.requests.isEmpty)
    }

    @Test func aLeaderWithoutAResponseReleasesThoseWhoWait() async throws {
        let joining = SmallStore(joins: true)
        let gate = Gate()
        let transport = StubTransport { request in
            guard request.number == 1 else { return Self.numbered(request) }
            return .script(
                [.gate(gate), .fail(TransportFailure(.truncated, "cut", fate: .unknown))],
                headers: Self.kept
            )
        }
        let site = site(transport, joining)
        let first = site.call(.get).start()
        while transport.requests.isEmpty { await Task.yield() }
        let second = site.call(.get).start()
        while joining.waiting < 1 { await Task.yield() }
        gate.open()
        await #expect(throws: CumulusError.self) { try await first.value }
        #expect(try await second.value.text == "2")
    }

    // MARK: When the service fails

    @Test func aStaleResponseIsOfferedWhenNothingIsTriedAnyMore() async throws {
        let state = Mutex(0)
        let transport = StubTransport { request in
            switch state.withLock({ $0 }) {
            case 0: Self.numbered(request)
            case 1: .response(.serviceUnavailable)
            default: .failure(TransportFailure(.connect, "refused", fate: .unsent))
            }
        }
        let site = site(transport) { $0.retry = RetryPolicy(limit: 1, backoff: RetryBackoff(base: .zero)) }
        _ = try await site.get()
        clock.advance(by: .seconds(61))
        for mode in [1, 2] {
            state.withLock { $0 = mode }
            let response = try await site.get()
            #expect((response.text, response.storeNote) == ("1", "hit; stale"))
            // The failure isn't hidden.
            #expect(response.attempts.map(\.reason) == [.call, .retry, .fallback])
            guard case .responded(.serviceUnavailable) = response.attempts[1].outcome else { continue }
            #expect(mode == 1)
        }
        // Each was tried twice before.
        #expect(transport.requests.count == 5)
        #expect(store.log.filter { $0.hasPrefix("fallback") } == ["fallback after 503", "fallback after an error"])
        // Without anything to offer, the failure stays.
        #expect(try await failure(of: { try await site["new"].get() }).code == .connect)
    }

    /// A server that can't prove who it is gets no help from what an honest one has sent.
    @Test func afterARefusalByAnAuthorizerNothingIsOffered() async throws {
        struct Suspicious: Authorizer {
            var mayWait: Bool { false }
            var identity: AuthorizerIdentity? { AuthorizerIdentity("Suspicious") }
            func authorize(_ request: inout EncodedRequest) async throws {}
            func examine(_ head: ResponseHead, of request: EncodedRequest) throws -> BodyCheck? {
                if head.headers["X-Forged"] != nil { throw AuthorizationProblem("forged") }
                return nil
            }
        }
        let transport = StubTransport { request in
            request.number == 1 ? Self.numbered(request) : .response(headers: ["X-Forged": "1"])
        }
        let site = site(transport) { $0.authorizers.append(Suspicious()) }
        _ = try await site.get()
        clock.advance(by: .seconds(61))
        #expect(try await failure(of: { try await site.get() }).code == .authorization)
        #expect(!store.log.contains { $0.hasPrefix("fallback") })
    }

    @Test func afterARefusalByAPolicyNothingIsOffered() async throws {
        let transport = StubTransport { Self.numbered($0) }
        let site = Resource("https://10.0.0.1", transport: transport.watched) {
            $0.responseStore = store
            $0.clock = clock
        }
        _ = try await site.get()
        clock.advance(by: .seconds(61))
        #expect(
            try await failure(of: { try await site.with { $0.allowedAddresses = .publicOnly }.get() }).code
                == .addressRefused
        )
        #expect(!store.log.contains { $0.hasPrefix("fallback") })
    }

    /// The redirects of the call are the refresh's, too: what it may not send, that may not either.
    @Test func aRefreshAfterARedirectProvesNothingMore() async throws {
        let stale = SmallStore(givesStale: true)
        let transport = StubTransport { request in
            switch request.url {
            case "https://a.example/start": .response(.found, headers: ["Location": "https://evil.example/x"])
            case "https://evil.example/x": .response(.found, headers: ["Location": "https://a.example/end"])
            default: Self.numbered(request)
            }
        }
        let site = site(transport, stale) { $0.authorizers.append(.bearer("secret")) }
        _ = try await site["start"].get()
        clock.advance(by: .seconds(61))
        #expect(try await site["start"].get().storeNote == "hit; stale")
        while transport.requests.count < 6 { await Task.yield() }
        await site.waitUntilIdle()
        let sent = transport.requests.map { $0.headers[.authorization] != nil }
        #expect(sent == [true, false, false, true, false, false])
    }

    @Test func afterTheDeadlineNothingIsOffered() async throws {
        let transport = StubTransport { request in
            request.number == 1 ? Self.numbered(request) : Self.numbered(request).delayed(by: .seconds(10))
        }
        let site = site(transport)
        _ = try await site.get()
        clock.advance(by: .seconds(61))
        let late = site.call(.get).with { $0.deadline = .seconds(5) }.start()
        while transport.requests.count < 2 || clock.sleeperCount == 0 { await Task.yield() }
        clock.advance(by: .seconds(6))
        await #expect(throws: CumulusError.self) { try await late.value }
        #expect(!store.log.contains { $0.hasPrefix("fallback") })
    }

    @Test func aRefreshIsACallOfTheTree() async throws {
        let (gate, closed) = (Gate(), Gate())
        let stale = SmallStore(givesStale: true)
        let transport = StubTransport { request in
            switch request.number {
            case 1: Self.numbered(request)
            case 2: .script([.gate(gate), .chunk(Array("new".utf8))], headers: Self.kept)
            default: .script([.gate(closed)], headers: Self.kept)
            }
        }
        let site = site(transport, stale) { $0.maxConcurrentRequests = 1 }
        _ = try await site.get()
        clock.advance(by: .seconds(61))
        let old = try await site.get()
        #expect((old.text, old.storeNote) == ("1", "hit; stale"))
        while transport.requests.count < 2 { await Task.yield() }
        #expect(stale.contexts.last?.isRefresh == true)
        gate.open()
        // The first response was kept before.
        while stale.log.count(where: { $0 == "kept" }) < 2 { await Task.yield() }
        #expect(try await site.get().text == "new")
        // And it ends with the tree.
        clock.advance(by: .seconds(61))
        _ = try await site.get()
        while transport.requests.count < 3 { await Task.yield() }
        #expect(site.cancelAll() == 1)
        await site.waitUntilIdle()
    }

    // MARK: Wrong stores

    @Test func aStoresErrorIsTheCalls() async throws {
        struct Broken: ResponseStore {
            struct Out: Error {}
            func begin(_ request: EncodedRequest, _ context: StoreContext) async throws -> StoreStart { throw Out() }
        }
        struct Elsewhere: ResponseStore {
            func find(_ request: EncodedRequest, _ context: StoreContext) throws -> StoreStart? {
                .ask(EncodedRequest(method: .get, url: try RequestURL("https://evil.example/")), Nothing())
            }
        }
        struct Nothing: StoreVisit {
            func received(_ response: TransportResponse, in exchange: StoreExchange) async -> StoreResponse {
                StoreResponse(response)
            }
            func failed() {}
        }
        let transport = StubTransport { Self.numbered($0) }
        for store in [Broken(), Elsewhere()] as [any ResponseStore] {
            let site = site(transport).with { $0.responseStore = store }
            let error = try await failure(of: { try await site.get() })
            #expect(error.code == .interception && error.stage == .interception)
        }
        #expect(transport.requests.isEmpty)
    }
}

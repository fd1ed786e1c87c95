// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTesting
import HTTPTypes
import Synchronization
import TestSupport
import Testing

@testable import CumulusCache

/// Callers of what is being fetched: RFC 9111 section 4, "collapsing requests".
@Suite(.timeLimit(.minutes(10))) struct JoiningTests {
    private func start(_ count: Int, at site: CachedSite) -> [RunningCall<Response>] {
        (0..<count).map { _ in site.site["x"].call(.get).start() }
    }

    /// A call that leads, and a reader that waits for its head.
    private func pair(at site: CachedSite) async -> (RunningCall<Response>, Task<ResponseStream, any Error>) {
        let leader = site.site["x"].call(.get).start()
        while site.count < 1 { await Task.yield() }
        let follower = Task { try await site.site["x"].call(.get).stream() }
        await waitForFollowers(1, at: site)
        return (leader, follower)
    }

    private func waitForFollowers(_ count: Int, at site: CachedSite) async {
        while site.cache.waiterCount < count { await Task.yield() }
    }

    @Test func whoeverAsksForTheSameWaitsForTheFirst() async throws {
        let gate = Gate()
        let site = CachedSite { request in
            try await gate.wait()
            return .response(headers: [.cacheControl: "max-age=60"], body: Array("body \(request.number)".utf8))
        }
        let calls = start(10, at: site)
        await waitForFollowers(9, at: site)
        gate.open()
        var notes: [String?] = []
        for call in calls {
            let response = try await call.value
            #expect(response.text == "body 1")
            notes.append(response.storeNote)
        }
        #expect(site.count == 1)
        #expect(notes.filter { $0 == "hit; ttl=60; collapsed" }.count == 9)
    }

    @Test("requests with other fields do not keep those with the same from waiting") func otherFields() async throws {
        let gate = Gate()
        let site = CachedSite { request in
            try await gate.wait()
            return .response(
                headers: [.cacheControl: "max-age=60", .vary: "Accept"],
                body: Array((request.headers[.accept] ?? "").utf8)
            )
        }
        func start(_ accept: String) -> RunningCall<Response> {
            site.site["x"].call(.get, headers: [.accept: .init(accept)]).start()
        }
        let first = start("text/a")
        while site.count < 1 { await Task.yield() }
        let others = (0..<5).map { _ in start("text/b") } + (0..<5).map { _ in start("text/a") }
        await waitForFollowers(9, at: site)
        gate.open()
        #expect(try await first.value.text == "text/a")
        for (index, call) in others.enumerated() {
            #expect(try await call.value.text == (index < 5 ? "text/b" : "text/a"))
        }
        #expect(site.count == 2)
    }

    @Test(
        "a caller that waits for another's response does not wait longer than its own timeouts allow",
        arguments: [true, false]
    )
    func ownTimeout(isResponseTimeout: Bool) async throws {
        let gate = Gate()
        let site = CachedSite { _ in
            try await gate.wait()
            return .response(headers: [.cacheControl: "max-age=60"], body: [65])
        }
        let leader = site.site["x"].call(.get).start()
        while site.count < 1 { await Task.yield() }
        let hasty = site.site["x"].with {
            if isResponseTimeout { $0.responseTimeout = .seconds(2) } else { $0.timeout = .seconds(2) }
        }
        let follower = Task { try await failure { try await hasty.get() } }
        await waitForFollowers(1, at: site)
        try await site.clock.waitForSleepers(1)
        site.clock.advance(by: .seconds(2))
        let error = try await follower.value
        #expect(error.code == .timeout && error.phase == .response)
        #expect(error.message.contains("2 s") && site.count == 1)
        gate.open()
        #expect(try await leader.value.text == "A")
    }

    @Test func theyReadTheBodyAsItArrives() async throws {
        let (head, rest) = (Gate(), Gate())
        let site = CachedSite { _ in
            try await head.wait()
            return .script([.chunk([65]), .gate(rest), .chunk([66])], headers: [.cacheControl: "max-age=60"])
        }
        let (leader, follower) = await pair(at: site)
        head.open()
        let stream = try await follower.value
        let pieces = stream.makeAsyncIterator()
        #expect(try await pieces.next()?.bytes == [65])
        #expect(!rest.isOpen)
        rest.open()
        #expect(try await pieces.next()?.bytes == [66])
        #expect(try await pieces.next() == nil)
        #expect(try await leader.value.text == "AB" && site.count == 1)
    }

    /// Refuses the first response that it sees.
    private final class RefusingOnce: Authorizer {
        let count = Mutex(0)
        let identity: AuthorizerIdentity? = .unique()
        func authorize(_ request: inout EncodedRequest) async throws {}
        func examine(_ head: ResponseHead, of request: EncodedRequest) throws -> BodyCheck? {
            let isFirst = count.withLock { count in
                count += 1
                return count == 1
            }
            if isFirst { throw TransportFailure(.other, "refused") }
            return nil
        }
    }

    @Test func anInterceptorThatSendsAgainDoesNotWaitForItself() async throws {
        let site = CachedSite([.cacheControl: "max-age=60"]) { rules in
            rules.authorizers = [.custom(RefusingOnce())]
            rules.interceptors.append { request, next in
                do { return try await next(request) } catch { return try await next(request) }
            }
        }
        #expect(try await site.get().text == "body 2")
        #expect(site.count == 2)
    }

    @Test func ofTwoRequestsOfOneAttemptTheSecondDoesNotWaitForTheFirst() async throws {
        let gate = Gate()
        let site = CachedSite { request in
            if request.number == 1 { try await gate.wait() }
            return .response(headers: [.cacheControl: "max-age=60"], body: Array("body \(request.number)".utf8))
        }
        site.site.setRules { rules in
            rules.interceptors.append { request, next in
                try await withThrowingTaskGroup(of: TransportResponse.self) { group in
                    for _ in 0..<2 { group.addTask { try await next(request) } }
                    defer { group.cancelAll() }
                    guard let first = try await group.next() else { throw CancellationError() }
                    return first
                }
            }
        }
        #expect(try await site.get().text == "body 2")
        gate.open()
    }

    @Test func aCallerWhoGivesUpCostsTheOthersNoRetry() async throws {
        let head = Gate()
        let site = CachedSite(rules: {
            $0.retry = RetryPolicy(
                backoff: RetryBackoff(base: .zero),
                budget: RetryBudget(burst: 5, share: 0, perSecond: 0)
            )
        }) { request in
            let headers: Headers = [.cacheControl: "max-age=60", .contentLength: "2"]
            if request.number > 1 { return .script([.chunk([65, 66])], headers: headers) }
            try await head.wait()
            return .script([.chunk([65]), .gate(Gate()), .chunk([66])], headers: headers)
        }
        let leader = site.site["x"].call(.get).start()
        while site.count < 1 { await Task.yield() }
        let followers = start(20, at: site)
        await waitForFollowers(20, at: site)
        head.open()
        while site.cache.waiterCount > 0 { await Task.yield() }
        leader.cancel()
        for follower in followers { #expect(try await follower.value.text == "AB") }
        #expect(site.site.retriesLeft == 5)
    }

    @Test func ifTheResponseIsNotStoredAllGoOn() async throws {
        let gate = Gate()
        let site = CachedSite { _ in
            try await gate.wait()
            return .response(headers: [.cacheControl: "no-store"], body: [65])
        }
        let calls = start(10, at: site)
        await waitForFollowers(9, at: site)
        gate.open()
        for call in calls { #expect(try await call.value.text == "A") }
        #expect(site.count == 10 && site.cache.waiterCount == 0)
    }

    @Test func ifItHasToBeValidatedEachTimeAllGoOn() async throws {
        let gate = Gate()
        let site = CachedSite { request in
            try await gate.wait()
            return .response(headers: [.cacheControl: "no-cache", .eTag: "\"1\""], body: [65])
        }
        let calls = start(5, at: site)
        await waitForFollowers(4, at: site)
        gate.open()
        for call in calls { #expect(try await call.value.text == "A") }
        #expect(site.count == 5)
    }

    @Test func ifTheFirstIsCancelledTheNextLeads() async throws {
        let gate = Gate()
        let site = CachedSite { request in
            try await gate.wait()
            return .response(headers: [.cacheControl: "max-age=60"], body: Array("body \(request.number)".utf8))
        }
        let first = site.site["x"].call(.get).start()
        while site.count < 1 { await Task.yield() }
        let others = start(3, at: site)
        await waitForFollowers(3, at: site)
        first.cancel()
        await #expect(throws: CancellationError.self) { _ = try await first.value }
        while site.count < 2 { await Task.yield() }
        await waitForFollowers(2, at: site)
        gate.open()
        for call in others { #expect(try await call.value.text == "body 2") }
        #expect(site.count == 2)
    }

    @Test func aFollowerThatIsCancelledLeavesTheOthers() async throws {
        let gate = Gate()
        let site = CachedSite { _ in
            try await gate.wait()
            return .response(headers: [.cacheControl: "max-age=60"], body: [65])
        }
        let first = site.site["x"].call(.get).start()
        while site.count < 1 { await Task.yield() }
        let others = start(2, at: site)
        await waitForFollowers(2, at: site)
        others[0].cancel()
        await #expect(throws: CancellationError.self) { _ = try await others[0].value }
        gate.open()
        #expect(try await first.value.text == "A")
        #expect(try await others[1].value.text == "A")
        #expect(site.count == 1)
    }

    @Test func waitersHoldNoSlot() async throws {
        let gate = Gate()
        let site = CachedSite(rules: { $0.maxConcurrentRequests = 2 }) { request in
            if request.path == "/x" { try await gate.wait() }
            return .response(headers: [.cacheControl: "max-age=60"], body: [65])
        }
        let calls = start(5, at: site)
        await waitForFollowers(4, at: site)
        #expect(try await site.get([:], "y").text == "A")
        gate.open()
        for call in calls { _ = try await call.value }
    }

    @Test func aStaleThingIsFetchedOnce() async throws {
        let gate = Gate()
        let site = CachedSite { request in
            if request.number > 1 { try await gate.wait() }
            if request.headers[.ifNoneMatch] != nil {
                return .response(.notModified, headers: [.cacheControl: "max-age=60", .eTag: "\"1\""])
            }
            return .response(headers: [.cacheControl: "max-age=60", .eTag: "\"1\""], body: [65])
        }
        _ = try await site.get()
        site.clock.advance(by: .seconds(60))
        let calls = start(5, at: site)
        await waitForFollowers(4, at: site)
        gate.open()
        for call in calls { #expect(try await call.value.text == "A") }
        #expect(site.count == 2)
    }

    @Test func otherFieldsAndPartsDoNotWait() async throws {
        let gate = Gate()
        let site = CachedSite { request in
            if request.number == 1 { try await gate.wait() }
            return .response(headers: [.cacheControl: "max-age=60"], body: [64 + UInt8(request.number)])
        }
        let first = site.site["x"].call(.get).start()
        while site.count < 1 { await Task.yield() }
        #expect(try await site.get([.accept: "text/plain"]).text == "B")
        // What came in between is for all.
        #expect(try await site.get().text == "B")
        gate.open()
        #expect(try await first.value.text == "A")
    }

    @Test func aBodyThatBreaksOffBreaksOffForAllAndIsAskedForAgain() async throws {
        let (head, rest) = (Gate(), Gate())
        let site = CachedSite(rules: { $0.retry = RetryPolicy(limit: 1, budget: nil) }) { request in
            if request.number == 1 { try await head.wait() }
            return request.number == 1
                ? .script([.chunk([65]), .gate(rest), .chunk([66])], headers: [.cacheControl: "max-age=60"])
                : .response(headers: [.cacheControl: "max-age=60"], body: [67])
        }
        let leader = site.site["x"].call(.get).start()
        while site.count < 1 { await Task.yield() }
        let follower = site.site["x"].call(.get).start()
        await waitForFollowers(1, at: site)
        head.open()
        while site.cache.memoryUse == 0 { await Task.yield() }
        while site.cache.waiterCount > 0 { await Task.yield() }
        leader.cancel()
        await #expect(throws: CancellationError.self) { _ = try await leader.value }
        #expect(try await site.value(of: follower).text == "C")
    }

    @Test func nobodyWaitsForACallerWhoDoesNotRead() async throws {
        let site = CachedSite(rules: { $0.retry = RetryPolicy(limit: 1, budget: nil) }) { request in
            .script([.chunk([64 + UInt8(request.number)]), .chunk([90])], headers: [.cacheControl: "max-age=60"])
        }
        let unread = try await site.site["x"].call(.get).stream()
        let follower = site.site["x"].call(.get).start()
        #expect(try await site.value(of: follower).text == "BZ")
        #expect(try await site.get().text == "BZ" && site.count == 2)
        var bytes: [UInt8] = []
        for try await chunk in unread { bytes += chunk.bytes }
        #expect(bytes == [65, 90])
        #expect(try await site.get().text == "BZ" && site.count == 2)
    }

    @Test func aLoopMayGetItsOwnURL() async throws {
        let site = CachedSite { request in
            .script([.chunk([64 + UInt8(request.number)]), .chunk([90])], headers: [.cacheControl: "max-age=60"])
        }
        let stream = try await site.site["x"].call(.get).stream()
        let pieces = stream.makeAsyncIterator()
        #expect(try await pieces.next()?.bytes == [65])
        let inner = site.site["x"].call(.get).start()
        #expect(try await site.value(of: inner).text == "BZ")
        #expect(try await pieces.next()?.bytes == [90])
    }

    @Test func whoFollowsAResponseThatIsRemovedGoesOn() async throws {
        let (head, rest) = (Gate(), Gate())
        let site = CachedSite { request in
            guard request.path == "/x" else { return .response() }
            try await head.wait()
            return .script([.chunk([65]), .gate(rest), .chunk([66])], headers: [.cacheControl: "max-age=60"])
        }
        let (leader, follower) = await pair(at: site)
        head.open()
        let stream = try await follower.value
        await site.cache.removeAll()
        rest.open()
        var bytes: [UInt8] = []
        for try await chunk in stream { bytes += chunk.bytes }
        #expect(bytes == [65, 66])
        #expect(try await leader.value.text == "AB" && site.count == 1 && site.cache.memoryUse == 0)
    }

    @Test func afterAFailureAllGoOnAtOnce() async throws {
        let (gate, all) = (Gate(), Gate())
        let site = CachedSite { request in
            try await (request.number == 1 ? gate : all).wait()
            return .failure(TransportFailure(.connect, "no"))
        }
        let calls = start(10, at: site)
        await waitForFollowers(9, at: site)
        gate.open()
        while site.count < 10 { await Task.yield() }
        all.open()
        for call in calls { await #expect(throws: CumulusError.self) { _ = try await call.value } }
    }

    @Test func nobodyWaitsForWhatIsNeverStored() async throws {
        let (first, all) = (Gate(), Gate())
        let site = CachedSite { request in
            try await (request.number == 1 ? first : all).wait()
            return .response(headers: [.cacheControl: "no-store"], body: [65])
        }
        let leader = site.site["x"].call(.get).start()
        first.open()
        _ = try await leader.value
        let calls = start(5, at: site)
        while site.count < 6 { await Task.yield() }
        all.open()
        for call in calls { #expect(try await call.value.text == "A") }
        site.clock.advance(by: .seconds(60))
        #expect(try await site.get().text == "A")
    }

    @Test func whatIsStoredIsGivenUntilTheNewBodyIsWhole() async throws {
        let rest = Gate()
        let site = CachedSite { request in
            let first = StubResponse.Step.chunk([64 + UInt8(request.number)])
            return .script(
                request.number == 1 ? [first] : [first, .gate(rest)],
                headers: [.cacheControl: "max-age=60"]
            )
        }
        _ = try await site.get()
        let stream = try await site.site["x"].with { $0.cachePolicy = .reload }.call(.get).stream()
        #expect(try await site.get() == ("A", "hit; ttl=60"))
        rest.open()
        for try await _ in stream {}
        #expect(try await site.get() == ("B", "hit; ttl=60") && site.count == 2)
    }
}

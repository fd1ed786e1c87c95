// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTesting
import HTTPTypes
import TestSupport
import Testing

@testable import CumulusCache

/// Callers of a body whose length nobody knows (chunked): only its end tells whether it can be stored.
@Suite(.timeLimit(.minutes(10))) struct JoiningChunkedTests {
    private let head = Gate()
    private let rest = Gate()

    private func site(_ cache: ResponseCache? = nil, piece: Int = 1, rules: (inout Resource.Rules) -> Void = { _ in })
        -> CachedSite
    {
        CachedSite(cache, announces: false, rules: rules) { [head, rest] request in
            try await head.wait()
            let pieces = [65, 66].map { StubResponse.Step.chunk(Array(repeating: $0, count: piece)) }
            return .script([pieces[0], .gate(rest), pieces[1]], headers: [.cacheControl: "max-age=60"])
        }
    }

    /// Starts calls, of which the first one leads.
    private func start(_ count: Int, at site: CachedSite) async -> [RunningCall<Response>] {
        let first = site.site["x"].call(.get).start()
        while site.count < 1 { await Task.yield() }
        let calls = [first] + (1..<count).map { _ in site.site["x"].call(.get).start() }
        while site.cache.waiterCount < count - 1 { await Task.yield() }
        return calls
    }

    private func expectOneRequest(at site: CachedSite) async throws {
        let calls = await start(5, at: site)
        head.open()
        while site.cache.waiterCount > 0 { await Task.yield() }
        rest.open()
        var notes: [String?] = []
        for call in calls {
            let response = try await call.value
            #expect(response.text == "AB")
            notes.append(response.storeNote)
        }
        #expect(notes.count { $0 == "hit; ttl=60; collapsed" } == 4 && site.count == 1)
    }

    @Test func whatFitsIsForAllOnceItIsWhole() async throws { try await expectOneRequest(at: site()) }

    @Test func soItIsInAFolder() async throws {
        let folder = try TemporaryFolder()
        try await expectOneRequest(at: site(.disk(folder.path, date: Stored.arrival)))
    }

    @Test func whatOutgrowsTheCacheIsForItsCallerAndAllGoOn() async throws {
        let site = site(piece: 150_000)
        let calls = await start(5, at: site)
        head.open()
        rest.open()
        for call in calls { #expect(try await call.value.bytes.count == 300_000) }
        #expect(site.count == 5 && site.cache.memoryUse == 0)
    }

    @Test func nobodyWaitsForLong() async throws {
        let site = site()
        let leader = Task { try await site.site["x"].call(.get).stream() }
        while site.count < 1 { await Task.yield() }
        let follower = site.site["x"].call(.get).start()
        while site.cache.waiterCount < 1 { await Task.yield() }
        head.open()
        let unread = try await leader.value
        rest.open()
        #expect(try await site.value(of: follower).text == "AB")
        #expect(site.count == 2)
        for try await _ in unread {}
    }

    @Test func ifItsCallerLeavesAllGoOn() async throws {
        let site = site()
        let calls = await start(3, at: site)
        head.open()
        while site.cache.waiterCount > 0 { await Task.yield() }
        calls[0].cancel()
        await #expect(throws: CancellationError.self) { _ = try await calls[0].value }
        rest.open()
        for call in calls[1...] { #expect(try await call.value.text == "AB") }
        #expect(site.count == 3)
    }

    @Test func aLoopMayGetItsOwnURL() async throws {
        let site = site()
        head.open()
        let stream = try await site.site["x"].call(.get).stream()
        let pieces = stream.makeAsyncIterator()
        #expect(try await pieces.next()?.bytes == [65])
        rest.open()
        #expect(try await site.get().text == "AB")
        #expect(try await pieces.next()?.bytes == [66])
    }
}
